"""The client's messages, line by line, none of them longer than a server should hold in memory."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

import anyio.to_thread

MAX_BYTES = 4_000_000
"""Of one message. The longest that a tool takes is a question of 20,000 characters."""
TOO_LONG = "a message of more than 4 MB"
"""Stands for such a message; it is no JSON, and so the SDK refuses it (:mod:`fourfold.interfaces.mcp.unreadable`)."""
_STANDARD = 3
"""Descriptors below are those of standard streams."""


class Lines:
    """Lines of a stream as texts, to be iterated over. One that is too long gives :data:`TOO_LONG` as soon as that is
    known, and what follows of it is dropped."""

    def __init__(self, stream: BinaryIO, most: int = MAX_BYTES) -> None:
        self._stream = stream
        self._most = most
        self._dropping = False

    def __aiter__(self) -> Lines:
        return self

    async def __anext__(self) -> str:
        line = await anyio.to_thread.run_sync(self.next)
        if line is None:
            raise StopAsyncIteration
        return line

    def next(self) -> str | None:
        """The next line, None behind the last."""
        while True:
            data = self._stream.readline(self._most)
            if not data:
                return None
            ends = data.endswith(b"\n")
            if self._dropping:
                self._dropping = not ends
            elif ends or len(data) < self._most:
                return data.decode("utf-8", "replace")
            else:
                self._dropping = True
                return TOO_LONG


def taken_from_stdin() -> BinaryIO:
    """The client's messages, which from now on nobody else can read: descriptor 0 is an empty file, for this process
    and its children."""
    if os.name != "posix":
        return sys.stdin.buffer
    import fcntl

    own = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _STANDARD)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # A thread may still wait on it when the server ends: it is never closed.
    return os.fdopen(own, "rb", closefd=False)
