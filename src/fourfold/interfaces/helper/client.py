"""The command's side: hand the arguments to the helper and print its answer, or say that there is none."""

from __future__ import annotations

import _socket
import os
import sys

from fourfold.interfaces.helper import place, wire
from fourfold.interfaces.helper.commands import is_handed_over, is_wanted

READY_S = 0.5
"""How long a helper may take to say that it is free; then the command does the work itself."""
SILENT_S = 10.0
"""While it works it says each second that it is alive; after so much silence it is taken for dead."""
ENDING_S = 5.0
"""How long an interrupted helper may take to end."""
MOST_HELD = 32 << 20
"""Bytes of an answer that are held back until it is whole. Of a larger one the command does the work itself."""
INTERRUPTED = 130
CAN_BE = hasattr(_socket, "AF_UNIX")
"""False on systems without Unix sockets."""


class Asked:
    """What came of asking: the exit code, None where the command must do the work; whether to `start` a helper."""

    __slots__ = ("code", "start")

    def __init__(self, code: int | None = None, *, start: bool = False) -> None:
        self.code = code
        self.start = start


def ask(arguments: list[str]) -> Asked:
    """Let the helper answer a command line. Raises nothing for what goes wrong on its side; KeyboardInterrupt where
    Ctrl-C came before it began."""
    if not (CAN_BE and is_handed_over(arguments) and is_wanted(os.environ) and _has_streams()):
        return Asked()
    connection = connect(place.folder(os.environ))
    if connection is None:
        return Asked(start=True)
    try:
        connection.settimeout(READY_S)
        connection.sendall(_request(arguments))
        frames = wire.Frames(connection)
        said, _ = frames.next()
        if said != wire.READY:
            return Asked(start=said == wire.LEAVING)
        connection.sendall(wire.pack(wire.GO))
        connection.settimeout(SILENT_S)
        return Asked(_Answer(connection, frames).code())
    except (wire.Broken, OSError):
        return Asked()
    finally:
        connection.close()


def connect(folder: str) -> _socket.socket | None:
    """A connection to the helper of a folder, None where there is none to be trusted."""
    path = place.socket(folder)
    if not CAN_BE or not place.is_private(folder):
        return None
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(READY_S)
        connection.connect(path)
        if wire.is_own(connection):
            return connection
    except OSError:
        pass
    connection.close()
    return None


def _has_streams() -> bool:
    """False where a standard stream is closed: then the process sees to that itself."""
    return sys.stdin is not None and sys.stdout is not None and sys.stderr is not None


def _request(arguments: list[str]) -> bytes:
    """Everything that the answer depends on. OSError where the folder is gone."""
    here = os.getcwd()  # noqa: PTH109
    state = os.stat(here)  # noqa: PTH116
    terminal = [
        str(int(sys.stdout.isatty())),
        str(int(sys.stderr.isatty())),
        str(_columns(1)),
        str(_columns(2)),
        sys.stdout.encoding,
        sys.stderr.encoding,
        str(int(getattr(sys.stdout, "line_buffering", False))),
    ]
    return b"".join(
        (
            wire.pack(wire.HELLO, place.identity()),
            wire.pack_texts(wire.ARGUMENTS, [sys.argv[0], *arguments]),
            wire.pack_texts(wire.ENVIRONMENT, [f"{name}={value}" for name, value in os.environ.items()]),
            wire.pack_texts(wire.FOLDER, [here, f"{state.st_dev}:{state.st_ino}"]),
            wire.pack_texts(wire.TERMINAL, terminal),
        )
    )


def _columns(stream: int) -> int:
    """Columns of a stream's terminal, 0 where it has none."""
    try:
        return os.get_terminal_size(stream).columns
    except OSError:
        return 0


class _Answer:
    """An answer as it arrives. Held back until it is whole, so that whatever happens the command can still do the work
    itself; only progress on a terminal, which comes before any result, is shown at once."""

    def __init__(self, connection: _socket.socket, frames: wire.Frames) -> None:
        self._connection = connection
        self._frames = frames
        self._held: list[tuple[int, bytes]] = []
        self._size = 0
        self._live = sys.stderr.isatty()

    def code(self) -> int | None:
        """Take the answer in and print it: the exit code, None where it is too large."""
        try:
            return self._take()
        except KeyboardInterrupt:
            return self._interrupted()

    def _take(self) -> int | None:
        while True:
            kind, payload = self._frames.next()
            if kind == wire.EXIT:
                code = int(payload)
                return _print(self._held, code)
            if kind == wire.ERRORS and self._live and not self._held:
                _write(2, payload)
            elif kind in (wire.OUTPUT, wire.ERRORS):
                self._held.append((1 if kind == wire.OUTPUT else 2, payload))
                self._size += len(payload)
                if self._size > MOST_HELD:
                    return None

    def _interrupted(self) -> int:
        """Pass Ctrl-C on and print how the helper ended; a second one, or silence, ends at once."""
        try:
            self._connection.settimeout(ENDING_S)
            self._connection.sendall(wire.pack(wire.INTERRUPT))
            code = self._take()
            return INTERRUPTED if code is None else code
        except (wire.Broken, OSError, KeyboardInterrupt):
            return INTERRUPTED


def _print(held: list[tuple[int, bytes]], code: int) -> int:
    """Write what was held back, in its order; the exit code."""
    for stream, data in held:
        try:
            _write(stream, data)
        except BrokenPipeError:
            if stream == 1:
                return 0
        except OSError as error:
            if stream == 1:
                from fourfold.interfaces.cli.program import output_failed

                return output_failed(error)
    return code


def _write(stream: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(stream, rest) :]
