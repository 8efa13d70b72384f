"""The one walker: every file of a root with its stat, and every path left out with its reason.

An unchanged tree is walked at little more than the cost of listing and stat: paths that the last walk found
are taken as kept by rule without asking the rules again. Whether that was right is known at the end, when all
ignore files have been read: where the fingerprint differs from the last one, the walk is done once more in
full.
"""

from __future__ import annotations

import os
from collections.abc import Container
from operator import attrgetter
from pathlib import Path
from stat import S_ISREG

from fourfold.source.entry import look_at, skip
from fourfold.source.footprint import Footprint
from fourfold.source.found import (
    ABSENT,
    BAD_NAME,
    DIRECTORY,
    LINK_TO_DIRECTORY,
    UNREADABLE,
    Found,
    Skip,
    WalkOptions,
    WalkResult,
)
from fourfold.source.scope import NOTED, Drop, Judge, Scope

__all__ = ["Found", "Skip", "WalkOptions", "WalkResult", "eligible", "walk", "walk_again"]

_NONE_KNOWN: frozenset[str] = frozenset()


def walk(
    root: Path,
    options: WalkOptions | None = None,
    known: Container[str] | None = None,
    fingerprint: str = "",
    noting: bool = False,
) -> WalkResult:
    """List the files below `root`.

    `known` are paths that an earlier walk *found* (indexed files, as keys of any mapping), `fingerprint` is
    that walk's: both together make the walk faster and never change its result. Nothing is raised for what
    lies in the tree: what cannot be read is reported as skipped. Links to folders are not followed, so there
    are no loops. `noting` leaves a footprint, which costs a tenth more.
    """
    options = options or WalkOptions()
    real = os.path.realpath(root)
    judge = Judge(real, options)
    if known is not None and fingerprint.partition("-")[0] == judge.basis:
        result = _Walker(judge, known, noting).run()
        if result.fingerprint == fingerprint:
            return result
        judge = Judge(real, options)
    return _Walker(judge, _NONE_KNOWN, noting).run()


def walk_again(
    root: Path, options: WalkOptions, before: WalkResult, young_ns: int
) -> tuple[WalkResult, list[Found]] | None:
    """What a walk would see that differs from `before`, which left a footprint: `found` are the files whose content may
    differ; nothing else does. Also those of the others that were changed at `young_ns` or later. None where only a walk
    can tell."""
    if before.footprint is None:
        return None
    judge = Judge(os.path.realpath(root), options)
    judge.top(_Names(judge.root, ""))
    seen = before.footprint.seen(judge, options.max_file_bytes, young_ns)
    if seen is None:
        return None
    warnings, fingerprint = list(before.warnings), before.fingerprint
    return WalkResult(seen.edited, warnings=warnings, fingerprint=fingerprint, footprint=seen.footprint), seen.young


