"""What the tree and git say now, compared with the index: looked at in passing, never on every question.

Counting dirty files starts a git process, comparing the tree is a walk: both take tens of milliseconds, a warm question
two or three. So each is looked at again only after :data:`CHECK_S`, git in a thread beside the search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.index.refresh import look
from fourfold.source.git import head

if TYPE_CHECKING:
    from fourfold.index.refresh import RefreshOptions
    from fourfold.source.git import GitState
    from fourfold.store.contract import Store

CHECK_S = 2.0
"""Seconds for which a count of stale or dirty files is taken as true."""
GIT_WAIT_S = 1.0
"""How long an answer waits for git to count dirty files; then the last known count stands."""


class Freshness:
    """Facts about one tree and its index. `options` gives the refresh options that hold now."""

    def __init__(self, root: Path, store: Store, options: Callable[[], RefreshOptions]) -> None:
        self._root = root
        self._store = store
        self._options = options
        self._stale = 0
        self._stale_at = float("-inf")
        self._dirty = 0
        self._dirty_at = float("-inf")
        self._git: threading.Thread | None = None

    def refreshed(self) -> None:
        """The index has just been made equal to the tree."""
        self._stale, self._stale_at = 0, time.monotonic()

    def begin(self) -> None:
        """Start counting dirty files beside what comes next, where the last count is old."""
        if self._git is None and time.monotonic() - self._dirty_at > CHECK_S:
            self._git = threading.Thread(target=self._count_dirty, daemon=True)
            self._git.start()

    def _count_dirty(self) -> None:
        state = head(self._root)
        self._dirty = state.dirty if state is not None else 0
        self._dirty_at = time.monotonic()

    def dirty_files(self) -> int:
        """Files that git calls changed or untracked."""
        if self._git is not None:
            self._git.join(GIT_WAIT_S)
            if not self._git.is_alive():
                self._git = None
        return self._dirty

    def git(self) -> GitState | None:
        """Commit and branch that are checked out (read from files, well below a millisecond)."""
        return head(self._root)

    def stale_files(self) -> int:
        """How many files differ between tree and index."""
        if time.monotonic() - self._stale_at > CHECK_S:
            _, diff, _ = look(self._root, self._store, self._options())
            self._stale = len(diff.added) + len(diff.changed) + len(diff.removed)
            self._stale_at = time.monotonic()
        return self._stale
