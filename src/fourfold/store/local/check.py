"""Looking for faults in a local index: what the doctor reports and tests ask after a crash."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from fourfold.model.errors import IndexDamaged
from fourfold.store.local.database import Database
from fourfold.store.local.snapshot import LocalSnapshot

_ORPHANS = {
    "chunks": "SELECT count(*) FROM chunks WHERE file NOT IN (SELECT id FROM files)",
    "symbols": "SELECT count(*) FROM symbols WHERE file NOT IN (SELECT id FROM files)",
    "facts": "SELECT count(*) FROM facts WHERE file NOT IN (SELECT id FROM files)",
    "texts": "SELECT count(*) FROM texts WHERE id NOT IN (SELECT text FROM files WHERE text IS NOT NULL)",
}


def faults(database: Database, snapshot: LocalSnapshot) -> Iterator[str]:
    """What is wrong, one clause each; nothing where the index is whole. Reads everything (0.2 s for 500,000
    lines).

    Raises IndexDamaged where the database is too broken to be asked.
    """
    for view in snapshot.segments:
        try:
            view.segment.verify()
        except IndexDamaged as error:
            yield error.message
    with database.reading() as connection:
        yield from _database_faults(connection)
        yield from _disagreements(connection, snapshot)


def _database_faults(connection: sqlite3.Connection) -> Iterator[str]:
    for (found,) in connection.execute("PRAGMA quick_check(5)").fetchall():
        if found != "ok":
            yield f"the database: {found}"
    for table, count in _ORPHANS.items():
        found = connection.execute(count).fetchone()[0]
        if found:
            yield f"{found} {table} belong to no file"
    missing = connection.execute(
        "SELECT count(*) FROM files WHERE text IS NOT NULL AND text NOT IN (SELECT id FROM texts)"
    ).fetchone()[0]
    if missing:
        yield f"{missing} files have lost their text"


def _disagreements(connection: sqlite3.Connection, snapshot: LocalSnapshot) -> Iterator[str]:
    """Where the segments and the rows of the snapshot's generation speak of different files or chunks."""
    rows = dict(
        connection.execute(
            "SELECT id, chunks FROM files WHERE text IS NOT NULL AND born <= ?1 AND died > ?1", (snapshot.generation,)
        )
    )
    stored = dict(connection.execute("SELECT file, count(*) FROM chunks GROUP BY file"))
    segments = {
        number: chunks
        for view in snapshot.segments
        for number, dead, chunks in zip(
            view.file_ids.tolist(), view.dead_files.tolist(), view.chunks_per_file.tolist(), strict=True
        )
        if not dead
    }
    if rows.keys() != segments.keys():
        yield f"{len(rows.keys() ^ segments.keys())} files are known to the rows or to the segments alone"
    wrong = sum(not rows[number] == segments[number] == stored.get(number, 0) for number in rows.keys() & segments)
    if wrong:
        yield f"{wrong} files have other chunks in the rows than in the segments"
