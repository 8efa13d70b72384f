"""Where the files of an index come from: a folder on disk, or anything else that lists and reads files alike."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fourfold.model.record import record
from fourfold.source.git import dirty_count, head
from fourfold.source.walk import Found, Skip, WalkOptions, WalkResult, eligible, walk, walk_again

if TYPE_CHECKING:
    from fourfold.source.git import GitState
    from fourfold.source.read import SourceText

WORKING_TREE = "working tree"


class Tree(Protocol):
    """A tree of files. ``str(tree)`` names it for people; it can be sent to another process."""

    @property
    def origin(self) -> str:
        """What a text read from it is: "working tree", or the ref and commit."""
        ...

    def walk(self, options: WalkOptions, known: Container[str] | None = None, fingerprint: str = "") -> WalkResult:
        """Its files and what is left out of them; see :func:`fourfold.source.walk.walk`."""
        ...

    def fingerprint(self, options: WalkOptions) -> str:
        """What a walk's fingerprint would be where that alone tells that no file has changed; "" where it does not."""
        ...

    def read(self, found: Found, options: WalkOptions) -> SourceText | Skip:
        """The text of a file, or why there is none. Raises nothing."""
        ...

    def look(self, path: str) -> Found:
        """The file at a path, to be read. Raises OSError where there is none."""
        ...

    def has(self, path: str) -> bool:
        """True while a file that was indexed is still there."""
        ...

    def head(self) -> GitState | None:
        """Commit and branch, None where there is no repository."""
        ...

    def dirty(self) -> int:
        """How many files differ from the commit."""
        ...

    def why_not(self, path: str, options: WalkOptions) -> Skip | None:
        """Why a walk does not find a path, None where it does."""
        ...

    def close(self) -> None:
        """Let go of what reading holds open; it may be read again."""
        ...


@record(frozen=True, slots=True)
class DiskTree:
    """The files below a folder as they are now."""

    root: Path

    def __str__(self) -> str:
        return str(self.root)

    @property
    def origin(self) -> str:
        """The working tree."""
        return WORKING_TREE

    def walk(self, options: WalkOptions, known: Container[str] | None = None, fingerprint: str = "") -> WalkResult:
        """Walk the folder."""
        return walk(self.root, options, known=known, fingerprint=fingerprint)

    def walk_noting(self, options: WalkOptions, known: Container[str] | None, fingerprint: str) -> WalkResult:
        """Walk the folder and leave a footprint; see :mod:`fourfold.source.footprint`."""
        return walk(self.root, options, known=known, fingerprint=fingerprint, noting=True)

    def walk_again(
        self, options: WalkOptions, before: WalkResult, young_ns: int
    ) -> tuple[WalkResult, list[Found]] | None:
        """What differs from a walk that left a footprint; see :func:`fourfold.source.walk.walk_again`."""
        return walk_again(self.root, options, before, young_ns)

    def fingerprint(self, options: WalkOptions) -> str:
        """Nothing: only its stat tells that a file has not changed."""
        return ""

    def read(self, found: Found, options: WalkOptions) -> SourceText | Skip:
        """Read a file from disk."""
        from fourfold.source.read import read_file

        return read_file(self.root, found, options)

    def look(self, path: str) -> Found:
        """The stat of a file, of its target where it is a link."""
        state = os.stat(self.root / path)  # noqa: PTH116 (one call, the link's target)
        return Found(path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)

    def has(self, path: str) -> bool:
        """True for a file."""
        return os.path.isfile(f"{self.root}/{path}")  # noqa: PTH113 (a path object costs more than the look)

    def head(self) -> GitState | None:
        """What is checked out."""
        return head(self.root)

    def dirty(self) -> int:
        """Files that git calls changed or untracked."""
        return dirty_count(self.root) if head(self.root) is not None else 0

    def why_not(self, path: str, options: WalkOptions) -> Skip | None:
        """The judgment of the walk."""
        return eligible(self.root, path, options)

    def close(self) -> None:
        """Nothing is open."""


def as_tree(tree: Path | Tree) -> Tree:
    """A folder as the tree of its files; a tree as it is."""
    return DiskTree(tree) if isinstance(tree, Path) else tree
