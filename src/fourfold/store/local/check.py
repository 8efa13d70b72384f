"""Looking for faults in a local index: what the doctor reports and tests ask after a crash."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

from fourfold.model.errors import IndexDamaged
from fourfold.store.local.database import Database
from fourfold.store.local.snapshot import LocalSnapshot

_ORPHANS = {
    "chunks": "SELECT count(*) FROM chunks WHERE file NOT IN (SELECT id FROM files)",
    "symbols": "SELECT count(*) FROM symbols WHERE file NOT IN (SELECT id FROM files)",
    "facts": "SELECT count(*) FROM facts WHERE file NOT IN (SELECT id FROM files)",
    "texts": "SELECT count(*) FROM texts WHERE id NOT IN (SELECT text FROM files WHERE text IS NOT NULL)",
}


Tell = Callable[[int, int], None]
"""What is told of the progress: (steps done, steps in all)."""


def faults(database: Database, snapshot: LocalSnapshot, tell: Tell = lambda done, total: None) -> Iterator[str]:
    """What is wrong, one clause each; nothing where the index is whole. Reads everything (0.2 s for 500,000
    lines).

    Raises IndexDamaged where the database is too broken to be asked.
    """
    total = len(snapshot.segments) + len(_ORPHANS) + 3
    for done, view in enumerate(snapshot.segments):
        tell(done, total)
        try:
            view.segment.verify()
        except IndexDamaged as error:
            yield error.message
    with database.reading() as connection:
        looks = (
            _broken_pages(connection),
            *(_orphans(connection, table) for table in _ORPHANS),
            _lost_texts(connection),
            _disagreements(connection, snapshot),
        )
        for done, look in enumerate(looks, len(snapshot.segments)):
            tell(done, total)
            yield from look


def _broken_pages(connection: sqlite3.Connection) -> Iterator[str]:
    for (found,) in connection.execute("PRAGMA quick_check(5)").fetchall():
        if found != "ok":
            yield f"the database: {found}"


def _orphans(connection: sqlite3.Connection, table: str) -> Iterator[str]:
    found = connection.execute(_ORPHANS[table]).fetchone()[0]
    if found:
        yield f"{found} {table} belong to no file" if found > 1 else f"one of the {table} belongs to no file"


def _lost_texts(connection: sqlite3.Connection) -> Iterator[str]:
    missing = connection.execute(
        "SELECT count(*) FROM files WHERE text IS NOT NULL AND text NOT IN (SELECT id FROM texts)"
    ).fetchone()[0]
    if missing:
        yield f"{missing} files have lost their text" if missing > 1 else "a file has lost its text"


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
    if alone := len(rows.keys() ^ segments.keys()):
        known = "files are" if alone > 1 else "file is"
        yield f"{alone} {known} known to the rows or to the segments alone"
    wrong = sum(not rows[number] == segments[number] == stored.get(number, 0) for number in rows.keys() & segments)
    if wrong:
        have = "files have" if wrong > 1 else "file has"
        yield f"{wrong} {have} other chunks in the rows than in the segments"
