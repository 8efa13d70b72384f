"""Reading and writing the files of others: whole or not at all, links kept, the first state kept as a backup."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from fourfold.interfaces.agents.edit import Refused

MAX_BYTES = 20_000_000
"""A configuration file beyond this is none (Claude Code's own grows to some megabytes)."""


def real_place(path: Path, inside: Path | None) -> Path:
    """Where a file really is, links resolved; with `inside` it must stay in that folder. Raises Refused.

    A repository may hold a link that leads anywhere: what it names is not for us to write.
    """
    real = Path(os.path.realpath(path))
    if inside is not None and not real.is_relative_to(os.path.realpath(inside)):
        raise Refused(f"it is a link that leaves the project, to {real}")
    return real


def read(path: Path) -> str | None:
    """The text of a file with its line ends as they are, or None where there is none. Raises Refused."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise Refused("it is no regular file")
        if status.st_size > MAX_BYTES:
            raise Refused(f"it is larger than {MAX_BYTES // 1_000_000} MB")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise Refused("it is not UTF-8 text") from None
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror or error}") from None


def check_writable(path: Path) -> None:
    """Raise Refused where a file is marked as read-only, or its folder is."""
    if path.exists():
        if not path.stat().st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):
            raise Refused("it is read-only")
        return
    folder = next(parent for parent in path.parents if parent.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise Refused(f"the folder {folder} cannot be written")


def write(path: Path, text: str) -> None:
    """Replace or make a file in one step; its permissions stay. Raises Refused."""
    check_writable(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
        handle, name = tempfile.mkstemp(prefix=".fourfold-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode if mode is not None else 0o644)
            Path(name).replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise Refused(f"it cannot be written: {error.strerror or error}") from None


def remove(path: Path) -> None:
    """Delete a file that we made. Raises Refused."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"it cannot be removed: {error.strerror or error}") from None
