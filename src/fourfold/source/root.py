"""The root: finding it, refusing the ones that are too wide, and keeping every path inside it."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

from fourfold.model.errors import PathOutsideRoot, RootRefused, UsageError
from fourfold.source.words import words

_WIDE_PLACES: frozenset[str] = words(
    """
    / /bin /boot /dev /etc /home /lib /lib64 /media /mnt /opt /proc /root /run /sbin /srv /sys /tmp /usr
    /usr/bin /usr/include /usr/lib /usr/lib64 /usr/libexec /usr/local /usr/local/bin /usr/local/lib
    /usr/sbin /usr/share /usr/src /var /var/lib /var/log /var/tmp /Applications /Library /System /Users
    /Volumes /private /private/tmp /private/var /opt/homebrew /nix /nix/store /snap
    """
)
_WIDE_TREES: tuple[str, ...] = ("/dev/", "/proc/", "/sys/", "/Applications/", "/System/", "/Library/")
"""Places of the system or of everybody: nothing below the trees is a project of the person's own."""

_WIDE_WINDOWS = frozenset({"windows", "program files", "program files (x86)", "programdata", "users"})
_DEVICES = frozenset({"con", "prn", "aux", "nul", "conin$", "conout$"}) | {
    f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789¹²³"
}
"""Names that Windows gives to devices in every folder, with any extension."""


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` that holds ``.git`` (folder or file), else `start` itself, links
    resolved.

    A repository that spans a home directory or a file system (dotfiles) does not count for what lies below
    it.
    """
    here = Path(os.path.realpath(start))
    if here.is_file():
        here = here.parent
    for folder in (here, *here.parents):
        if os.path.lexists(folder / ".git"):
            return folder if folder == here or not _why_wide(folder) else here
    return here


def check_root(root: Path, allow_wide: bool = False) -> Path:
    """The root, links resolved, where it may be indexed.

    Raises :class:`UsageError` where it is no folder, :class:`RootRefused` where it is a home directory, a
    file-system root or a place of the system, unless `allow_wide`.
    """
    real = Path(os.path.realpath(root))
    if not real.is_dir():
        what = "not a folder" if real.exists() else "no such folder"
        raise UsageError(f"{root}: {what}", hint="name the folder of a project")
    if not allow_wide and _is_bare(real):
        raise RootRefused(
            f"{real} is a bare git repository: what it holds are commits, no files to read",
            hint=f"go to a checkout, or have it read at a branch: fourfold service add NAME {real} --ref BRANCH",
        )
    why = "" if allow_wide else _why_wide(real)
    if why:
        raise RootRefused(
            f"{real} is {why} and was not indexed",
            hint="go to a project's folder, or name it with --root; `fourfold index --wide` indexes it all the same",
        )
    return real


def _is_bare(real: Path) -> bool:
    """True for the folder of a git repository without a work tree (or the ``.git`` of one)."""
    return (real / "HEAD").is_file() and (real / "objects").is_dir() and (real / "refs").is_dir()


def _why_wide(real: Path) -> str:
    """Why this resolved folder is too wide, or ""."""
    if real == Path(real.anchor):
        return "the root of a file system"
    home = _home()
    if home is not None and real == home:
        return "a home directory"
    if home is not None and home.is_relative_to(real):
        return "above a home directory"
    posix = real.as_posix()
    if posix in _WIDE_PLACES or posix.startswith(_WIDE_TREES):
        return "a place of the system"
    if isinstance(real, PureWindowsPath):
        first = real.parts[1].lower()
        if first in _WIDE_WINDOWS and (first != "users" or len(real.parts) <= 3):
            return "a place of the system"
    return ""


def _home() -> Path | None:
    try:
        return Path(os.path.realpath(Path.home()))
    except RuntimeError:
        return None


def relative_path(root: Path, user_path: str | Path, cwd: Path | None = None) -> str:
    """`user_path` as a POSIX path relative to `root` ("." for the root itself).

    It is taken from `cwd` (the root where that is None) unless absolute. Links among its folders are
    resolved, as the walk never goes through one; a link at its end is kept as written, and must point into
    the root. The path need not exist. Raises :class:`PathOutsideRoot` for whatever leaves the root and for
    names that are no files.
    """
    text = os.fspath(user_path)
    _refuse_strange(text)
    base = Path(os.path.realpath(root))
    start = Path(os.path.realpath(cwd)) if cwd is not None else base
    text = _native(text, start)
    path = start / text
    # A trailing ".." or "." names a folder and has no last part to keep.
    last = path.name if os.path.basename(text.rstrip("/")) not in ("", ".", "..") else ""  # noqa: PTH119
    folder = Path(os.path.realpath(path.parent if last else path))
    full = folder / last if last else folder
    if not (full.is_relative_to(base) and Path(os.path.realpath(full)).is_relative_to(base)):
        raise _outside(text)
    inside = full.relative_to(base)
    if os.name == "nt" or sys.platform == "darwin":
        inside = _as_listed(base, inside)
    if any(_is_device(part) for part in inside.parts) and (os.name == "nt" or not os.path.lexists(full)):
        raise _outside(text, "names a device")
    return inside.as_posix()


def plain_path(path: str) -> str:
    """A path in a tree that is on no disk, as the tree spells it ("." for its top). Raises :class:`PathOutsideRoot`."""
    _refuse_strange(path)
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part == ".." and not parts:
            raise _outside(path)
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if path.startswith("/"):
        raise _outside(path)
    return "/".join(parts) or "."


def _refuse_strange(text: str) -> None:
    if "\0" in text:
        raise _outside(text.replace("\0", "\\0"), "holds a NUL character")
    if text.startswith(("\\\\", "//?/", "//./")):
        raise _outside(text, "names a device or a network share")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        readable = text.encode("utf-8", "backslashreplace").decode()
        raise _outside(readable, "holds half of a character, which no file name does") from None


def _native(text: str, start: Path) -> str:
    """A Windows path written on another system: backslashes become slashes, a drive is refused."""
    if os.name == "nt":
        return text
    if PureWindowsPath(text).drive and not os.path.lexists(start / text):
        raise _outside(text)
    if "\\" in text and not os.path.lexists(start / text):
        return text.replace("\\", "/")
    return text


def _as_listed(base: Path, inside: Path) -> Path:
    """The spelling of the folders' own listings, where the file system takes any case."""
    out = base
    for part in inside.parts:
        try:
            names = [entry.name for entry in os.scandir(out)]
        except OSError:
            names = []
        same = [name for name in names if name.casefold() == part.casefold()]
        out /= part if part in names or not same else same[0]
    return out.relative_to(base)


def _is_device(name: str) -> bool:
    return PurePosixPath(name.lower()).name.partition(".")[0].rstrip() in _DEVICES


def _outside(text: str, why: str = "leaves the root") -> PathOutsideRoot:
    return PathOutsideRoot(f"the path {text} {why}", hint="give a path inside the project, relative to its root")
