"""Answering commands: whether one may be answered here, the command itself, and what is kept for the next."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold import __version__
from fourfold.config.load import load_settings
from fourfold.config.settings import HelperSettings
from fourfold.engine.kept import KeptIndexes
from fourfold.interfaces.cli.main import GARBAGE_THRESHOLD, spare_threads
from fourfold.interfaces.helper import place, wire
from fourfold.interfaces.helper.code import LoadedCode
from fourfold.interfaces.helper.commands import is_handed_over, is_wanted
from fourfold.interfaces.helper.watching import Line, Watching
from fourfold.interfaces.helper.world import Elsewhere, Request, world_of
from fourfold.model.errors import FourfoldError

if TYPE_CHECKING:
    from fourfold.config.settings import Settings

TALK_S = 1.0
"""How long a client may take for its part of the greeting."""
SEND_S = 10.0
"""How long it may take to read what is sent; it holds all in memory, and so is slow only where it was stopped."""

WARM = (["search", "--no-refresh", "--limit", "1", "function"], ["grep", "--no-refresh", "-F", "--limit", "1", "def"])
"""What is asked before the first client comes: it loads the code, and the index of the folder it was started in."""


class Answering:
    """One command at a time, in the main thread."""

    def __init__(self) -> None:
        self._identity = place.identity()
        self._kept = KeptIndexes()
        self._settings = HelperSettings()
        self._code = LoadedCode()
        self._leaving = False
        self._since = time.strftime("%Y-%m-%d %H:%M:%S")
        self._answered = 0
        self._last = time.monotonic()

    def warm_up(self) -> None:
        """Load what the first question needs, here and in the folder that the process was started in."""
        from fourfold.interfaces.cli.program import run

        gc.set_threshold(GARBAGE_THRESHOLD)
        spare_threads(os.environ)
        for arguments in WARM:
            run(arguments, self._kept)
        os.chdir("/")
        gc.collect()
        gc.freeze()

    def is_done(self) -> bool:
        """True where the helper is to leave: told to, of old code, too large, or idle for too long."""
        return self._leaving or self.idle_left_s() <= 0

    def idle_left_s(self) -> float:
        """Seconds until it has been idle for too long."""
        return max(0.0, self._last + self._settings.idle_s - time.monotonic())

    def answer(self, connection: socket.socket) -> None:
        """Do what one client asks. Raises nothing for what it does."""
        with contextlib.suppress(wire.Broken, OSError):
            if not wire.is_own(connection):
                return
            connection.settimeout(TALK_S)
            frames = wire.Frames(connection)
            kind, payload = frames.next()
            if kind == wire.STATUS:
                connection.sendall(wire.pack(wire.REPORT, self._report()))
            elif kind == wire.STOP or (kind == wire.HELLO and not self._is_same(payload)):
                self._leaving = True
                connection.sendall(wire.pack(wire.LEAVING))
            elif kind == wire.HELLO:
                self._question(connection, frames)

    def _is_same(self, identity: bytes) -> bool:
        return identity == self._identity and self._code.is_unchanged()

    def _question(self, connection: socket.socket, frames: wire.Frames) -> None:
        request = Request.read(frames)
        line = Line(connection)
        try:
            with world_of(request, line.send):
                said = self._verdict(request)
                line.send(wire.pack(said))
                if said != wire.READY:
                    return
                frames.expect(wire.GO)
                connection.settimeout(SEND_S)
                code = self._run(request.arguments, Watching(connection, line, interrupted=frames.has_more))
                line.send(wire.pack(wire.EXIT, str(code).encode()))
        except Elsewhere:
            line.send(wire.pack(wire.NO))
            return
        self._answered += 1
        self._last = time.monotonic()
        self._code.take_in()
        self._slim()

    def _verdict(self, request: Request) -> bytes:
        """READY; NO for what is the command's own business; LEAVING where the user wants no helper any more."""
        if not (is_handed_over(request.arguments) and is_wanted(request.environment)):
            return wire.NO
        try:
            settings = load_settings(None).settings
        except FourfoldError:
            return wire.NO
        self._settings = settings.helper
        if not settings.helper.enabled:
            self._leaving = True
            return wire.LEAVING
        return wire.NO if _asks_others(settings) else wire.READY

    def _run(self, arguments: list[str], watching: Watching) -> int:
        """The command, as :func:`fourfold.interfaces.cli.main.main` runs it."""
        from fourfold.interfaces.cli import program

        try:
            code = watching.during(lambda: program.run(arguments, self._kept))
        except KeyboardInterrupt:  # before it began, or while it reported another end
            code = program.interrupted()
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        return code

    def _slim(self) -> None:
        """Let go of the indexes where memory is above the limit; leave where that does not help."""
        if _memory_mb() <= self._settings.memory_mb:
            return
        self._kept.clear()
        gc.collect()
        self._leaving = _memory_mb() > self._settings.memory_mb

    def _report(self) -> bytes:
        told = {
            "process": os.getpid(),
            "version": __version__,
            "since": self._since,
            "answered": self._answered,
            "indexes": self._kept.roots(),
            "memory_mb": round(_memory_mb()),
            "idle_s": round(time.monotonic() - self._last),
        }
        return json.dumps(told).encode()


def _asks_others(settings: Settings) -> bool:
    """True where questions go to models or servers that are not part of the program: what those need of memory, time
    and keys is the command's own."""
    return (
        settings.store != "local"
        or settings.embedding.external
        or settings.rerank.provider != "none"
        or bool(settings.llm.endpoint)
        or settings.llm.provider != "compatible"
    )


def _memory_mb() -> float:
    """Resident memory in MB, 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
