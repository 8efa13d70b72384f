"""The standard streams of the process: closed ones, full ones, and those whose reader went away."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, TextIO

from fourfold.model.errors import FourfoldError

OUTPUT_FAILED = 74
"""Exit code where the output cannot be written (EX_IOERR of sysexits.h)."""


class OutputFailed(FourfoldError):
    """Standard output takes no more: a full disk, a device error."""

    code = "F900"
    exit_code = OUTPUT_FAILED

    def __init__(self, error: OSError) -> None:
        said = (error.strerror or str(error) or "input or output failed").lower()
        super().__init__(f"cannot write the output: {said}", hint="send it elsewhere, or make room for it")


class Output(io.TextIOWrapper):
    """Standard output whose failures are told apart from those of the index's files.

    A reader that went away stays a :class:`BrokenPipeError`.
    """

    def write(self, text: str, /) -> int:
        """Write; raises :class:`OutputFailed`."""
        try:
            return super().write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputFailed(error) from error

    def flush(self) -> None:
        """Flush; raises :class:`OutputFailed`."""
        try:
            super().flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputFailed(error) from error


def set_up_streams() -> None:
    """Make the standard streams fit to use, whatever the process was started with. Before any file is opened."""
    _fill_missing()
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        encoding, lines = out.encoding, out.line_buffering
        sys.stdout = Output(out.detach(), encoding, "replace", line_buffering=lines)


def soften(stream: TextIO) -> None:
    """Replace what the stream's encoding cannot express instead of failing on it."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def abandon(stream_number: int = 1) -> None:
    """After a failure of a stream: let what is buffered go nowhere, so that the process ends silently."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream_number)
        os.close(null)
    except OSError:
        sys.stdout = None


class _Closed(io.RawIOBase):
    """Standard output that the process was started without: what is written to it is lost, and that is said once."""

    _told = False

    def writable(self) -> bool:
        """True, to be asked at all."""
        return True

    def write(self, data: Any, /) -> int:
        """Refuse; raises OSError the first time."""
        if not self._told:
            self._told = True
            raise OSError(errno.EBADF, "it is closed")
        return len(data)


def _fill_missing() -> None:
    """Where a standard stream is closed, let it read nothing; standard output says that it is closed when something is
    written to it, standard error takes all.

    Else the first file that is opened gets the stream's number, and who writes to the stream writes into it.
    """
    number = os.open(os.devnull, os.O_RDWR)
    while number <= 2:
        os.set_inheritable(number, True)
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)
    for name in ("stdin", "stdout", "stderr"):
        if name == "stdout" and sys.stdout is None:
            sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()), encoding="utf-8")
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