class _Walker:
    """One pass over the tree."""

    def __init__(self, judge: Judge, known: Container[str], noting: bool) -> None:
        self._judge = judge
        self._footprint = Footprint() if noting else None
        self._root = judge.root
        self._top = os.path.join(judge.root, "")  # noqa: PTH118
        self._options = judge.options
        self._known = known
        self._result = WalkResult()
        self._folders: list[tuple[str, Scope]] = []

    def run(self) -> WalkResult:
        result = self._result
        entries = self._list("")
        if entries is not None:
            top = self._judge.top(entries)
            if self._footprint is not None:
                self._footprint.begin(self._judge)
            self._take("", top, entries)
        while self._folders:
            prefix, scope = self._folders.pop()
            entries = self._list(prefix)
            if entries is None:
                continue
            if not entries.keys().isdisjoint(NOTED):
                entered = self._judge.enter(prefix, scope, entries)
                if isinstance(entered, Skip):
                    result.skipped.append(entered)
                    continue
                scope = entered
            self._take(prefix, scope, entries)
        result.found.sort(key=attrgetter("path"))
        result.skipped.sort(key=attrgetter("path"))
        result.warnings = self._judge.warnings
        result.fingerprint = self._judge.fingerprint
        if self._footprint is not None:
            self._footprint.rules(self._judge.reads)
            result.footprint = self._footprint
        return result

    def _list(self, prefix: str) -> dict[str, os.DirEntry[str]] | None:
        """The entries of a folder by name, or None (reported) where it cannot be listed."""
        if self._footprint is not None:
            self._footprint.folder(self._top + prefix)
        try:
            with os.scandir(self._top + prefix) as entries:
                return {entry.name: entry for entry in entries}
        except OSError as error:
            self._result.skipped.append(
                Skip(_printable(prefix[:-1]) or ".", UNREADABLE, error.strerror or "cannot be listed")
            )
            return None

    def _take(self, prefix: str, scope: Scope, entries: dict[str, os.DirEntry[str]]) -> None:
        """Judge every entry of one folder."""
        known, found, cap = self._known, self._result.found, self._options.max_file_bytes
        footprint = self._footprint
        for name, entry in entries.items():
            path = prefix + name
            if path in known:
                # Kept by rule and by name last time: the fingerprint vouches for both. Its stat may differ.
                status = _stat(entry)
                if status is not None and S_ISREG(status.st_mode) and status.st_size <= cap:
                    if footprint is not None:
                        footprint.found(path, status)
                    found.append(Found(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))
                    continue
            if entry.is_dir(follow_symlinks=False):
                self._take_folder(scope, name, path)
            else:
                self._take_file(scope, name, path, entry)

    def _take_folder(self, scope: Scope, name: str, path: str) -> None:
        inside = self._judge.folder(scope, name, path)
        if isinstance(inside, Scope):
            self._folders.append((path + "/", inside))
        else:
            self._result.ignored_dirs += 1

    def _take_file(self, scope: Scope, name: str, path: str, entry: os.DirEntry[str]) -> None:
        result = self._result
        if path not in self._known and self._judge.file(scope, name, path) is not None:
            result.ignored_files += 1
            return
        status = _stat(entry)
        printable = path if path.isascii() else _printable(path)
        if status is None:
            result.skipped.append(Skip(printable, UNREADABLE, "it cannot be looked at"))
        elif printable != path:
            result.skipped.append(skip(printable, BAD_NAME, "its name is not valid Unicode", status))
        else:
            looked = look_at(self._root, path, name, status, self._options)
            if isinstance(looked, Found):
                result.found.append(looked)
            else:
                result.skipped.append(looked)
        if self._footprint is not None:
            self._note(path, status, bool(result.found) and result.found[-1].path == path)

    def _note(self, path: str, status: os.stat_result | None, is_found: bool) -> None:
        """Leave the footprint of a file or link that no rule drops."""
        assert self._footprint is not None
        if status is None:
            self._footprint.is_sure = False
        elif is_found and S_ISREG(status.st_mode):
            self._footprint.found(path, status)
        else:
            self._footprint.other(path, status)


def _stat(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None


def eligible(root: Path, path: str, options: WalkOptions | None = None) -> Skip | None:
    """Why a walk does not find `path` (root-relative, POSIX), or None where it does.

    The same judgment as the walk's, along the folders that lead to the path. A folder is never eligible
    itself: its reason is ``directory`` where the walk enters it.
    """
    judge = Judge(os.path.realpath(root), options or WalkOptions())
    scope = judge.top(_Names(judge.root, ""))
    parts = path.split("/")
    for depth, name in enumerate(parts, 1):
        here = "/".join(parts[:depth])
        try:
            status = os.lstat(os.path.join(judge.root, here))  # noqa: PTH118
        except (OSError, ValueError):
            return Skip(path, ABSENT, f"there is no {_printable(here)}")
        is_last = depth == len(parts)
        if _is_folder(status):
            inside = _step(judge, scope, name, here)
            if isinstance(inside, Skip):
                return Skip(path, inside.reason, inside.detail)
            scope = inside
            if is_last:
                return skip(path, DIRECTORY, "a folder is not indexed itself, what lies in it is", status)
            continue
        drop = judge.file(scope, name, here)
        if drop is not None:
            return skip(path, drop.reason, drop.detail, status)
        looked = look_at(judge.root, here, name, status, judge.options)
        if is_last:
            if _printable(path) != path:
                return skip(_printable(path), BAD_NAME, "its name is not valid Unicode", status)
            return looked if isinstance(looked, Skip) else None
        if isinstance(looked, Skip) and looked.reason == LINK_TO_DIRECTORY:
            return Skip(path, looked.reason, f"{here} is a link to a folder")
        break
    return Skip(path, ABSENT, "there is no such file")


def _step(judge: Judge, scope: Scope, name: str, path: str) -> Scope | Skip:
    """Into a folder, as the walk does it."""
    inside = judge.folder(scope, name, path)
    if isinstance(inside, Drop):
        return Skip(path, inside.reason, inside.detail)
    return judge.enter(path + "/", inside, _Names(judge.root, path))


class _Names:
    """The names in a folder, asked for one at a time."""

    def __init__(self, root: str, path: str) -> None:
        self._folder = os.path.join(root, path)  # noqa: PTH118

    def __contains__(self, name: object) -> bool:
        return os.path.lexists(os.path.join(self._folder, str(name)))  # noqa: PTH118


def _is_folder(status: os.stat_result) -> bool:
    return (status.st_mode & 0o170000) == 0o040000


def _printable(path: str) -> str:
    """The path with bytes that are no Unicode written as escapes; unchanged where there are none."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
