"""Deleting what no generation in use can see: rows of ended file versions, unnamed segment files, old
generations."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from fourfold.store.local import tables, trigrams
from fourfold.store.local.database import Database, writing
from fourfold.store.local.tables import LIVE

GRACE_S = 600.0
"""Rows of an ended file version are kept this long, so that a query which began before its end reads on."""

CHECKPOINT_BYTES = 4_000_000
"""A write-ahead log that has grown beyond this (SQLite's own threshold) is emptied at the end of a
refresh."""

_CHECKPOINT_TIMEOUT_MS = 200


def segment_folder(directory: Path) -> Path:
    """Where the segment files of the index in `directory` are."""
    return directory / "segments"


def bytes_below(directory: Path) -> int:
    """Bytes of the files below `directory`; what vanishes meanwhile (a merge deletes segments) counts nothing."""
    total = 0
    for path in directory.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def sweep_rows(connection: sqlite3.Connection, now: float) -> int:
    """Delete versions that ended more than :data:`GRACE_S` before `now` (seconds since the epoch); returns
    how many.

    Readers see no new generation: the rows were invisible to every snapshot but expired ones. The trigram
    index is built again in the same transaction where too many of its rows are dead.
    """
    swept = 0
    with writing(connection):
        reached = connection.execute(
            "SELECT max(number) FROM generations WHERE published <= ?", (now - GRACE_S,)
        ).fetchone()[0]
        if reached is not None:
            swept = _delete_versions(connection, reached)
            connection.execute("DELETE FROM generations WHERE number < ?", (reached,))
        if trigrams.rebuild_due(connection):
            trigrams.rebuild(connection)
    return swept


def sweep_segments(connection: sqlite3.Connection, folder: Path) -> int:
    """Delete files of `folder` that no row names; returns how many. The caller holds the write lock.

    Nobody else writes segments while the lock is held, so an unnamed file was replaced by a merge or left by
    a killed writer. Readers that mapped it read on; one that has read its name and not yet mapped it asks for
    the newest generation again. The transaction that stopped naming it must have been durable.
    """
    if not folder.is_dir():
        return 0
    named = {name for (name,) in connection.execute("SELECT name FROM segments")}
    swept = 0
    for path in folder.iterdir():
        if path.name not in named:
            with contextlib.suppress(OSError):  # Windows does not delete a file that a reader has mapped: next time
                path.unlink()
                swept += 1
    return swept


def checkpoint(database: Database, connection: sqlite3.Connection) -> None:
    """Move a large write-ahead log into the database and empty it, as far as readers allow."""
    log = Path(f"{database.path}-wal")
    if not log.exists() or log.stat().st_size <= CHECKPOINT_BYTES:
        return
    timeout = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    connection.execute(f"PRAGMA busy_timeout={_CHECKPOINT_TIMEOUT_MS}")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # says so in its row, and raises nothing, where it is busy
    connection.execute(f"PRAGMA busy_timeout={timeout}")


def _delete_versions(connection: sqlite3.Connection, reached: int) -> int:
    """Delete file versions that ended at generation `reached` or before, and what hangs on them."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS swept (id INTEGER PRIMARY KEY, text INTEGER)")
    connection.execute("DELETE FROM swept")
    connection.execute(f"INSERT INTO swept SELECT id, text FROM files WHERE died < {LIVE} AND died <= ?", (reached,))
    count, newest = connection.execute(
        "SELECT count(*), max(f.died) FROM swept JOIN files f ON f.id = swept.id"
    ).fetchone()
    if not count:
        return 0
    for table in ("chunks", "symbols", "facts"):
        connection.execute(f"DELETE FROM {table} WHERE file IN (SELECT id FROM swept)")
    connection.execute("DELETE FROM files WHERE id IN (SELECT id FROM swept)")
    connection.execute(
        "DELETE FROM texts WHERE id IN (SELECT text FROM swept WHERE text IS NOT NULL) "
        "AND NOT EXISTS (SELECT 1 FROM files WHERE files.text = texts.id)"
    )
    connection.execute("UPDATE state SET value = ? WHERE key = ?", (newest, tables.HORIZON))
    return int(count)
