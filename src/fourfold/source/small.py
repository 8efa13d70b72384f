"""Reading a small file that a stranger may have prepared."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def open_regular(path: str) -> tuple[int, os.stat_result]:
    """A descriptor of a regular file and its stat. Never follows a link at the end of the path, never blocks
    on a pipe.

    Raises OSError, among others where it is no regular file. The caller closes it.
    """
    descriptor = os.open(path, _FLAGS)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is not a regular file")
    return descriptor, status


def read_upto(descriptor: int, limit: int) -> bytes:
    """At most `limit` bytes from an open descriptor."""
    parts: list[bytes] = []
    while limit > 0:
        part = os.read(descriptor, min(limit, 1 << 20))
        if not part:
            break
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def read_small(path: str | Path, limit: int = 1 << 20) -> bytes | None:
    """The first `limit` bytes of a regular file, or None where there is none or it cannot be read."""
    try:
        descriptor, _ = open_regular(os.fspath(path))
    except (OSError, ValueError):
        return None
    try:
        return read_upto(descriptor, limit)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def read_linked(path: str, limit: int = 1 << 20) -> bytes | None:
    """As :func:`read_small` of a file of the user's own, which may be a link (dotfiles managers make them)."""
    data = read_small(path, limit)
    return read_small(os.path.realpath(path), limit) if data is None and os.path.islink(path) else data  # noqa: PTH114
