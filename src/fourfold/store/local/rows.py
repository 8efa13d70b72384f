"""Writing the rows of a batch, inside the writer's transaction."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from fourfold.store.contract import Batch, FileRecord, IndexedFile
from fourfold.store.local import trigrams
from fourfold.store.local.packing import pack_inode, pack_name, pack_path, pack_text, unpack_path
from fourfold.store.local.tables import LIVE

_T = TypeVar("_T")

_IN_LIMIT = 500
"""Values in one IN list: below every SQLite build's limit on parameters."""

RECORD_CELLS = (
    "path, size, mtime_ns, ctime_ns, inode, status, reason, detail, language, encoding, content_hash, lines, "
    "chunks, note, doc"
)
"""The columns of ``files`` that make a FileRecord, in the order of its fields."""

_FILE_MARKS = "?, " * 18 + "?"


def insert_files(connection: sqlite3.Connection, batch: Batch, generation: int) -> list[int]:
    """Insert all rows of `batch` and return the numbers of its indexed files, in order."""
    first = _next_id(connection, "files")
    texts = _insert_texts(connection, batch.files)
    numbered = list(enumerate(batch.files, first))
    connection.executemany(
        f"INSERT INTO files (id, born, text, symbols, {RECORD_CELLS}) VALUES ({_FILE_MARKS})",
        _file_rows(numbered, texts, batch.skipped, generation),
    )
    connection.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _chunk_rows(numbered))
    connection.executemany("INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", _symbol_rows(numbered))
    connection.executemany(
        "INSERT INTO facts VALUES (?, ?)", ((number, file.facts) for number, file in numbered if file.facts)
    )
    return [number for number, _ in numbered]


def live_paths(connection: sqlite3.Connection, paths: Iterable[str]) -> list[str]:
    """Those of `paths` that have a live version."""
    known: list[str] = []
    for part in _parts([pack_path(path) for path in paths]):
        marks = ", ".join("?" * len(part))
        found = connection.execute(f"SELECT path FROM files WHERE path IN ({marks}) AND died = {LIVE}", part)
        known.extend(unpack_path(path) for (path,) in found)
    return known


def retire_all(connection: sqlite3.Connection, generation: int) -> None:
    """End every live version with `generation`."""
    connection.execute(f"UPDATE files SET died = ? WHERE died = {LIVE}", (generation,))


def retire(connection: sqlite3.Connection, paths: Iterable[str], generation: int) -> list[int]:
    """End the live versions of `paths` with `generation`; returns the numbers of the versions ended."""
    cells = [pack_path(path) for path in paths]
    ended: list[int] = []
    for part in _parts(cells):
        marks = ", ".join("?" * len(part))
        found = connection.execute(f"SELECT id FROM files WHERE path IN ({marks}) AND died = {LIVE}", part)
        ended.extend(number for (number,) in found)
    connection.executemany("UPDATE files SET died = ? WHERE id = ?", ((generation, number) for number in ended))
    return ended


def update_stat(connection: sqlite3.Connection, records: Iterable[FileRecord]) -> int:
    """New stat values for live files; returns how many rows changed."""
    cursor = connection.executemany(
        f"UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, encoding = ? "
        f"WHERE path = ? AND died = {LIVE}",
        ((r.size, r.mtime_ns, r.ctime_ns, pack_inode(r.inode), r.encoding, pack_path(r.path)) for r in records),
    )
    return cursor.rowcount


def _next_id(connection: sqlite3.Connection, table: str) -> int:
    """The next number of an AUTOINCREMENT table: numbers are never used twice."""
    found = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return int(found[0]) + 1 if found else 1


def _insert_texts(connection: sqlite3.Connection, files: Sequence[IndexedFile]) -> list[int]:
    """The text number of each file; a text that is stored already is neither stored nor indexed again."""
    packed = [pack_text(file.text) for file in files]
    known: dict[bytes, int] = {}
    for part in _parts([digest for digest, _ in packed]):
        marks = ", ".join("?" * len(part))
        known.update(connection.execute(f"SELECT hash, id FROM texts WHERE hash IN ({marks})", part))
    following = _next_id(connection, "texts")
    new: list[tuple[int, bytes, bytes]] = []
    new_texts: list[tuple[int, str]] = []
    numbers = []
    for file, (digest, body) in zip(files, packed, strict=True):
        number = known.get(digest)
        if number is None:
            number = known[digest] = following
            following += 1
            new.append((number, digest, body))
            new_texts.append((number, file.text))
        numbers.append(number)
    connection.executemany("INSERT INTO texts VALUES (?, ?, ?)", new)
    trigrams.insert(connection, new_texts)
    return numbers


def _file_rows(
    numbered: list[tuple[int, IndexedFile]], texts: list[int], skipped: list[FileRecord], generation: int
) -> Iterator[tuple[object, ...]]:
    for (number, file), text in zip(numbered, texts, strict=True):
        yield _file_row(file.record, generation, number, text, len(file.chunks), len(file.symbols))
    for record in skipped:
        yield _file_row(record, generation, None, None, 0, 0)


def _file_row(
    record: FileRecord, generation: int, number: int | None, text: int | None, chunks: int, symbols: int
) -> tuple[object, ...]:
    return (
        number,
        generation,
        text,
        symbols,
        pack_path(record.path),
        record.size,
        record.mtime_ns,
        record.ctime_ns,
        pack_inode(record.inode),
        record.status,
        record.reason,
        pack_name(record.detail),
        record.language,
        record.encoding,
        record.content_hash,
        record.lines,
        chunks,
        pack_name(record.note),
        pack_name(record.doc),
    )


def _chunk_rows(numbered: list[tuple[int, IndexedFile]]) -> Iterator[tuple[object, ...]]:
    for number, file in numbered:
        for ordinal, c in enumerate(file.chunks):
            names = pack_name(c.symbol), pack_name(c.parent), pack_name(c.signature)
            yield (number, ordinal, c.start_line, c.end_line, c.kind, *names)


def _symbol_rows(numbered: list[tuple[int, IndexedFile]]) -> Iterator[tuple[object, ...]]:
    for number, file in numbered:
        starts = [chunk.start_line for chunk in file.chunks]
        for ordinal, s in enumerate(file.symbols):
            name, qualified = pack_name(s.name), pack_name(s.qualified_name)
            folded_qualified = None if qualified == name else qualified.casefold()
            chunk = max(0, bisect_right(starts, s.start_line) - 1) if starts else -1
            names = name, name.casefold(), qualified, folded_qualified
            rest = s.kind, s.start_line, s.end_line, pack_name(s.parent), pack_name(s.signature)
            yield (number, ordinal, chunk, *names, *rest)


def _parts(values: list[_T]) -> Iterator[list[_T]]:
    for start in range(0, len(values), _IN_LIMIT):
        yield values[start : start + _IN_LIMIT]
