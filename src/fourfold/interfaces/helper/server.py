"""The helper's side: one process that waits, answers one command at a time, and leaves when it is of no use."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from types import FrameType

from fourfold.interfaces.helper import place
from fourfold.interfaces.helper.answering import Answering

LOOK_S = 5.0
"""How often a helper without questions looks whether it is still wanted."""
BACKLOG = 16
"""Commands that may wait; each does so for :data:`~fourfold.interfaces.helper.client.READY_S` at most."""


class Server:
    """Listens in `folder`, which is private to the user. Made by :func:`opened`, by one process at a time."""

    def __init__(self, folder: str, listener: socket.socket) -> None:
        self._path = place.socket(folder)
        self._listener = listener
        self._number = os.stat(self._path).st_ino  # noqa: PTH116
        self._answering = Answering()

    def serve(self) -> None:
        """Answer until idle for too long, of old code, too large, told to leave, or until the folder is gone."""
        self._answering.warm_up()
        while self._is_reachable() and not self._answering.is_done():
            self._listener.settimeout(min(LOOK_S, self._answering.idle_left_s() + 0.01))
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            with connection:
                self._answering.answer(connection)

    def close(self) -> None:
        """Take the socket away, if it is still this helper's."""
        self._listener.close()
        if self._is_reachable():
            with contextlib.suppress(OSError):
                os.unlink(self._path)  # noqa: PTH108

    def _is_reachable(self) -> bool:
        """False where the socket was deleted (with its cache, say) or replaced: nobody can come any more."""
        try:
            return os.stat(self._path).st_ino == self._number  # noqa: PTH116
        except OSError:
            return False


def opened(folder: str) -> Server | None:
    """The server of a folder, None where another process has it. Raises OSError where there can be none."""
    import fcntl

    os.umask(0o077)
    if not place.is_private(folder):
        raise PermissionError(f"{folder} is open to others")
    # Held as long as this process lives, and gone with it however it ends.
    lock = os.open(place.lock(folder), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    path = place.socket(folder)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # noqa: PTH108 (of a helper that was killed)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    os.chmod(path, 0o600)  # noqa: PTH101
    listener.listen(BACKLOG)
    return Server(folder, listener)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def main() -> None:
    """``python -c ... FOLDER``: be the helper of a folder, if there is none."""
    signal.signal(signal.SIGTERM, _leave)
    for number in (signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    server = opened(sys.argv[1])
    if server is None:
        return
    try:
        server.serve()
    finally:
        server.close()
    sys.stdout.flush()
