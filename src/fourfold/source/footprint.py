"""What a walk looked at: enough to tell by stat alone that a walk now would see the same.

A walk lists every folder and judges every name. Where each folder's own times are what they were before it was listed,
its names are those that were judged; where the times and size of each file are the same too, and the rules that come
from outside the tree, so is everything that a walk tells. That is asked in less than half the time of a walk, and only
by a process that walked before.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourfold.source.scope import Judge

RACY_NS = 2_000_000_000
"""A folder changed this shortly before it was listed may change again within the same time stamp (the coarsest file
systems count in two seconds): then nothing can be told."""

_Stamp = tuple[int, int, int]


class Footprint:
    """One walk's. Filled by the walker; :attr:`is_sure` is False where it can vouch for nothing."""

    def __init__(self) -> None:
        self.is_sure = True
        self._began = time.time_ns()
        self._root = ""
        self._rules: Sequence[tuple[str, bytes]] = ()
        self._basis = ""
        self._folders: list[tuple[str, int]] = []
        self._files: list[tuple[str, int, int, int]] = []
        self._targets: list[tuple[str, _Stamp | None]] = []

    def begin(self, judge: Judge) -> None:
        """The judge knows the rules that hold at the root, and has not met any below it."""
        self._root = os.path.join(judge.root, "")  # noqa: PTH118
        self._basis, self._rules = judge.basis, judge.reads

    def folder(self, path: str) -> None:
        """A folder that is to be listed now; `path` is absolute."""
        try:
            state = os.lstat(path)
        except OSError:
            self.is_sure = False
            return
        if max(state.st_mtime_ns, state.st_ctime_ns) >= self._began - RACY_NS:
            self.is_sure = False
        self._folders.append((path, state.st_ctime_ns))

    def file(self, path: str, state: os.stat_result) -> None:
        """A file or link of a listed folder, relative to the root, and its own stat."""
        self._files.append((self._root + path, state.st_ctime_ns, state.st_mtime_ns, state.st_size))

    def link(self, path: str) -> None:
        """That it is a link: what it leads to counts."""
        self._targets.append((self._root + path, _stamp(self._root + path)))

    def rules(self, reads: Sequence[tuple[str, bytes]]) -> None:
        """All rules that were read, those of folders below the root after those that :meth:`begin` knows."""
        for path, _ in reads[len(self._rules) :]:
            if path.endswith("/.git/index"):  # a repository in the repository: its index lies elsewhere
                self.is_sure = False
            else:
                self._targets.append((self._root + path, _stamp(self._root + path)))

    def holds(self, judge: Judge) -> bool:
        """True where a walk would see now what this one saw; `judge` is a fresh one of the same root and options that
        has looked at the root."""
        if not self.is_sure or judge.basis != self._basis or judge.reads != self._rules:
            return False
        look = os.lstat
        try:
            for path, ctime in self._folders:
                if look(path).st_ctime_ns != ctime:
                    return False
            for path, ctime, mtime, size in self._files:
                state = look(path)
                if state.st_ctime_ns != ctime or state.st_mtime_ns != mtime or state.st_size != size:
                    return False
        except OSError:
            return False
        return all(_stamp(path) == stamp for path, stamp in self._targets)


def _stamp(path: str) -> _Stamp | None:
    try:
        state = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return state.st_ctime_ns, state.st_mtime_ns, state.st_size
