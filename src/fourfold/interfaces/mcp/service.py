"""One root that the server answers for: its index, opened when needed and kept up to date in the background."""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fourfold.interfaces import memory
from fourfold.interfaces.mcp.refresher import Outcome, Refresher
from fourfold.model.errors import IndexDamaged, IndexUnavailable
from fourfold.model.report import Progress, RefreshReport

if TYPE_CHECKING:
    from fourfold.engine import Index

T = TypeVar("T")
logger = logging.getLogger("fourfold.mcp")

BUILD_WAIT_S = 15.0
"""How long an answer waits for a first build: most repositories are indexed by then, and
clients give a tool 60 s."""
REFRESH_WAIT_S = 2.0
"""How long an answer waits for a refresh where there is something to answer from."""
IDLE_S = 600.0
"""Seconds without a question after which an index's memory is given back."""
PAUSE_S = 2.0
"""Seconds without a question after which what only the answers took is given back."""


class Service:
    """A named root. Errors of opening it are raised by each question, never by the server's start."""

    def __init__(self, name: str, path: Path, opened: Callable[[], Index] | None = None) -> None:
        """`opened` gives the index of a service of the list; else it is that of the folder `path`."""
        self.name = name
        self.path = path
        self._open = opened
        self.used = time.monotonic()
        self._lock = threading.Lock()
        self._index: Index | None = None
        self._refresher = Refresher(self._refresh)
        self._untidy = False

    def index(self) -> Index:
        """The index, opened; raises FourfoldError where the root or its configuration does not allow that."""
        with self._lock:
            if self._open is not None:
                self._index = self._open()
            if self._index is None:
                from fourfold.config.load import load_settings
                from fourfold.config.places import index_dir
                from fourfold.engine import Index
                from fourfold.source.root import find_root

                settings = load_settings(find_root(self.path)).settings if self.path.is_dir() else None
                wide = settings is not None and index_dir(find_root(self.path), settings).is_dir()
                self._index = Index.open(self.path, settings=settings, allow_wide=wide)
            return self._index

    @property
    def root(self) -> Path:
        """The root of the index."""
        return self.index().root

    @property
    def progress(self) -> Progress | None:
        """How far a running refresh is."""
        return self._refresher.progress

    def start(self) -> None:
        """Begin to index in the background; what is wrong with the root is said by the first question."""
        self._refresher.request()

    def ask(self, work: Callable[[Index, bool], T], cancelled: threading.Event) -> tuple[T, str]:
        """Do read-only `work` (index, refresh) on a fresh index, or on what is ready of it.

        Returns its answer and, where the index is behind, how far it is ("indexing 120/2,818 files"). Raises what the
        engine raises; IndexUnavailable where nothing is ready yet.
        """
        self.used = time.monotonic()
        self._untidy = True
        index = self.index()
        outcome = self._freshened(cancelled)
        try:
            if outcome.running is not None:
                return work(index, False), indexing(outcome.running)
            # Where a refresh failed the engine's own tries again and says why the answer may be stale.
            return work(index, outcome.error is not None), ""
        except IndexDamaged:
            return work(index, True), ""
        except IndexUnavailable as error:
            if outcome.running is None:
                raise
            raise IndexUnavailable(
                f"{self.name}: {indexing(outcome.running)}; nothing can be answered yet",
                hint="ask again in a few seconds",
            ) from error
        finally:
            self.used = time.monotonic()

    def refresh(self, force: bool, cancelled: threading.Event) -> RefreshReport:
        """Bring the index up to date now and say what was done; a writer elsewhere is waited for."""

        def note(progress: Progress) -> None:
            self._refresher.progress = progress
            if cancelled.is_set():
                raise KeyboardInterrupt

        try:
            return self.index().refresh(force=force, progress=note, wait_s=BUILD_WAIT_S)
        finally:
            self._refresher.progress = None

    def give_back(self, idle_s: float = IDLE_S) -> bool:
        """Let go of the index's memory where nobody asked for so long, else of what is free after the last answers."""
        idle = time.monotonic() - self.used
        if self._index is None or self._refresher.busy or idle < min(idle_s, PAUSE_S):
            return False
        is_unused = idle >= idle_s
        if is_unused:
            self._index.close()
            self._index = None
            gc.collect()
        if self._untidy or is_unused:
            self._untidy = False
            memory.give_back()
        return is_unused

    def stop(self) -> None:
        """End background work."""
        self._refresher.stop()

    def _freshened(self, cancelled: threading.Event) -> Outcome:
        ticket = self._refresher.request()
        outcome = self._refresher.wait(ticket, REFRESH_WAIT_S, cancelled)
        if outcome.running is not None and not self.index().built:
            outcome = self._refresher.wait(ticket, BUILD_WAIT_S - REFRESH_WAIT_S, cancelled)
        return outcome

    def _refresh(self, note: Callable[[Progress], None]) -> RefreshReport:
        return self.index().refresh(progress=note)


def indexing(progress: Progress) -> str:
    """``indexing 120/2,818 files``."""
    if not progress.total:
        return "indexing (looking for files)"
    return f"indexing {progress.done:,}/{progress.total:,} files"
