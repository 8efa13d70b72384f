"""What goes on beside a command that runs in the helper: it tells the client that it lives, and hears Ctrl-C."""

from __future__ import annotations

import contextlib
import select
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType

from fourfold.interfaces.helper import wire

TICK_S = 1.0


class Line:
    """The way to the client. Sending raises BrokenPipeError once it is gone, and ever after."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._gone = False

    def send(self, frame: bytes) -> None:
        """Send a frame whole, whichever thread asks."""
        with self._lock:
            if self._gone:
                raise BrokenPipeError
            try:
                self._connection.sendall(frame)
            except OSError as error:  # a time-out too: half a frame may be out
                self._gone = True
                raise BrokenPipeError from error


class Watching:
    """Ctrl-C at the client, and its end, raise KeyboardInterrupt in what the main thread does meanwhile."""

    def __init__(self, connection: socket.socket, line: Line, *, interrupted: bool = False) -> None:
        """`interrupted`: Ctrl-C came with the request already."""
        self._connection = connection
        self._line = line
        self._pending = interrupted
        self._running = False
        self._over = False
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def during(self, work: Callable[[], int]) -> int:
        """Do the work. Raises KeyboardInterrupt where the work does, and where it was interrupted before it began."""
        before = signal.signal(signal.SIGINT, self._interrupt)
        self._thread.start()
        try:
            self._running = True
            if self._pending:
                raise KeyboardInterrupt
            return work()
        finally:
            self._running = False
            self._over = True
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RD)  # wakes the thread
            self._thread.join()
            signal.signal(signal.SIGINT, before)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        # Signals are handled in the main thread, which alone sets the flag: nothing is raised after the work.
        self._pending = True
        if self._running:
            raise KeyboardInterrupt

    def _watch(self) -> None:
        main = threading.main_thread().ident
        assert main is not None
        while not self._over:
            readable, _, _ = select.select([self._connection], [], [], TICK_S)
            if self._over:
                return
            with contextlib.suppress(OSError):
                if not readable:
                    self._line.send(wire.pack(wire.TICK))
                    continue
                said = self._connection.recv(64)
                signal.pthread_kill(main, signal.SIGINT)  # ends a system call, too
                if said:
                    continue
            return
