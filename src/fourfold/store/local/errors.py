"""SQLite's errors in our words. A busy database is busy, never damaged."""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourfold.model.errors import BackendUnavailable, FourfoldError, IndexDamaged, IndexUnavailable, LockHeld
from fourfold.store.local.lock import disk_full

CLEAR_HINT = "`fourfold index` rebuilds it; where that fails, run `fourfold clear` first"

_PRIMARY = 0xFF
"""Extended result codes carry the primary code in their low byte."""


_FAILED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
_ROOM_BYTES = 1 << 16
"""SQLite's smallest side file has 32 kB: with less room than this it fails to open, and says no more than that."""


class OlderFormat(IndexUnavailable):
    """The index on disk was made by an older version of Fourfold: it must be wiped and built again."""


class SnapshotExpired(IndexUnavailable):
    """The generation this snapshot speaks for is no longer kept; take a new one with ``store.snapshot()``."""


def damaged(location: Path, what: str) -> IndexDamaged:
    """The error for a part of the index at `location` that is missing or broken; `what` is a clause."""
    return IndexDamaged(f"the index in {location} is damaged: {what}", hint=CLEAR_HINT)


def is_full(location: Path) -> bool:
    """True where the disk of a folder has no room for what SQLite needs to read."""
    try:
        return shutil.disk_usage(location).free < _ROOM_BYTES
    except OSError:
        return False


def explain(error: sqlite3.Error, location: Path) -> FourfoldError | None:
    """What `error` means for the index in `location`; None where it is a fault of the program."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    text = str(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LockHeld(f"the index in {location} is busy", hint="another process is writing it: try again")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(location, text)
    if code == sqlite3.SQLITE_FULL or (code in _FAILED and is_full(location)):
        return disk_full(location)
    if code in (*_FAILED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return IndexUnavailable(
            f"the index in {location} cannot be read or written: {text}",
            hint="check the folder's permissions",
        )
    if "no such table" in text or "no such column" in text or "Could not decode to UTF-8" in text:
        return damaged(location, text)
    if ("fts5" in text and "module" in text) or "tokenizer" in text:
        return BackendUnavailable(
            f"SQLite {sqlite3.sqlite_version} of this Python has no trigram index",
            hint="use a Python built with SQLite 3.34 or newer and FTS5",
        )
    return None


@contextmanager
def translated(location: Path) -> Iterator[None]:
    """Turn errors of SQLite, and of texts that do not unpack, into errors of :mod:`fourfold.model.errors`."""
    try:
        yield
    except sqlite3.Error as error:
        meaning = explain(error, location)
        if meaning is None:
            raise
        raise meaning from error
    except (zlib.error, UnicodeDecodeError) as error:
        raise damaged(location, "a stored text cannot be unpacked") from error
