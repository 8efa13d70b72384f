"""What a walk looked at: enough to tell by stat alone that a walk now would see the same.

A walk lists every folder and judges every name. Where each folder's own times are what they were before it was listed,
its names are those that were judged; where the times and size of each file are the same too, and the rules that come
from outside the tree, so is everything that a walk tells. That is asked in less than half the time of a walk.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from stat import S_ISLNK, S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from fourfold.model.record import record
from fourfold.source.found import Found

if TYPE_CHECKING:
    from fourfold.source.scope import Judge

RACY_NS = 2_000_000_000
"""A folder changed this shortly before it was listed may change again within the same time stamp (the coarsest file
systems count in two seconds): then nothing can be told."""

_Stamp = tuple[int, int, int]


@record(frozen=False, slots=True)
class Stats:
    """Files by absolute path, with their times of change and of modification (ns) and their sizes: columns of one
    length, since a tuple for each file costs more to make than the file to look at."""

    paths: list[str] = field(default_factory=list)
    ctimes: list[int] = field(default_factory=list)
    mtimes: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def add(self, path: str, state: os.stat_result) -> None:
        """One more file."""
        self.paths.append(path)
        self.ctimes.append(state.st_ctime_ns)
        self.mtimes.append(state.st_mtime_ns)
        self.sizes.append(state.st_size)

    def rows(self) -> Iterator[tuple[str, int, int, int]]:
        """(path, time of change, time of modification, size) of each file."""
        return zip(self.paths, self.ctimes, self.mtimes, self.sizes, strict=True)

    def changed(self, states: Mapping[int, os.stat_result]) -> Stats:
        """The same files, some in another state by their number."""
        other = Stats(self.paths, self.ctimes[:], self.mtimes[:], self.sizes[:])
        for number, state in states.items():
            other.ctimes[number], other.mtimes[number] = state.st_ctime_ns, state.st_mtime_ns
            other.sizes[number] = state.st_size
        return other


@record(frozen=False, slots=True)
class Traces:
    """What a footprint consists of. `root` ends with a slash; `basis` and `rules` are the judge's at the root. Folders
    come with their times of change, `targets` are files that count by their times wherever they are named."""

    root: str = ""
    basis: str = ""
    rules: Sequence[tuple[str, bytes]] = ()
    folders: list[str] = field(default_factory=list)
    folder_ctimes: list[int] = field(default_factory=list)
    found: Stats = field(default_factory=Stats)
    others: Stats = field(default_factory=Stats)
    targets: list[tuple[str, _Stamp | None]] = field(default_factory=list)


class Footprint:
    """One walk's. Filled by the walker; :attr:`is_sure` is False where it can vouch for nothing."""

    def __init__(self, traces: Traces | None = None) -> None:
        self.is_sure = True
        self.traces = traces if traces is not None else Traces()
        self._racy = time.time_ns() - RACY_NS

    def begin(self, judge: Judge) -> None:
        """The judge knows the rules that hold at the root, and has not met any below it."""
        self.traces.root = os.path.join(judge.root, "")  # noqa: PTH118
        self.traces.basis, self.traces.rules = judge.basis, judge.reads

    def folder(self, path: str) -> None:
        """A folder that is to be listed now; `path` is absolute."""
        try:
            state = os.lstat(path)
        except OSError:
            self.is_sure = False
            return
        if max(state.st_mtime_ns, state.st_ctime_ns) >= self._racy:
            self.is_sure = False
        self.traces.folders.append(path)
        self.traces.folder_ctimes.append(state.st_ctime_ns)

    def found(self, path: str, state: os.stat_result) -> None:
        """A regular file that was found, relative to the root."""
        self.traces.found.add(self.traces.root + path, state)

    def other(self, path: str, state: os.stat_result) -> None:
        """A link, or a file that was left out but not by a rule, and its own stat."""
        path = self.traces.root + path
        self.traces.others.add(path, state)
        if S_ISLNK(state.st_mode):
            self._target(path)

    def rules(self, reads: Sequence[tuple[str, bytes]]) -> None:
        """All rules that were read, those of folders below the root after those that :meth:`begin` knows."""
        for path, _ in reads[len(self.traces.rules) :]:
            if path.endswith("/.git/index"):  # a repository in the repository: its index lies elsewhere
                self.is_sure = False
            else:
                self._target(self.traces.root + path)

    def _target(self, path: str) -> None:
        """A file that counts by its times, though its name leads to it by a link or its content is a rule."""
        stamp = _stamp(path)
        if stamp is not None and max(stamp[:2]) >= self._racy:
            self.is_sure = False
        self.traces.targets.append((path, stamp))

    def seen(self, judge: Judge, max_bytes: int, young_ns: int) -> Seen | None:
        """What a walk would see now, where that is everything as it was but for the content of files. None where only a
        walk can tell.

        `judge` is a fresh one of the same root and options that has looked at the root.
        """
        if not self.is_sure or judge.basis != self.traces.basis or judge.reads != self.traces.rules:
            return None
        look, start = os.lstat, len(self.traces.root)
        edited: list[Found] = []
        young: list[Found] = []
        changes: dict[int, os.stat_result] = {}
        try:
            for path, ctime in zip(self.traces.folders, self.traces.folder_ctimes, strict=True):
                if look(path).st_ctime_ns != ctime:
                    return None
            for number, (path, ctime, mtime, size) in enumerate(self.traces.found.rows()):
                state = look(path)
                if state.st_ctime_ns != ctime or state.st_mtime_ns != mtime or state.st_size != size:
                    if not S_ISREG(state.st_mode) or state.st_size > max_bytes:
                        return None
                    changes[number] = state
                    edited.append(_found(path[start:], state))
                elif mtime >= young_ns:
                    young.append(_found(path[start:], state))
            for path, ctime, mtime, size in self.traces.others.rows():
                state = look(path)
                if state.st_ctime_ns != ctime or state.st_mtime_ns != mtime or state.st_size != size:
                    return None
        except OSError:
            return None
        if any(_stamp(path) != stamp for path, stamp in self.traces.targets):
            return None
        return Seen(self._with(changes) if changes else self, edited, young)

    def _with(self, changes: Mapping[int, os.stat_result]) -> Footprint:
        return Footprint(replace(self.traces, found=self.traces.found.changed(changes)))


class Seen(NamedTuple):
    """A tree looked at again: the footprint of what it is now, the files whose times or size differ, and those that are
    as they were but were changed at or after a given time."""

    footprint: Footprint
    edited: list[Found]
    young: list[Found]


def _found(path: str, state: os.stat_result) -> Found:
    return Found(path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)


def _stamp(path: str) -> _Stamp | None:
    try:
        state = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return state.st_ctime_ns, state.st_mtime_ns, state.st_size
