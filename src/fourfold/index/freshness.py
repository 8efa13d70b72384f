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
from fourfold.model.counting import count
from fourfold.model.errors import (
    FourfoldError,
    IndexDamaged,
    IndexUnavailable,
    LockHeld,
    NewerFormat,
    RootRefused,
)
from fourfold.model.record import record
from fourfold.source.tree import Tree, as_tree

if TYPE_CHECKING:
    from fourfold.index.last_look import LastLook
    from fourfold.index.refresh import RefreshOptions
    from fourfold.source.git import GitState
    from fourfold.store.contract import Snapshot, Store

NOT_BUILT = "answered from a part of the files, the first build failed: "
"""How the notice begins with an answer from an index whose first build cannot be brought to its end."""
CHECK_S = 2.0
"""Seconds for which a count of stale or dirty files is taken as true."""
GIT_WAIT_S = 1.0
"""How long an answer waits for git to count dirty files; then the last known count stands."""


@record(frozen=True, slots=True)
class Notice:
    """What is to be said with an answer, and whether the index may be behind the tree."""

    text: str = ""
    stale: bool = False


def behind(root: Path | Tree, store: Store, error: FourfoldError | OSError) -> Notice:
    """What to say where an answer is given without the refresh that failed with `error`.

    Raises `error` where there is nothing to answer from, or where answering would hide a fault.
    """
    if isinstance(error, (IndexDamaged, NewerFormat, RootRefused)):
        raise error
    try:
        generation = store.snapshot().generation
    except FourfoldError:
        raise error from None
    why = error.message if isinstance(error, FourfoldError) else f"{error.strerror}: {error.filename}"
    if generation == 0 and isinstance(error, LockHeld):
        raise IndexUnavailable(f"there is no index of {root} yet: {why}", hint="wait for it to finish")
    if generation == 0:
        raise error
    if "walk_fingerprint" not in store.snapshot().meta and not isinstance(error, LockHeld):
        return Notice(f"{NOT_BUILT}{why}", stale=True)
    return Notice(f"answered from the last finished state, which may be stale: {why}", stale=True)


def check_begun(root: Path | Tree, snapshot: Snapshot, writer: Callable[[], str]) -> None:
    """Raise IndexUnavailable where the first build has stored nothing yet: "nothing found" would be untrue. `writer`
    says who writes the index now."""
    why = unfinished(snapshot)
    if why and "walk_fingerprint" not in snapshot.meta and not snapshot.info().files:
        who = writer()
        hint = f"wait for it to finish: {who}" if who else "`fourfold index` goes on with it"
        raise IndexUnavailable(f"there is no index of {root} yet: {why}", hint=hint)


def unfinished(snapshot: Snapshot) -> str:
    """What is to be said of a generation that a build or refresh has not brought to its end; empty where it has."""
    if snapshot.meta.get("complete", "1") != "0":
        return ""
    if "walk_fingerprint" in snapshot.meta:
        return "the last refresh of the index has not finished: some files may be answered from an earlier state"
    files = snapshot.info().files
    return f"the index is not complete: its first build has not finished ({count(files, 'file')} so far)"


class Freshness:
    """Facts about one tree and its index. `options` gives the refresh options that hold now, `last` what is remembered
    of the tree."""

    def __init__(
        self, root: Path | Tree, store: Store, options: Callable[[], RefreshOptions], last: LastLook | None = None
    ) -> None:
        self._root = as_tree(root)
        self._store = store
        self._options = options
        self._last = last
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
        self._dirty = self._root.dirty()
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
        return self._root.head()

    def stale_files(self) -> int:
        """How many files differ between tree and index."""
        if time.monotonic() - self._stale_at > CHECK_S:
            _, diff, _ = look(self._root, self._store, self._options(), last=self._last)
            self._stale = len(diff.added) + len(diff.changed) + len(diff.removed)
            self._stale_at = time.monotonic()
        return self._stale
