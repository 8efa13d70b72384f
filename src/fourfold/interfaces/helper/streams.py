"""Standard streams of a command that runs in the helper: what is written goes to the client as frames, in order."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from fourfold.interfaces.cli.streams import Output
from fourfold.interfaces.cli.terminal import UNKNOWN_WIDTH
from fourfold.model.record import record

_LARGEST = 1 << 20
"""Bytes of one frame."""


@record(frozen=True, slots=True)
class ClientTerminal:
    """What the client's standard streams are: terminals or not, their columns (0: unknown), encodings, and whether
    standard output is written line by line."""

    out_tty: bool
    err_tty: bool
    out_columns: int
    err_columns: int
    out_encoding: str
    err_encoding: str
    out_lines: bool

    @classmethod
    def of(cls, texts: list[str]) -> ClientTerminal:
        """From the fields of a request. Raises ValueError or LookupError where they are none."""
        out_tty, err_tty, out_columns, err_columns, out_encoding, err_encoding, out_lines = texts
        for encoding in (out_encoding, err_encoding):
            "".encode(encoding)
        widths = max(int(out_columns), 0), max(int(err_columns), 0)
        return cls(out_tty == "1", err_tty == "1", *widths, out_encoding, err_encoding, out_lines == "1")


class _Sent(io.RawIOBase):
    """A raw stream whose bytes go to `send`; it says of itself what the client's stream is."""

    def __init__(self, send: Callable[[bytes], None], tty: bool) -> None:
        self._send = send
        self._tty = tty

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._tty

    def write(self, data: Any, /) -> int:
        part = bytes(data[:_LARGEST])
        self._send(part)
        return len(part)


class ClientOutput(Output):
    """The client's standard output; `window` is the width of its terminal."""

    window = UNKNOWN_WIDTH


class ClientErrors(io.TextIOWrapper):
    """The client's standard error."""

    window = UNKNOWN_WIDTH


def streams(
    terminal: ClientTerminal, out: Callable[[bytes], None], err: Callable[[bytes], None]
) -> tuple[ClientOutput, ClientErrors]:
    """Standard output and error as Python sets them up for such streams."""
    written = ClientOutput(
        io.BufferedWriter(_Sent(out, terminal.out_tty)),
        terminal.out_encoding,
        "replace",
        line_buffering=terminal.out_lines,
    )
    told = ClientErrors(
        io.BufferedWriter(_Sent(err, terminal.err_tty)), terminal.err_encoding, "backslashreplace", line_buffering=True
    )
    written.window = terminal.out_columns or UNKNOWN_WIDTH
    told.window = terminal.err_columns or UNKNOWN_WIDTH
    return written, told
