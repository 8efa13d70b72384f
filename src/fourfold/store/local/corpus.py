"""One generation of the local store as arrays: what the retrievers and the ranking compute with.

Rows are snapshot-wide numbers (segment base + row in the segment) and include dead ones; every function here answers
for live rows only. Everything is made on first use and kept as long as the snapshot.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.store.local.postings import B_CHUNK, InvertedIndex, Scores, WeighedPostings, score
from fourfold.store.local.schema import FILE_FIELDS
from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.qdrant.legs import Legs


class Corpus:
    """Arrays over all chunks, files and definitions of a snapshot."""

    def __init__(self, snapshot: LocalSnapshot) -> None:
        self._snapshot = snapshot
        self._segments = snapshot.segments
        self.chunks = sum(segment.chunks for segment in self._segments)
        self.files = sum(segment.files for segment in self._segments)
        self._chunk_indexes: dict[str, WeighedPostings] = {}
        self._columns: dict[str, NDArray[Any]] = {}

    @property
    def legs(self) -> Legs | None:
        """What the snapshot's own engine can look for; None where arrays are all there is (the local store)."""
        found: Legs | None = getattr(self._snapshot, "legs", None)
        return found

    def statistic(self, name: str) -> NDArray[np.float32] | None:
        """A statistic stored with this generation, or None."""
        return self._snapshot.statistic(name)

    def column(self, name: str) -> NDArray[Any]:
        """A column of the schema over all segments; a view of the mapped file where there is one segment."""
        found = self._columns.get(name)
        if found is None:
            arrays = [segment.array(name) for segment in self._segments]
            found = np.concatenate(arrays) if len(arrays) > 1 else arrays[0] if arrays else np.zeros(0, dtype=np.int32)
            self._columns[name] = found
        return found

    @cached_property
    def chunk_file(self) -> NDArray[np.int64]:
        """Snapshot-wide file number of each chunk, ascending."""
        parts = [
            segment.array("chunk.file").astype(np.int64) + base
            for segment, base in zip(self._segments, self._snapshot.file_base[:-1], strict=True)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    @cached_property
    def live_chunks(self) -> NDArray[np.bool_]:
        """True for chunks of files that are still indexed."""
        parts = [~segment.dead_chunks for segment in self._segments]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)

    @cached_property
    def live_files(self) -> NDArray[np.bool_]:
        """True for files that are still indexed."""
        parts = [~segment.dead_files for segment in self._segments]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)

    def path_of(self, chunk: int) -> str:
        """The path of the file that a chunk is of."""
        return self.paths[int(self.chunk_file[chunk])]

    @cached_property
    def first_chunk(self) -> NDArray[np.int64]:
        """First chunk of each file, one longer than files: file f has chunks ``first_chunk[f]:first_chunk[f + 1]``."""
        return np.searchsorted(self.chunk_file, np.arange(self.files + 1))

    @cached_property
    def start_lines(self) -> NDArray[np.int32]:
        """First line of each chunk, from 1."""
        return self.column("chunk.start")

    @cached_property
    def end_lines(self) -> NDArray[np.int32]:
        """Last line of each chunk, included."""
        return self.column("chunk.end")

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """Kind codes of the chunks (:data:`fourfold.model.chunk.KINDS`)."""
        return self.column("chunk.kind")

    @cached_property
    def paths(self) -> list[str]:
        """Path of each file, empty for dead ones."""
        return self._snapshot.file_paths()

    @cached_property
    def file_numbers(self) -> dict[str, int]:
        """Number of each live file by its path."""
        return {path: number for number, path in enumerate(self.paths) if path}

    @cached_property
    def files_by_name(self) -> dict[str, list[int]]:
        """Numbers of the live files by the last part of their path, in lower case."""
        found: dict[str, list[int]] = {}
        for number, path in enumerate(self.paths):
            if path:
                found.setdefault(path.rsplit("/", 1)[-1].lower(), []).append(number)
        return found

    @cached_property
    def languages(self) -> list[str]:
        """Language of each file, empty for dead ones."""
        return self._snapshot.file_languages()

    @cached_property
    def file_order(self) -> NDArray[np.int64]:
        """Rank of each file among the sorted paths: an order that does not depend on the history of the index."""
        order = sorted(range(self.files), key=self.paths.__getitem__)
        ranks = np.empty(self.files, dtype=np.int64)
        ranks[order] = np.arange(self.files)
        return ranks

    def chunk_at(self, path: str, line: int) -> int:
        """The chunk that holds a line of a file; -1 where the file is not indexed or empty."""
        number = self.file_numbers.get(path, -1)
        if number < 0:
            return -1
        first, last = int(self.first_chunk[number]), int(self.first_chunk[number + 1])
        if first == last:
            return -1
        return max(first + bisect_right(self.start_lines[first:last].tolist(), line) - 1, first)

    def chunk_order(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sort keys of chunks by path, then line."""
        return self.file_order[self.chunk_file[rows]] * (1 << 32) + self.start_lines[rows]

    @cached_property
    def live_chunk_count(self) -> int:
        """Number of live chunks."""
        return int(self.live_chunks.sum())

    @cached_property
    def live_file_count(self) -> int:
        """Number of live files."""
        return int(self.live_files.sum())

    def words(self, name: str, terms: Mapping[int, float]) -> Scores:
        """BM25 of all chunks for ``raw`` or ``stems`` terms (stored hash -> weight)."""
        return score(self._chunk_index(name), terms, self.live_chunk_count)

    def holding(self, name: str, term: str) -> int:
        """How many live chunks hold a term of ``raw`` or ``stems``."""
        return len(self.rows_holding(name, term_hash(term)))

    def rows_holding(self, name: str, term: int) -> NDArray[np.int64]:
        """The live chunks that hold a term of ``raw`` or ``stems`` (its stored hash), ascending."""
        return self._chunk_index(name).find(term).rows

    def _chunk_index(self, name: str) -> WeighedPostings:
        """The index ``raw`` or ``stems``."""
        if name not in self._chunk_indexes:
            lengths: NDArray[np.float32] = self.column("chunk.raw_length" if name == "raw" else "chunk.stem_length")
            live = lengths[self.live_chunks]
            mean = float(live.mean(dtype=np.float64)) if len(live) else 1.0
            self._chunk_indexes[name] = WeighedPostings(self._index(name, "chunk"), lengths, mean, B_CHUNK)
        return self._chunk_indexes[name]

    @cached_property
    def stems(self) -> InvertedIndex:
        """Stems by chunk."""
        return self._index("stems", "chunk")

    def _index(self, name: str, axis: str) -> InvertedIndex:
        bases = (self._snapshot.chunk_base if axis == "chunk" else self._snapshot.file_base)[:-1]
        dead = [segment.dead_chunks if axis == "chunk" else segment.dead_files for segment in self._segments]
        return InvertedIndex(name, self._segments, bases, dead)

    @cached_property
    def fields(self) -> InvertedIndex:
        """Stems by file, with one count column per field."""
        return self._index("fields", "file")

    @cached_property
    def field_lengths(self) -> NDArray[np.float32]:
        """Length of each field of each file, shape (files, fields)."""
        return self.column("file.lengths").reshape(self.files, len(FILE_FIELDS))

    @cached_property
    def mean_field_lengths(self) -> NDArray[np.float64]:
        """Mean length of each field over live files."""
        if not self.live_file_count:
            return np.ones(len(FILE_FIELDS))
        means: NDArray[np.float64] = self.field_lengths[self.live_files].mean(axis=0, dtype=np.float64)
        return np.maximum(means, 1e-9)

    @cached_property
    def imports(self) -> InvertedIndex:
        """Words of import lines by file."""
        return self._index("imports", "file")

    @cached_property
    def definition_file(self) -> NDArray[np.int64]:
        """Snapshot-wide file number of each definition."""
        return self._referring("definition.file", self._snapshot.file_base[:-1])

    @cached_property
    def definition_chunk(self) -> NDArray[np.int64]:
        """Snapshot-wide chunk number of each definition."""
        return self._referring("definition.chunk", self._snapshot.chunk_base[:-1])

    def _referring(self, name: str, bases: Any) -> NDArray[np.int64]:
        parts = [
            segment.array(name).astype(np.int64) + base for segment, base in zip(self._segments, bases, strict=True)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    @cached_property
    def definition_names(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Sorted hashes of the folded names, and the definition number of each."""
        names = self.column("definition.folded_name")
        order = np.argsort(names, kind="stable")
        return names[order], order.astype(np.int64)

    def definitions_named(self, folded: int) -> NDArray[np.int64]:
        """Live definitions whose name in lower case has this stored hash."""
        names, order = self.definition_names
        low = int(names.searchsorted(np.uint64(folded)))
        if low == len(names) or int(names[low]) != folded:
            return order[:0]
        found = np.sort(order[low : int(names.searchsorted(np.uint64(folded), "right"))])
        return found[self.live_files[self.definition_file[found]]]

    def name_tokens(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Embedding tokens of the words in the names that some chunks define: (values, how many each chunk has)."""
        places, counts = self.name_places(rows)
        return self.name_vocabulary[places], counts

    def name_places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """As :meth:`name_tokens`, the tokens as places in :attr:`name_vocabulary`."""
        starts, all_counts = self._name_bounds
        counts = all_counts[rows]
        ends = counts.cumsum()
        at: NDArray[np.int64] = np.repeat(starts[rows] - (ends - counts), counts)
        at += np.arange(len(at))
        return self._name_places.take(at), counts

    @cached_property
    def name_vocabulary(self) -> NDArray[np.int32]:
        """The distinct embedding tokens of the names that are defined here, ascending."""
        return np.unique(self.column("name_tokens.values"))

    @cached_property
    def _name_places(self) -> NDArray[np.int64]:
        """The tokens of all names, as places in the vocabulary."""
        return self.name_vocabulary.searchsorted(self.column("name_tokens.values"))

    @cached_property
    def _name_bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the name tokens of each chunk begin, and how many they are."""
        pointers = [segment.array("name_tokens.indptr") for segment in self._segments]
        if not pointers:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        bases = np.cumsum([0, *(int(pointer[-1]) for pointer in pointers)])
        starts = [pointer[:-1] + base for pointer, base in zip(pointers, bases.tolist(), strict=False)]
        return np.concatenate(starts), np.concatenate([np.diff(pointer) for pointer in pointers])
