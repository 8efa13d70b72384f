"""Preparing in a forked copy of this process: a crash in a grammar ends the copy, at the price of milliseconds.

A worker of its own costs about 0.4 s of processor time to start, more than a small refresh takes altogether; a fork of
a program that has one thread costs a few milliseconds, and is safe only there (:func:`may_fork`).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from fourfold.index.frames import receive, send
from fourfold.index.prepare import Preparer
from fourfold.index.task import Prepared, PrepareOptions, Task
from fourfold.source.tree import DiskTree

_THREADS = Path("/proc/self/task")
"""One entry for each thread of this process, those of libraries included. There is none but on Linux."""
_STREAMS = 3


def may_fork(options: PrepareOptions) -> bool:
    """Whether this process may be copied: Linux, one thread, and nothing open that two processes must not share (the
    cache of parsed files, the git process of a tree read at a ref)."""
    if options.parsed is not None or not isinstance(options.root, (Path, DiskTree)):
        return False
    try:
        return sys.platform == "linux" and len(list(_THREADS.iterdir())) == 1
    except OSError:
        return False


def prepare_forked(
    preparer: Preparer, work: Sequence[list[Task]], patience: Callable[[Sequence[Task]], float]
) -> Iterator[Prepared]:
    """What comes of each batch, in order; ends early where the copy dies, or takes longer than `patience` (seconds)
    for a batch: what is left has to be prepared elsewhere. Raises OSError where no copy can be made.

    The copy reads and parses. Grammars are loaded and words counted here, so that the next refresh knows them.
    """
    preparer.load_grammars(work)
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if child == 0:
        _serve(preparer, work, reading, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as replies:
            for batch in work:
                timer = threading.Timer(patience(batch), os.kill, (child, signal.SIGKILL))
                timer.daemon = True
                timer.start()
                try:
                    parsed = receive(replies)
                except (EOFError, OSError):
                    return
                finally:
                    timer.cancel()
                yield preparer.count(parsed)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _serve(preparer: Preparer, work: Sequence[list[Task]], reading: int, writing: int) -> None:
    """Body of the copy; does not return. Whatever is raised ends it: the worker that comes next says what it was."""
    from fourfold.index.worker import limit_memory

    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # The lock of the index above all: were the indexer killed, its copy would go on holding it.
        os.closerange(_STREAMS, writing)
        os.closerange(writing + 1, os.sysconf("SC_OPEN_MAX"))
        limit_memory()
        with os.fdopen(writing, "wb") as replies:
            for batch in work:
                send(replies, preparer.parse(batch).stripped())
        status = 0
    finally:
        os._exit(status)  # neither handlers of the end nor buffers of the original run twice
