"""What goes on beside a command that runs in the helper: it tells the client that it lives, and hears Ctrl-C."""

from __future__ import annotations

import contextlib
import select
import signal
import socket
import threading
from types import FrameType, TracebackType

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
    """While it is entered (in the main thread), Ctrl-C at the client, and its end, raise KeyboardInterrupt here."""

    def __init__(self, connection: socket.socket, line: Line) -> None:
        self._connection = connection
        self._line = line
        self._running = False
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._before: signal._HANDLER = signal.SIG_IGN

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        self._running = True
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running = False
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RD)  # wakes the thread
        self._thread.join()
        signal.signal(signal.SIGINT, self._before)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        # Signals are handled in the main thread, which alone sets the flag: nothing is raised after the command.
        if self._running:
            raise KeyboardInterrupt

    def _watch(self) -> None:
        while self._running:
            readable, _, _ = select.select([self._connection], [], [], TICK_S)
            if not self._running:
                return
            with contextlib.suppress(OSError):
                if not readable:
                    self._line.send(wire.pack(wire.TICK))
                    continue
                said = self._connection.recv(64)
                main = threading.main_thread().ident
                if main is not None:
                    signal.pthread_kill(main, signal.SIGINT)
                if said:
                    continue
            return
