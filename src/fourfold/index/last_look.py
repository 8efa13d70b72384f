"""What a process that asks again and again remembers of a tree: what its last walk saw.

Every search compares the tree with the index. Where the tree is, by stat, what it was when it was last found (or made)
equal to this very generation of the index, or differs in the content of some files alone, no walk is needed to say so.
An edit is seen at once all the same: every file and folder is looked at (:mod:`fourfold.source.footprint`).
"""

from __future__ import annotations

from dataclasses import replace
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
    files: int


class LastLook:
    """Of one tree. Safe to share between threads: a look is replaced whole."""

    def __init__(self) -> None:
        self._last: _Look | None = None

    def again(self, tree: Tree, snapshot: Snapshot, options: WalkOptions) -> tuple[WalkResult, int] | None:
        """What a walk would see now that differs from this snapshot: `found` are files whose content may; and how many
        files there are. None where only a walk can tell."""
        last = self._last
        if last is None or last.snapshot is not snapshot or last.options != options or not isinstance(tree, DiskTree):
            return None
        walked = tree.walk_again(options, last.walked)
        return None if walked is None else (walked, last.files)

    def walk(self, tree: Tree, options: WalkOptions, known: Container[str] | None, fingerprint: str) -> WalkResult:
        """Walk the tree, with a footprint where it is a folder on disk."""
        if isinstance(tree, DiskTree):
            return tree.walk_noting(options, known, fingerprint)
        return tree.walk(options, known=known, fingerprint=fingerprint)

    def note(self, snapshot: Snapshot, options: WalkOptions, walked: WalkResult, files: int) -> None:
        """The snapshot holds what a walk saw; `files` is how many were found."""
        if walked.footprint is not None and walked.footprint.is_sure:
            self._last = _Look(snapshot, options, replace(walked, found=[], skipped=[]), files)
