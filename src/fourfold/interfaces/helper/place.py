"""Where client and helper meet, and how each knows that the other runs the same code for the same user."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from stat import S_ISDIR

import fourfold

LONGEST_PATH = 100
"""Bytes of a socket's path; systems allow 104 to 108 with the final zero. Where the cache lies deeper there is no
helper."""


def folder(environ: Mapping[str, str]) -> str:
    """The folder of socket and lock, ``helper`` in the cache folder.

    That is the one which the environment names, else the platform's (as :mod:`platformdirs` says, without the 10 ms to
    load it); a `cache_dir` of the user's file moves the indexes, not the meeting place.
    """
    named = environ.get("FOURFOLD_CACHE_DIR", "")
    if named:
        cache = os.path.abspath(os.path.expanduser(named))  # noqa: PTH100, PTH111 (no pathlib: 4 ms)
    elif sys.platform == "darwin":
        cache = os.path.expanduser("~/Library/Caches/fourfold")  # noqa: PTH111
    else:
        base = environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache")  # noqa: PTH111
        cache = f"{base}/fourfold"
    return f"{cache}/helper"


def is_private(path: str) -> bool:
    """True for a folder, no link, of this user, that nobody else may enter."""
    try:
        state = os.lstat(path)
    except OSError:
        return False
    return S_ISDIR(state.st_mode) and state.st_uid == os.geteuid() and not state.st_mode & 0o077


def socket(folder: str) -> str:
    """Where the helper of this installation listens."""
    return f"{folder}/socket-{_mark()}"


def lock(folder: str) -> str:
    """The file that it holds locked as long as it lives."""
    return f"{folder}/lock-{_mark()}"


def started(folder: str) -> str:
    """The file whose time is that of the last attempt to start it."""
    return f"{folder}/started-{_mark()}"


def _mark() -> str:
    """Eight hexadecimal digits of an installation. Two of them that share a cache folder have a helper each: neither
    drives the other's out, command by command."""
    number = int.from_bytes("\0".join(_installation()).encode("utf-8", "surrogateescape"), "big")
    return f"{number % _PRIME:08x}"


_PRIME = 2**31 - 1


def identity() -> bytes:
    """Equal where two processes would give the same answer: the installation and its version, which an upgrade changes
    under a helper that runs."""
    return "\0".join((fourfold.__version__, *_installation())).encode("utf-8", "surrogateescape")


def _installation() -> tuple[str, ...]:
    """Place of the code, Python, encoding of names, and the view of the file system (containers may share a cache
    folder)."""
    try:
        view = os.readlink("/proc/self/ns/mnt")  # noqa: PTH115
    except OSError:
        view = ""
    root = os.stat("/")  # noqa: PTH116
    return (
        os.path.dirname(os.path.abspath(fourfold.__file__)),  # noqa: PTH100, PTH120
        sys.prefix,
        f"{sys.hexversion:x}",
        sys.getfilesystemencoding(),
        view,
        f"{root.st_dev}:{root.st_ino}",
    )
