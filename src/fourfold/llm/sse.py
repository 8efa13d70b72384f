"""Server-sent events: the ``data:`` of each event out of bytes as they arrive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MAX_EVENT_BYTES = 1_000_000
"""A longer event is no piece of a reply."""


class BadStream(ValueError):
    """The bytes are no event stream."""


def events(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each event, in order. Line ends may be LF, CR LF or CR; pieces may cut anywhere.

    An event that the end of the stream cuts off is not given. Raises BadStream where an event grows without end or is
    not UTF-8.
    """
    data: list[str] = []
    for line in _lines(pieces):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
        elif line.startswith(b"data:"):
            data.append(_text(line[5:].removeprefix(b" ")))
            if sum(map(len, data)) > MAX_EVENT_BYTES:
                raise BadStream("an event is too long")


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadStream("an event is not UTF-8") from None


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        rest += piece
        # A CR at the very end may be half of a CR LF: it waits for what follows.
        held = b"\r" if rest.endswith(b"\r") else b""
        *lines, rest = rest.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        rest += held
        if len(rest) > MAX_EVENT_BYTES:
            raise BadStream("a line is too long")
        yield from lines
    if rest.endswith(b"\r"):
        yield rest.removesuffix(b"\r")
