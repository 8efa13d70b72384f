"""What is remembered of a tree: what the last walk saw, in this process and beside the index for the next one.

Every search compares the tree with the index. Where the tree is, by stat, what it was when it was last found (or made)
equal to this very content of the index, or differs in the content of some files alone, no walk is needed to say so, and
the records of the index need not be read. An edit is seen at once all the same: every file and folder is looked at
(:mod:`fourfold.source.footprint`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fourfold.index.diff import Diff, compare_edited
from fourfold.model.record import record
from fourfold.source.footprint_file import pack, unpack
from fourfold.source.found import WalkOptions, WalkResult
from fourfold.source.tree import DiskTree
from fourfold.store.local.derived import BYTES
from fourfold.store.local.snapshot import LocalSnapshot

if TYPE_CHECKING:
    from collections.abc import Container

    from fourfold.source.tree import Tree
    from fourfold.store.contract import Snapshot

NAME = "footprint"
"""What the footprint is kept as, beside the arrays that are derived from the index."""


@record(frozen=True, slots=True)
class _Look:
    snapshot: Snapshot
    walked: WalkResult
    files: int


class LastLook:
    """Of one tree. Safe to share between threads: a look is replaced whole."""

    def __init__(self) -> None:
        self._last: _Look | None = None

    def again(
        self, tree: Tree, snapshot: Snapshot, options: WalkOptions, racy_ns: int
    ) -> tuple[WalkResult, Diff] | None:
        """The tree compared with this snapshot, without a walk and without the records of the index; the walk's lists
        hold what may differ. `racy_ns`: files changed at that time or later are to be compared by content. None where
        only a walk can tell."""
        if not isinstance(tree, DiskTree):
            return None
        last = self._last
        if last is None or last.snapshot is not snapshot:
            last = self._last = _kept(snapshot)
        if last is None or last.walked.fingerprint != snapshot.meta.get("walk_fingerprint"):
            return None
        seen = tree.walk_again(options, last.walked, racy_ns)
        if seen is None:
            return None
        walked, young = seen
        diff = compare_edited(walked.found, young, last.files, snapshot.record)
        return (walked, diff) if diff is not None else None

    def walk(self, tree: Tree, options: WalkOptions, known: Container[str] | None, fingerprint: str) -> WalkResult:
        """Walk the tree, with a footprint where it is a folder on disk."""
        if isinstance(tree, DiskTree):
            return tree.walk_noting(options, known, fingerprint)
        return tree.walk(options, known=known, fingerprint=fingerprint)

    def note(self, snapshot: Snapshot, walked: WalkResult, files: int) -> None:
        """The snapshot holds what a walk saw; `files` is how many were found."""
        if walked.footprint is None or not walked.footprint.is_sure:
            return
        self._last = _Look(snapshot, replace(walked, found=[], skipped=[]), files)
        if isinstance(snapshot, LocalSnapshot):
            import numpy as np

            snapshot.put_derived(NAME, {BYTES: np.frombuffer(pack(walked, files), np.uint8)})


def _kept(snapshot: Snapshot) -> _Look | None:
    """What a process before this one remembered."""
    data = snapshot.derived_bytes(NAME) if isinstance(snapshot, LocalSnapshot) else None
    found = unpack(data) if data else None
    return _Look(snapshot, *found) if found is not None else None
