"""The last look at a tree that found nothing to do, remembered by a process that asks again and again.

Every search compares the tree with the index. Where the tree is, by stat, what it was when a walk last found it equal
to this very generation of the index, it is equal still, and no walk is needed to say so: an edit is seen at once all
the same, since every file and folder is looked at (:mod:`fourfold.source.footprint`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.model.record import record
from fourfold.source.found import WalkOptions, WalkResult
from fourfold.source.tree import DiskTree

if TYPE_CHECKING:
    from collections.abc import Container

    from fourfold.source.tree import Tree
    from fourfold.store.contract import Snapshot


@record(frozen=True, slots=True)
class _Look:
    snapshot: Snapshot
    options: WalkOptions
    walked: WalkResult


class LastLook:
    """Of one tree. Safe to share between threads: a look is replaced whole."""

    def __init__(self) -> None:
        self._last: _Look | None = None

    def still(self, tree: Tree, snapshot: Snapshot, options: WalkOptions) -> WalkResult | None:
        """A walk that lists nothing, where a real one would find the tree equal to this snapshot; None where that is
        not known."""
        last = self._last
        if last is None or last.snapshot is not snapshot or last.options != options:
            return None
        footprint = last.walked.footprint
        if footprint is None or not isinstance(tree, DiskTree) or not tree.is_as_it_was(options, footprint):
            return None
        return WalkResult(warnings=list(last.walked.warnings), fingerprint=last.walked.fingerprint)

    def walk(self, tree: Tree, options: WalkOptions, known: Container[str] | None, fingerprint: str) -> WalkResult:
        """Walk the tree, with a footprint where it is a folder on disk."""
        if isinstance(tree, DiskTree):
            return tree.walk_noting(options, known, fingerprint)
        return tree.walk(options, known=known, fingerprint=fingerprint)

    def note(self, snapshot: Snapshot, options: WalkOptions, walked: WalkResult) -> None:
        """The walk found the tree equal to the snapshot."""
        if walked.footprint is not None and walked.footprint.is_sure:
            kept = WalkResult(warnings=walked.warnings, fingerprint=walked.fingerprint, footprint=walked.footprint)
            self._last = _Look(snapshot, options, kept)
