"""One generation of the local store, as a reader sees it.

Taking a snapshot reads the generation, the meta values and the segment list in one short transaction and maps
the segment files; nothing stays open in the database. Later row reads run in a transaction of their own and
pick the rows of this generation by their ``born``/``died`` interval, however many generations were published
since. Versions that ended are kept for :data:`fourfold.store.local.sweep.GRACE_S`; a snapshot that outlives a
sweep of rows it could see raises :class:`SnapshotExpired` instead of answering with less. The one thing that
is not versioned is what `touch` writes: stat values are always the newest.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate
from sqlite3 import Connection
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import IndexDamaged
from fourfold.model.symbol import Symbol
from fourfold.store.contract import INDEXED, LAST_LINE, ChunkRow, FileRecord, Named, Span, StoreInfo, SymbolRow
from fourfold.store.local import cells as columns
from fourfold.store.local import trigrams
from fourfold.store.local.condemned import Condemned
from fourfold.store.local.database import Database
from fourfold.store.local.derived import Derived
from fourfold.store.local.errors import damaged
from fourfold.store.local.packing import pack_name, pack_path, unpack_path, unpack_text
from fourfold.store.local.rows import RECORD_CELLS
from fourfold.store.local.sweep import bytes_below
from fourfold.store.local.view import SegmentView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_VISIBLE = "born <= :generation AND died > :generation"
_BEGINS = f"f.path = :path AND s.start_line BETWEEN :first AND :last AND {_VISIBLE} ORDER BY s.ordinal"
_ROWS_AT_ONCE = 400
_TEXTS_AT_ONCE = 100
"""Texts read in one transaction: a few hundred kilobytes compressed."""
_FACTS_AT_ONCE = 500
"""Files whose facts are read in one transaction: a megabyte or two."""


class LocalSnapshot:
    """One generation, immutable, safe to share between threads. Numbers of chunks and files run over all
    segments: the base of the segment plus the row. They are stable as long as :attr:`content` is."""

    def __init__(
        self,
        database: Database,
        *,
        incarnation: int,
        generation: int,
        content: int,
        meta: Mapping[str, str],
        segments: list[SegmentView],
        derived: Derived | None = None,
        condemned: Condemned | None = None,
    ) -> None:
        self._database = database
        self._incarnation = incarnation
        self._generation = generation
        self._content = content
        self._meta = MappingProxyType(dict(meta))
        self._derived = derived
        self._condemned = condemned
        self.segments = segments
        self.chunk_base = [0, *accumulate(view.chunks for view in segments)]
        self.file_base = [0, *accumulate(view.files for view in segments)]

    @property
    def generation(self) -> int:
        """The number of the published state."""
        return self._generation

    @property
    def content(self) -> int:
        """The generation that last changed rows or segments: chunk and file numbers and statistics depend on
        it."""
        return self._content

    @property
    def key(self) -> tuple[int, int]:
        """What a cache of anything read from this snapshot may be keyed by (besides the index's location)."""
        return (self._incarnation, self._generation)

    @property
    def content_key(self) -> tuple[int, int]:
        """What a cache of anything computed from rows and segments may be keyed by (besides the location)."""
        return (self._incarnation, self._content)

    @property
    def meta(self) -> Mapping[str, str]:
        """Meta values of this generation."""
        return self._meta

    @property
    def chunk_count(self) -> int:
        """Chunk numbers are below this (dead rows included)."""
        return self.chunk_base[-1]

    @property
    def file_count(self) -> int:
        """File numbers are below this (dead rows included)."""
        return self.file_base[-1]

    def info(self) -> StoreInfo:
        """Counts of live rows."""
        with self._reading() as rows:
            counted = rows.execute(
                "SELECT status = :indexed, count(*), sum(chunks), sum(symbols), sum(lines) FROM files "
                f"WHERE {_VISIBLE} GROUP BY 1",
                {"generation": self._generation, "indexed": INDEXED},
            ).fetchall()
        by_status = {bool(indexed): numbers for indexed, *numbers in counted}
        files, chunks, symbols, lines = by_status.get(True, (0, 0, 0, 0))
        return StoreInfo(
            generation=self._generation,
            files=files,
            skipped=by_status.get(False, (0,))[0],
            chunks=chunks,
            symbols=symbols,
            lines=lines,
            segments=len(self.segments),
            dead_chunks=self.chunk_count - chunks,
            bytes_on_disk=bytes_below(self._database.directory),
            location=str(self._database.directory),
            meta=self._meta,
        )

    def records(self) -> Mapping[str, FileRecord]:
        """All file records (indexed and skipped) by path; read once, with the stat values of that moment."""
        return self._records

    def record(self, path: str) -> FileRecord | None:
        """The record of one path, or None."""
        with self._reading() as rows:
            found = rows.execute(
                f"SELECT {RECORD_CELLS} FROM files WHERE path = :path AND {_VISIBLE}", self._now(path)
            ).fetchone()
        return columns.record_of(found) if found else None

    def tally(self) -> Mapping[str, int]:
        """How many files are left out for each reason; those that are indexed count under ""."""
        return self._tally

    def text(self, path: str) -> str | None:
        """The stored text of an indexed file, or None."""
        return next((text for _, text in self.texts([path])), None)

    def texts(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """(path, text) of those of `paths` that are indexed, in no particular order; cheaper than `text` for
        many."""
        wanted = [pack_path(path) for path in paths]
        for start in range(0, len(wanted), _TEXTS_AT_ONCE):
            part = wanted[start : start + _TEXTS_AT_ONCE]
            marks = ", ".join("?" * len(part))
            with self._reading() as rows:
                cursor = rows.execute(
                    f"SELECT path, body FROM files JOIN texts ON texts.id = text WHERE path IN ({marks}) "
                    "AND born <= ? AND died > ?",
                    [*part, self._generation, self._generation],
                )
                found = [(unpack_path(path), unpack_text(body)) for path, body in cursor]
            yield from found

    def chunk_rows(self, numbers: Sequence[int]) -> list[ChunkRow]:
        """Rows in the order asked for. Dead or unknown numbers raise KeyError."""
        places = [self._chunk_place(int(number)) for number in numbers]
        wanted = sorted(set(places))
        found: dict[tuple[int, int], tuple[Any, ...]] = {}
        with self._reading() as rows:
            for start in range(0, len(wanted), _ROWS_AT_ONCE):
                part = wanted[start : start + _ROWS_AT_ONCE]
                marks = ", ".join(["(?, ?)"] * len(part))
                cursor = rows.execute(
                    f"WITH wanted (file, ordinal) AS (VALUES {marks}) "
                    f"SELECT c.file, c.ordinal, {columns.CHUNK_CELLS} FROM wanted w "
                    "CROSS JOIN chunks c ON c.file = w.file AND c.ordinal = w.ordinal "
                    "CROSS JOIN files f ON f.id = c.file",
                    [value for place in part for value in place],
                )
                found.update(((file, ordinal), tuple(cells)) for file, ordinal, *cells in cursor)
            if len(found) < len(wanted):
                raise damaged(self._database.directory, f"{len(wanted) - len(found)} chunks have lost their rows")
        return [columns.chunk_row(int(n), *found[place]) for n, place in zip(numbers, places, strict=True)]

    def chunks_of(self, path: str) -> list[ChunkRow]:
        """Live chunks of a file in line order; empty where the file is not indexed."""
        with self._reading() as rows:
            found = rows.execute(
                f"SELECT f.id, {columns.CHUNK_CELLS} FROM files f JOIN chunks c ON c.file = f.id "
                f"WHERE f.path = :path AND {_VISIBLE} ORDER BY c.ordinal",
                self._now(path),
            ).fetchall()
        if not found:
            return []
        first = self._first_chunk(found[0][0])
        return [columns.chunk_row(first + ordinal, *cells) for ordinal, (_, *cells) in enumerate(found)]

    def symbols_named(self, name: str, *, ignore_case: bool = False, limit: int = 50) -> list[SymbolRow]:
        """Symbols whose bare or qualified name is `name`, by path and line."""
        name = pack_name(name)
        exact = "" if ignore_case else "AND (s.name = :name OR s.qualified = :name)"
        with self._reading() as rows:
            found = rows.execute(
                f"SELECT {columns.SYMBOL_CELLS} FROM symbols s JOIN files f ON f.id = s.file "
                f"WHERE (s.folded = :folded OR s.folded_qualified = :folded) {exact} AND {_VISIBLE} "
                "ORDER BY f.path, s.start_line, s.ordinal LIMIT :limit",
                {**self._now(), "name": name, "folded": name.casefold(), "limit": limit},
            ).fetchall()
        return [columns.symbol_row(cells, self._first_chunk(cells[columns.FILE_CELL])) for cells in found]

    def symbols_of(self, path: str, within: tuple[int, int] | None = None) -> list[SymbolRow]:
        """Symbols of a file in the order they were stored; those that begin `within` two lines, both included."""
        first, last = within or (0, LAST_LINE)
        with self._reading() as rows:
            found = rows.execute(
                f"SELECT {columns.SYMBOL_CELLS} FROM files f JOIN symbols s ON s.file = f.id WHERE {_BEGINS}",
                {**self._now(path), "first": first, "last": last},
            ).fetchall()
        base = self._first_chunk(found[0][columns.FILE_CELL]) if found else 0
        return [columns.symbol_row(cells, base) for cells in found]

    def names_within(self, spans: Sequence[Span]) -> list[list[Named]]:
        """For each span the symbols that begin in it, in the order they were stored: one read for all."""
        if not spans:
            return []
        asked = f"SELECT {columns.NAMED_CELLS} FROM files f JOIN symbols s ON s.file = f.id WHERE {_BEGINS}"
        named = [{**self._now(path), "first": first, "last": last} for path, first, last in spans]
        with self._reading() as rows:
            return [list(map(Named._make, rows.execute(asked, values))) for values in named]

    def symbol_names(self) -> list[str]:
        """Distinct bare names of live symbols, sorted."""
        with self._reading() as rows:
            found = rows.execute(
                f"SELECT DISTINCT s.name FROM symbols s JOIN files f ON f.id = s.file WHERE {_VISIBLE} ORDER BY 1",
                self._now(),
            ).fetchall()
        return [name for (name,) in found]

    def symbols(self) -> dict[str, list[Symbol]]:
        """The symbols of all live files by path, in stored order."""
        with self._reading() as rows:
            found = rows.execute(
                "SELECT f.path, s.name, s.qualified, s.kind, s.start_line, s.end_line, s.parent, s.signature "
                f"FROM files f JOIN symbols s ON s.file = f.id WHERE {_VISIBLE} ORDER BY s.file, s.ordinal",
                self._now(),
            ).fetchall()
        result: dict[str, list[Symbol]] = {}
        for path, *cells in found:
            result.setdefault(path, []).append(Symbol(*cells))
        return {unpack_path(path): symbols for path, symbols in result.items()}

    def facts(self) -> Iterator[tuple[str, bytes]]:
        """(path, facts) of every live indexed file in path order (that of the stored bytes); ``b""`` for none.

        Reads a few hundred files at a time; raises SnapshotExpired where the generation goes meanwhile.
        """
        after = ""
        while True:
            with self._reading() as rows:
                found = rows.execute(
                    "SELECT path, body FROM files LEFT JOIN facts ON facts.file = files.id "
                    f"WHERE path > :after AND text IS NOT NULL AND {_VISIBLE} ORDER BY path LIMIT :limit",
                    {**self._now(), "after": after, "limit": _FACTS_AT_ONCE},
                ).fetchall()
            for path, body in found:
                yield unpack_path(path), body or b""
            if len(found) < _FACTS_AT_ONCE:
                return
            after = found[-1][0]

    def facts_of(self, path: str) -> bytes:
        """The facts of an indexed file, ``b""`` where it has none or the path is not indexed."""
        with self._reading() as rows:
            found = rows.execute(
                f"SELECT body FROM files JOIN facts ON facts.file = files.id WHERE path = :path AND {_VISIBLE}",
                self._now(path),
            ).fetchone()
        return found[0] if found else b""

    def paths_with_trigrams(self, required: Sequence[Sequence[str]]) -> list[str] | None:
        """Live paths, sorted, whose text may hold, for at least one inner list, every literal of it; None:
        look at every file. Literals shorter than three characters narrow nothing."""
        expression = trigrams.expression(required)
        if expression is None:
            return None
        with self._reading() as rows:
            found = rows.execute(
                "SELECT path FROM files "
                "WHERE text IN (SELECT rowid FROM trigrams WHERE trigrams MATCH :expression) "
                f"AND {_VISIBLE} ORDER BY path",
                {**self._now(), "expression": expression},
            ).fetchall()
        return [unpack_path(path) for (path,) in found]

    def file_paths(self) -> list[str]:
        """Path of each file number, "" where the file is dead."""
        return self._files[0]

    def file_languages(self) -> list[str]:
        """Language of each file number, "" where the file is dead."""
        return self._files[1]

    def statistic(self, name: str) -> NDArray[np.float32] | None:
        """The array that :meth:`Writer.finish` stored for this content, None where there is none (yet)."""
        with self._reading() as rows:
            found = rows.execute(
                "SELECT shape, data FROM statistics WHERE content = ? AND name = ?", (self._content, name)
            ).fetchone()
        if found is None:
            return None
        import numpy as np

        return np.frombuffer(found[1], "<f4").reshape([int(size) for size in found[0].split()])

    def derived(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        """The arrays that :meth:`put_derived` kept as `name` for this content, None where there are none (whole)."""
        return self._derived.read(name, self._incarnation, self._content) if self._derived is not None else None

    def derived_bytes(self, name: str) -> bytes | None:
        """The array ``bytes`` of what is kept as `name` for this content, None where there is none. Needs no numpy."""
        return self._derived.read_bytes(name, self._incarnation, self._content) if self._derived is not None else None

    def put_derived(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep arrays computed from this content, in place of those of older contents. Needs no write lock; where the
        folder cannot be written nothing is kept. Raises ValueError for a bad name."""
        if self._derived is not None:
            self._derived.write(name, self._incarnation, self._content, arrays)

    @cached_property
    def _tally(self) -> Mapping[str, int]:
        """Asked for by each refresh, of which most find nothing new."""
        with self._reading() as rows:
            found = rows.execute(
                "SELECT CASE status WHEN :indexed THEN '' ELSE reason END, count(*) FROM files "
                f"WHERE {_VISIBLE} GROUP BY 1",
                {**self._now(), "indexed": INDEXED},
            ).fetchall()
        return MappingProxyType(dict(found))

    @cached_property
    def _records(self) -> Mapping[str, FileRecord]:
        with self._reading() as rows:
            found = rows.execute(f"SELECT {RECORD_CELLS} FROM files WHERE {_VISIBLE}", self._now()).fetchall()
        return MappingProxyType({record.path: record for record in map(columns.record_of, found)})

    @cached_property
    def _files(self) -> tuple[list[str], list[str]]:
        """Paths and languages by file number."""
        with self._reading() as rows:
            found = rows.execute(
                f"SELECT id, path, language FROM files WHERE text IS NOT NULL AND {_VISIBLE}", self._now()
            ).fetchall()
        known = {number: (unpack_path(path), language) for number, path, language in found}
        nothing = ("", "")
        ids = [number for view in self.segments for number in view.file_ids.tolist()]
        pairs = [known.get(number, nothing) for number in ids]
        return [path for path, _ in pairs], [language for _, language in pairs]

    def _chunk_place(self, number: int) -> tuple[int, int]:
        """(file version, ordinal within the file) of a live chunk. Raises KeyError."""
        if not 0 <= number < self.chunk_count:
            raise KeyError(number)
        at = bisect_right(self.chunk_base, number) - 1
        view, row = self.segments[at], number - self.chunk_base[at]
        file = int(view.array("chunk.file")[row])
        if view.dead_files[file]:
            raise KeyError(number)
        return int(view.file_ids[file]), row - int(view.first_chunks[file])

    def _first_chunk(self, file_id: int) -> int:
        """The number of the first chunk of a live file version."""
        for base, view in zip(self.chunk_base, self.segments, strict=False):
            found = (view.file_ids == file_id).nonzero()[0]
            if len(found):
                return base + int(view.first_chunks[found[0]])
        raise KeyError(file_id)

    def _now(self, path: str | None = None) -> dict[str, Any]:
        named: dict[str, Any] = {"generation": self._generation}
        return named if path is None else {**named, "path": pack_path(path)}

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._database.reading_generation(self._incarnation, self._generation) as connection:
                yield connection
        except IndexDamaged as error:
            if self._condemned is not None:
                self._condemned.note(self._incarnation, error.message)
            raise
