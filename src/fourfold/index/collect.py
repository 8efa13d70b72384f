"""Removing indexes that nobody needs: their folder is gone, and nobody has asked them for a month."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.config.places import ROOT_FILE, cache_dir, orphans, size_of
from fourfold.model.errors import FourfoldError
from fourfold.store.local.store import LocalStore

if TYPE_CHECKING:
    from fourfold.config.settings import Settings

_DAY_S = 86_400.0

UNUSED_S = 30 * _DAY_S
"""An index whose folder is gone is kept this long after its last use: the folder may lie on a disk that is away."""

STAMP_FILE = "collected"
"""In the cache folder: its time says when they were last looked through. Done once a day."""


def note_use(directory: Path) -> None:
    """Remember that the index in `directory` is used now, to the day. Does nothing where it cannot be written."""
    path = directory / ROOT_FILE
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > _DAY_S:
            os.utime(path)


def collect(settings: Settings, current: Path) -> tuple[str, ...]:
    """Once a day, remove indexes of folders that no longer exist and that were not used for :data:`UNUSED_S`.

    Never the one in `current`, never one that another process writes. Returns one sentence, or nothing where nothing
    was removed.
    """
    stamp = cache_dir(settings) / STAMP_FILE
    now = time.time()
    try:
        if stamp.exists() and 0 <= now - stamp.stat().st_mtime < _DAY_S:
            return ()
        stamp.touch()
    except OSError:  # a cache that cannot be written is not tidied up
        return ()
    unused = [folder for folder in orphans(settings) if folder != current and now - _last_use(folder) > UNUSED_S]
    freed = [size for folder in unused if (size := remove_index(folder)) is not None]
    if not freed:
        return ()
    what = (
        "1 index of a folder that no longer exists"
        if len(freed) == 1
        else (f"{len(freed):,} indexes of folders that no longer exist")
    )
    return (f"removed {what}, unused for {UNUSED_S / _DAY_S:.0f} days ({sum(freed) / 1e6:,.1f} MB)",)


def remove_index(folder: Path) -> int | None:
    """Remove an index folder with all that is in it, under its write lock; returns the bytes freed.

    None where it is being written or cannot be removed.
    """
    size = size_of(folder)
    store = LocalStore(folder)
    try:
        store.clear()
        shutil.rmtree(folder)
    except FileNotFoundError:
        return size
    except (FourfoldError, OSError):
        return None
    finally:
        store.close()
    return size


def _last_use(folder: Path) -> float:
    """When the index was last used or written (seconds since the epoch), as far as its files tell."""
    times = [0.0]
    with contextlib.suppress(OSError):
        times += [path.stat().st_mtime for path in folder.iterdir() if path.is_file()]
    return max(times)
