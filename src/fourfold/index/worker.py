"""A worker process: ``python -P -m fourfold.index.worker``, fed over its standard input.

The first message is a :class:`PrepareOptions`, answered by :data:`READY`; each further one is a list of tasks,
answered by one :class:`Prepared`, or other options for those that follow.
The process ends with its input, so it cannot outlive the indexer.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

from fourfold.index.frames import receive, send

MEMORY_BYTES = 3 << 30
"""Address space of a worker. It needs about 0.3 GB; the rest is room for files that are hard to parse."""
GARBAGE_THRESHOLD = 200_000
"""New objects between two looks for cyclic garbage. Parsing makes none that counts, and looks at each 700 objects took
10 to 15 % of a worker's time."""
NO_MEMORY = 70
"""Exit code where a file needs more than that."""
READY = "ready"
"""First reply: everything that preparing needs is imported. What dies before it is a fault of the installation."""


def main() -> int:
    """Serve tasks until the input ends."""
    # Ctrl-C reaches the whole process group; the indexer decides when its workers stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory()
    gc.set_threshold(GARBAGE_THRESHOLD)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not mix with the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    requests = sys.stdin.buffer
    try:
        from fourfold.index.prepare import Preparer
        from fourfold.index.task import PrepareOptions

        preparer: Preparer | None = None
        while True:
            message = receive(requests)
            if isinstance(message, PrepareOptions):
                if preparer is not None:
                    preparer.release()
                preparer = Preparer(message)
                send(replies, READY)
            elif preparer is not None:
                send(replies, preparer.prepare(message))
    except (EOFError, BrokenPipeError):
        return 0
    except MemoryError:
        os._exit(NO_MEMORY)  # at once: whatever else is done may need memory too


def limit_memory() -> None:
    """Bound the address space where the system can: a grammar that runs away costs one file, not the machine."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
    if soft == resource.RLIM_INFINITY or soft > limit:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    sys.exit(main())
