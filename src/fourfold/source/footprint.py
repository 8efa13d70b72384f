"""What a walk looked at: enough to tell by stat alone that a walk now would see the same.

A walk lists every folder and judges every name. Where each folder's own times are what they were before it was listed,
its names are those that were judged; where the times and size of each file are the same too, and the rules that come
from outside the tree, so is everything that a walk tells. That is asked in less than half the time of a walk, and only
by a process that walked before.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from copy import copy
from stat import S_ISLNK, S_ISREG
from typing import TYPE_CHECKING

from fourfold.source.found import Found

if TYPE_CHECKING:
    from fourfold.source.scope import Judge

RACY_NS = 2_000_000_000
"""A folder changed this shortly before it was listed may change again within the same time stamp (the coarsest file
systems count in two seconds): then nothing can be told."""

_Stamp = tuple[int, int, int]
_File = tuple[str, int, int, int]
"""Absolute path; times of change and of modification, ns; size."""


class Footprint:
    """One walk's. Filled by the walker; :attr:`is_sure` is False where it can vouch for nothing."""

    def __init__(self) -> None:
        self.is_sure = True
        self._began = time.time_ns()
        self._root = ""
        self._rules: Sequence[tuple[str, bytes]] = ()
        self._basis = ""
        self._folders: list[tuple[str, int]] = []
        self._found: list[_File] = []
        self._others: list[_File] = []
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

    def found(self, path: str, state: os.stat_result) -> None:
        """A regular file that was found, relative to the root."""
        self._found.append((self._root + path, state.st_ctime_ns, state.st_mtime_ns, state.st_size))

    def other(self, path: str, state: os.stat_result) -> None:
        """A link, or a file that was left out but not by a rule, and its own stat."""
        path = self._root + path
        self._others.append((path, state.st_ctime_ns, state.st_mtime_ns, state.st_size))
        if S_ISLNK(state.st_mode):
            self._targets.append((path, _stamp(path)))

    def rules(self, reads: Sequence[tuple[str, bytes]]) -> None:
        """All rules that were read, those of folders below the root after those that :meth:`begin` knows."""
        for path, _ in reads[len(self._rules) :]:
            if path.endswith("/.git/index"):  # a repository in the repository: its index lies elsewhere
                self.is_sure = False
            else:
                self._targets.append((self._root + path, _stamp(self._root + path)))

    def edited(self, judge: Judge, max_bytes: int) -> tuple[Footprint, list[Found]] | None:
        """What a walk would see now: the files whose content may differ, everything else as it was; and the footprint
        that it would leave. None where only a walk can tell.

        `judge` is a fresh one of the same root and options that has looked at the root.
        """
        if not self.is_sure or judge.basis != self._basis or judge.reads != self._rules:
            return None
        look, start = os.lstat, len(self._root)
        edited: list[Found] = []
        changes: dict[int, _File] = {}
        try:
            for path, ctime in self._folders:
                if look(path).st_ctime_ns != ctime:
                    return None
            for number, (path, ctime, mtime, size) in enumerate(self._found):
                state = look(path)
                if state.st_ctime_ns != ctime or state.st_mtime_ns != mtime or state.st_size != size:
                    if not S_ISREG(state.st_mode) or state.st_size > max_bytes:
                        return None
                    changes[number] = (path, state.st_ctime_ns, state.st_mtime_ns, state.st_size)
                    edited.append(
                        Found(path[start:], state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)
                    )
            for path, ctime, mtime, size in self._others:
                state = look(path)
                if state.st_ctime_ns != ctime or state.st_mtime_ns != mtime or state.st_size != size:
                    return None
        except OSError:
            return None
        if any(_stamp(path) != stamp for path, stamp in self._targets):
            return None
        return (self._with(changes) if changes else self), edited

    def _with(self, changes: Mapping[int, _File]) -> Footprint:
        other = copy(self)
        other._found = [changes.get(number, file) for number, file in enumerate(self._found)]
        return other


def _stamp(path: str) -> _Stamp | None:
    try:
        state = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return state.st_ctime_ns, state.st_mtime_ns, state.st_size
