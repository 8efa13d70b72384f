"""One generation of a service, as a reader sees it.

Opening one costs one request (the manifest). The file records and the columns are fetched when first asked for and
cached here; single rows (texts, chunks, symbols, literals) are asked of the server, which answers for this generation
alone: points carry the generations between which they are valid. What ended is kept for
:data:`fourfold.store.local.sweep.GRACE_S`; a snapshot that outlives it raises :class:`SnapshotExpired`.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fourfold.model.symbol import Symbol
from fourfold.store.contract import INDEXED, ChunkRow, FileRecord, Named, Span, StoreInfo, SymbolRow
from fourfold.store.local.errors import SnapshotExpired
from fourfold.store.local.packing import unpack_path
from fourfold.store.local.sweep import GRACE_S, bytes_below
from fourfold.store.local.view import SegmentView
from fourfold.store.qdrant import encode, grams, rows
from fourfold.store.qdrant.columns import FILE_IDS
from fourfold.store.qdrant.legs import Legs
from fourfold.store.qdrant.place import Place
from fourfold.store.qdrant.shared import Shared
from fourfold.store.qdrant.table import FileRow, Table, load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.store.qdrant.manifest import Manifest

_CHECK_AFTER_S = GRACE_S / 2
"""A snapshot this old asks whether its generation is still kept before it reads on."""


class QdrantSnapshot:
    """One generation, immutable, safe to share between threads. Chunk and file numbers run over all segments, as those
    of the local store do. `current` reads the newest manifest; `known` is a table to start from."""

    def __init__(
        self,
        place: Place,
        manifest: Manifest,
        *,
        current: Callable[[], Manifest | None],
        known: Table | None = None,
    ) -> None:
        self._place = place
        self._manifest = manifest
        self._current = current
        self._known = known
        self._checked = time.monotonic()
        self._rows = rows.Rows(place.gateway, place.service, manifest)
        self._shared = Shared(place, manifest)

    def renew(self, manifest: Manifest) -> None:
        """Take a manifest of the same generation that says more (statistics were stored, old versions swept)."""
        self._manifest = manifest
        self._shared = Shared(self._place, manifest)

    @property
    def generation(self) -> int:
        """The number of the published state."""
        return self._manifest.generation

    @property
    def content(self) -> int:
        """The generation that last changed rows or segments."""
        return self._manifest.content

    @property
    def manifest(self) -> Manifest:
        """What is published."""
        return self._manifest

    @property
    def key(self) -> tuple[int, int]:
        """What a cache of anything read from this snapshot may be keyed by (besides the service)."""
        return self._manifest.key

    @property
    def content_key(self) -> tuple[int, int]:
        """What a cache of anything computed from rows and segments may be keyed by (besides the service)."""
        return (self._manifest.incarnation, self._manifest.content)

    @property
    def meta(self) -> Mapping[str, str]:
        """Meta values of this generation."""
        return MappingProxyType(dict(self._manifest.meta))

    @cached_property
    def legs(self) -> Legs:
        """What the server itself can look for."""
        return Legs(self._place, self._manifest, self.first_chunks, self.file_numbers)

    @cached_property
    def table(self) -> Table:
        """The files of this generation."""
        if not self._manifest.generation:
            return Table(self._manifest.key)
        self._check_kept()
        place = self._place
        return load(place.gateway, place.service, self._manifest, place.directory, self._known)

    @cached_property
    def segments(self) -> list[SegmentView]:
        """The columns, with the tombstones of this generation."""
        import numpy as np

        live = np.fromiter((row.number for row in self.table.indexed()), np.int64)
        views = []
        for entry in self._manifest.segments:
            segment = self._place.columns.segment(entry)
            ids = segment.array(FILE_IDS)
            dead = ~np.isin(ids, live)
            views.append(SegmentView(segment, entry.chunks, entry.files, ids.tobytes(), dead.tobytes()))
        return views

    @cached_property
    def chunk_base(self) -> list[int]:
        """The first chunk number of each segment, and one past the last of all."""
        return [0, *accumulate(entry.chunks for entry in self._manifest.segments)]

    @cached_property
    def file_base(self) -> list[int]:
        """The first file number of each segment, and one past the last of all."""
        return [0, *accumulate(entry.files for entry in self._manifest.segments)]

    @property
    def chunk_count(self) -> int:
        """Chunk numbers are below this (dead rows included)."""
        return self.chunk_base[-1]

    @property
    def file_count(self) -> int:
        """File numbers are below this (dead rows included)."""
        return self.file_base[-1]

    def info(self) -> StoreInfo:
        """Counts of live rows. `bytes_on_disk` is what is cached here, not what the server keeps."""
        indexed = list(self.table.indexed())
        chunks = sum(row.record.chunks for row in indexed)
        return StoreInfo(
            generation=self.generation,
            files=len(indexed),
            skipped=len(self.table.rows) - len(indexed),
            chunks=chunks,
            symbols=sum(row.symbols for row in indexed),
            lines=sum(row.record.lines for row in indexed),
            segments=len(self._manifest.segments),
            dead_chunks=self.chunk_count - chunks,
            bytes_on_disk=bytes_below(self._place.directory),
            location=self._place.words,
            meta=self.meta,
        )

    def records(self) -> Mapping[str, FileRecord]:
        """All file records (indexed and skipped) by path."""
        return self._records

    def record(self, path: str) -> FileRecord | None:
        """The record of one path, or None."""
        return self._records.get(path)

    def tally(self) -> Mapping[str, int]:
        """How many files are left out for each reason; those that are indexed count under ""."""
        return Counter("" if record.status == INDEXED else record.reason for record in self._records.values())

    def text(self, path: str) -> str | None:
        """The stored text of an indexed file, or None."""
        return next((text for _, text in self.texts([path])), None)

    def texts(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """(path, text) of those of `paths` that are indexed, in no particular order."""
        wanted = {row.number: path for path in paths if (row := self._indexed(path)) is not None}
        numbers = list(wanted)
        for start in range(0, len(numbers), rows.TEXTS_AT_ONCE):
            part = numbers[start : start + rows.TEXTS_AT_ONCE]
            for number, found in self._files(part, "text").items():
                yield wanted[number], encode.unpacked_text(str(found.payload["text"]))

    def chunk_rows(self, numbers: Sequence[int]) -> list[ChunkRow]:
        """Rows in the order asked for. Dead or unknown numbers raise KeyError."""
        places = [self._chunk_place(int(number)) for number in numbers]
        if not places:
            return []
        self._check_kept()
        found = self._rows.chunks(sorted(set(places)))
        if len(found) < len(set(places)):
            raise self._gone("a chunk")
        return [_chunk_row(int(n), found[place].payload) for n, place in zip(numbers, places, strict=True)]

    def chunks_of(self, path: str) -> list[ChunkRow]:
        """Live chunks of a file in line order; empty where the file is not indexed."""
        row = self._indexed(path)
        if row is None or not row.record.chunks:
            return []
        (found,) = self._files([row.number], "chunks").values()
        first = self._first_chunk(row.number)
        cells = encode.unpacked_json(str(found.payload["chunks"]))
        return [ChunkRow(first + at, path, row.record.language, *one) for at, one in enumerate(cells)]

    def symbols_named(self, name: str, *, ignore_case: bool = False, limit: int = 50) -> list[SymbolRow]:
        """Symbols whose bare or qualified name is `name`, by path and line."""
        self._check_kept()
        found = [
            (rows.path_key(path), symbol.start_line, at, SymbolRow(symbol, path, language, self._number(file, chunk)))
            for path, language, file, chunk, at, symbol in self._rows.defining(name, ignore_case=ignore_case)
        ]
        return [row for *_, row in sorted(found, key=lambda one: one[:3])[:limit]]

    def symbols_of(self, path: str, within: tuple[int, int] | None = None) -> list[SymbolRow]:
        """Symbols of a file in the order they were stored; those that begin `within` two lines, both included."""
        row = self._indexed(path)
        if row is None or not row.symbols:
            return []
        (found,) = self._files([row.number], "symbols", "chunks").values()
        starts = [cells[0] for cells in encode.unpacked_json(str(found.payload["chunks"]))]
        return [
            SymbolRow(one, path, row.record.language, self._number(row.number, _chunk_at(starts, one.start_line)))
            for one in rows.symbols_of(found)
            if within is None or within[0] <= one.start_line <= within[1]
        ]

    def names_within(self, spans: Sequence[Span]) -> list[list[Named]]:
        """For each span the symbols that begin in it, in the order they were stored."""
        return [[self._named(row) for row in self.symbols_of(path, (first, last))] for path, first, last in spans]

    def _named(self, row: SymbolRow) -> Named:
        one, chunk = row.symbol, row.chunk
        if chunk >= 0:
            chunk -= self._first_chunk(self.table.rows[row.path].number)
        names = (one.kind, one.qualified_name, one.parent, one.signature, one.name)
        return Named(one.start_line, one.end_line, *names, chunk)

    def symbol_names(self) -> list[str]:
        """Distinct bare names of live symbols, sorted."""
        return sorted({symbol.name for symbols in self.symbols().values() for symbol in symbols})

    def symbols(self) -> dict[str, list[Symbol]]:
        """The symbols of all live files by path, in stored order. Reads every file's symbols, once a snapshot."""
        return self._symbols

    def facts(self) -> Iterator[tuple[str, bytes]]:
        """(path, facts) of every live indexed file in path order; ``b""`` for none."""
        ordered = sorted(self.table.indexed(), key=lambda row: rows.path_key(row.record.path))
        for start in range(0, len(ordered), rows.TEXTS_AT_ONCE):
            part = ordered[start : start + rows.TEXTS_AT_ONCE]
            found = self._files([row.number for row in part], "facts")
            for row in part:
                yield row.record.path, encode.unpacked_bytes(str(found[row.number].payload["facts"]))

    def facts_of(self, path: str) -> bytes:
        """The facts of an indexed file, ``b""`` where it has none or the path is not indexed."""
        row = self._indexed(path)
        if row is None:
            return b""
        return encode.unpacked_bytes(str(self._files([row.number], "facts")[row.number].payload["facts"]))

    def paths_with_trigrams(self, required: Sequence[Sequence[str]]) -> list[str] | None:
        """Live paths, sorted, whose text may hold, for at least one inner list, every literal of it; None: look at
        every file. Literals shorter than three characters narrow nothing."""
        alternatives = grams.alternatives(required)
        if alternatives is None:
            return None
        self._check_kept()
        return sorted(self._rows.paths_holding(alternatives), key=rows.path_key)

    def file_paths(self) -> list[str]:
        """Path of each file number, "" where the file is dead."""
        return self._files_by_row[0]

    def file_languages(self) -> list[str]:
        """Language of each file number, "" where the file is dead."""
        return self._files_by_row[1]

    def statistic(self, name: str) -> NDArray[np.float32] | None:
        """The array that :meth:`Writer.finish` stored for this content, None where there is none (yet)."""
        return self._shared.statistics.get(name)

    def derived(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        """The arrays kept as `name` for this content, here or on the server; None where there are none."""
        return self._shared.derived(name)

    def put_derived(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep arrays computed from this content, here and, where this store may write, on the server."""
        self._shared.put_derived(name, arrays)

    @cached_property
    def first_chunks(self) -> dict[int, int]:
        """The number of the first chunk of each file version."""
        found: dict[int, int] = {}
        for base, view in zip(self.chunk_base, self.segments, strict=False):
            found.update(zip(view.file_ids.tolist(), (view.first_chunks[:-1] + base).tolist(), strict=True))
        return found

    @cached_property
    def file_numbers(self) -> dict[int, int]:
        """The snapshot-wide number of each file version."""
        ids = [number for view in self.segments for number in view.file_ids.tolist()]
        return {number: at for at, number in enumerate(ids)}

    @cached_property
    def _records(self) -> Mapping[str, FileRecord]:
        return MappingProxyType({path: row.record for path, row in self.table.rows.items()})

    @cached_property
    def _symbols(self) -> dict[str, list[Symbol]]:
        self._check_kept()
        found = {unpack_path(str(one.payload["path"])): rows.symbols_of(one) for one in self._rows.all_files("symbols")}
        return {path: symbols for path, symbols in found.items() if symbols}

    @cached_property
    def _files_by_row(self) -> tuple[list[str], list[str]]:
        known = {row.number: (row.record.path, row.record.language) for row in self.table.indexed()}
        nothing = ("", "")
        pairs = [known.get(number, nothing) for number in self.file_numbers]
        return [path for path, _ in pairs], [language for _, language in pairs]

    def _indexed(self, path: str) -> FileRow | None:
        row = self.table.rows.get(path)
        return row if row is not None and row.record.status == INDEXED else None

    def _files(self, numbers: Sequence[int], *keys: str) -> dict[int, Any]:
        self._check_kept()
        found = self._rows.files(numbers, *keys)
        if len(found) < len(numbers):
            raise self._gone("a file")
        return dict(found)

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

    def _first_chunk(self, file: int) -> int:
        return self.first_chunks[file]

    def _number(self, file: int, ordinal: int) -> int:
        return self.first_chunks[file] + ordinal if ordinal >= 0 else -1

    def _check_kept(self) -> None:
        if time.monotonic() - self._checked > _CHECK_AFTER_S:
            newest = self._current()
            if (
                newest is None
                or newest.incarnation != self._manifest.incarnation
                or newest.horizon > self._manifest.generation
            ):
                raise self._gone("a row")
            self._checked = time.monotonic()

    def _gone(self, what: str) -> SnapshotExpired:
        return SnapshotExpired(
            f"generation {self.generation} of the service {self._place.words} is no longer kept ({what} is gone)",
            hint="take a new snapshot",
        )


def _chunk_at(starts: list[int], line: int) -> int:
    return max(0, bisect_right(starts, line) - 1) if starts else -1


def _chunk_row(number: int, payload: Mapping[str, Any]) -> ChunkRow:
    import json

    return ChunkRow(number, unpack_path(str(payload["path"])), str(payload["language"]), *json.loads(payload["row"]))
