"""What a directory entry is and whether it can be read as text, from its stat and its name."""

from __future__ import annotations

import os
import stat

from fourfold.source import found as reasons
from fourfold.source.found import Found, Skip, WalkOptions
from fourfold.source.policy import VCS_DIRS, skip_by_name
from fourfold.source.secrets import is_secret_path


def look_at(root: str, path: str, name: str, status: os.stat_result, options: WalkOptions) -> Found | Skip:
    """The file at `path` (root-relative), whose own stat is `status`, as found or skipped. `root` is
    resolved.

    A link counts as the file that it leads to, under its own name, where that file lies inside the root.
    """
    mode = status.st_mode
    if not stat.S_ISREG(mode):
        if not stat.S_ISLNK(mode):
            return skip(path, reasons.SPECIAL, _kind(mode), status)
        followed = _follow(root, path, status)
        if isinstance(followed, Skip):
            return followed
        status = followed
    if is_secret_path(path):
        return skip(path, reasons.SECRET, f"{name} may hold keys or passwords", status)
    by_name = skip_by_name(name)
    if by_name is not None:
        return skip(path, by_name[0], by_name[1], status)
    if status.st_size > options.max_file_bytes:
        return too_large(path, options, status)
    return Found(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def skip(path: str, reason: str, detail: str, status: os.stat_result | None = None) -> Skip:
    """A skip with the stat values of `status`."""
    if status is None:
        return Skip(path, reason, detail)
    return Skip(path, reason, detail, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def too_large(path: str, options: WalkOptions, status: os.stat_result) -> Skip:
    """The skip of a file above the size cap."""
    detail = f"{status.st_size:,} bytes, the cap is {options.max_file_bytes:,}"
    return skip(path, reasons.TOO_LARGE, detail, status)


def link_target(root: str, path: str) -> str | None:
    """The resolved path of a link's target relative to `root`, or None where it lies outside."""
    real = os.path.realpath(os.path.join(root, path))  # noqa: PTH118
    if real == root:
        return "."
    top = root if root.endswith(os.sep) else root + os.sep
    return real[len(top) :].replace(os.sep, "/") if real.startswith(top) else None


def _follow(root: str, path: str, status: os.stat_result) -> os.stat_result | Skip:
    """The stat of what a link leads to, or why it is not followed."""
    try:
        target_status = os.stat(os.path.join(root, path))  # noqa: PTH116, PTH118
    except OSError:
        return skip(path, reasons.LINK_BROKEN, "it leads to nothing, or round in a circle", status)
    target = link_target(root, path)
    if target is None:
        return skip(path, reasons.LINK_OUTSIDE, "it leads out of the root", status)
    if stat.S_ISDIR(target_status.st_mode):
        return skip(path, reasons.LINK_TO_DIRECTORY, f"it leads to {target}", status)
    if not stat.S_ISREG(target_status.st_mode):
        return skip(path, reasons.SPECIAL, f"it leads to {_kind(target_status.st_mode)}", status)
    if is_secret_path(target) or not VCS_DIRS.isdisjoint(target.split("/")):
        return skip(path, reasons.LINK_OUTSIDE, f"it leads to {target}, which is never read", status)
    return target_status


def _kind(mode: int) -> str:
    for test, word in ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder")):
        if test(mode):
            return word
    return "a device"
