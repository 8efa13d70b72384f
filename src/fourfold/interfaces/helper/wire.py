"""Frames on the socket: one letter, four bytes of length, as many bytes. Data only: nothing in them is executed."""

from __future__ import annotations

import _socket  # the standard library's socket module costs 15 ms more, and all that it adds is not needed here
import os
import sys

HELLO = b"H"
ARGUMENTS = b"A"
ENVIRONMENT = b"E"
FOLDER = b"W"
TERMINAL = b"F"
GO = b"G"
INTERRUPT = b"I"
STATUS = b"S"
STOP = b"Q"
READY = b"R"
NO = b"N"
LEAVING = b"L"
OUTPUT = b"1"
ERRORS = b"2"
TICK = b"T"
EXIT = b"X"
REPORT = b"P"

LARGEST = 4 << 20
"""Bytes of one frame. Linux passes at most 2 MB of arguments and environment to a process."""

_AT_ONCE = 1 << 16


def pack(kind: bytes, payload: bytes = b"") -> bytes:
    """One frame."""
    return kind + len(payload).to_bytes(4, "big") + payload


def pack_texts(kind: bytes, texts: list[str]) -> bytes:
    """A frame of texts, none of which holds a zero (arguments and environment never do)."""
    return pack(kind, b"\0".join(os.fsencode(text) for text in texts) if texts else b"")


def texts_of(payload: bytes) -> list[str]:
    """The texts of such a frame. No text at all and one empty text look alike: there is none."""
    return [os.fsdecode(part) for part in payload.split(b"\0")] if payload else []


class Broken(Exception):
    """The other end closed, or what it sent is no frame."""


class Frames:
    """Frames as they arrive. What is read raises Broken, and TimeoutError after the socket's time-out."""

    def __init__(self, connection: _socket.socket) -> None:
        self._connection = connection
        self._buffer = bytearray()

    def next(self) -> tuple[bytes, bytes]:
        """The next frame: (kind, payload)."""
        head = self._take(5)
        size = int.from_bytes(head[1:], "big")
        if size > LARGEST:
            raise Broken(f"a frame of {size} bytes")
        return head[:1], self._take(size)

    @property
    def has_more(self) -> bool:
        """True where more has arrived than was taken."""
        return bool(self._buffer)

    def expect(self, kind: bytes) -> bytes:
        """The payload of the next frame, which must be of this kind."""
        found, payload = self.next()
        if found != kind:
            raise Broken(f"a frame {found!r} in place of {kind!r}")
        return payload

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            data = self._connection.recv(_AT_ONCE)
            if not data:
                raise Broken("the other end has closed")
            self._buffer += data
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken


def is_own(connection: _socket.socket) -> bool:
    """False where the system tells that another user is at the other end.

    Linux does; elsewhere the folder of the socket keeps others out.
    """
    if sys.platform != "linux":
        return True
    cells = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)  # pid, uid, gid: four bytes each
    return int.from_bytes(cells[4:8], sys.byteorder) == os.geteuid()
