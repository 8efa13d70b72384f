"""Mending what the doctor finds, as far as it can be mended: the index is made anew, never the project touched."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.index.doctor import OTHERS, history
from fourfold.index.freshness import unfinished
from fourfold.model.errors import IndexDamaged
from fourfold.model.report import RefreshReport

if TYPE_CHECKING:
    from fourfold.store.local.store import LocalStore

OWNER_ONLY = 0o700


def repair(store: LocalStore, refresh: Callable[[], RefreshReport]) -> list[str]:
    """Mend the index of a store; returns what was done, a clause each. `refresh` makes it equal to the tree.

    An index that is damaged, of an older format or not finished is made anew or brought to its end; a damaged history
    is deleted, since the next question reads it again; what others may enter is closed to them. Raises NewerFormat and
    LockHeld, neither of which is a fault, and what a refresh raises.
    """
    done = _close(store.directory)
    if _history_is_damaged(store.directory):
        done.append("the history was deleted; the next question about it reads it again")
    why = _what_is_wrong(store)
    if not why:
        return done
    try:
        report = refresh()
    except IndexDamaged:
        store.clear()
        report = refresh()
    done.append(f"{report.files:,} {'file is' if report.files == 1 else 'files are'} indexed again, since {why}")
    return done


def _close(directory: Path) -> list[str]:
    """Keep others out of the folder of the index."""
    if os.name != "posix" or not directory.is_dir() or not directory.stat().st_mode & OTHERS:
        return []
    directory.chmod(OWNER_ONLY)
    return ["others may no longer enter the folder of the index"]


def _history_is_damaged(directory: Path) -> bool:
    """True where it was, and is deleted now."""
    from fourfold.index.history import FOLDER, clear

    if history(directory).ok:
        return False
    clear(directory / FOLDER)
    return True


def _what_is_wrong(store: LocalStore) -> str:
    """Why the index must be worked on, "" where it need not; a damage that only the whole check sees is noted, so that
    the next refresh makes the index anew."""
    if not store.exists:
        return ""
    if why := store.needs_rebuild:
        return why
    faults = store.faults()
    if faults:
        store.condemn(f"the index is damaged: {faults[0]}")
        return faults[0]
    return unfinished(store.snapshot())
