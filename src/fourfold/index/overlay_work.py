"""What an overlay lacks of a snapshot: which chunks need a vector, and what is written of them for the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.embed.protocol import EmbedInput
from fourfold.index.build import quantised
from fourfold.store.local.overlay import CHUNKS, FILE_IDS, INCARNATION, MADE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from fourfold.store.local.overlay import Overlay
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.local.view import SegmentView

BLOCK_CHUNKS = 2_048
"""Chunks whose text is held at a time: some three megabytes."""


@dataclass(slots=True)
class Pieces:
    """Chunks of one segment to be embedded: `rows` are their rows in it."""

    rows: NDArray[np.int64]
    inputs: list[EmbedInput]


class SegmentWork:
    """The vectors of one segment as they come together: what is made already is taken over, the rest is `wanted`."""

    def __init__(self, snapshot: LocalSnapshot, number: int, dimension: int) -> None:
        view = snapshot.segments[number]
        self.name = view.name
        self._snapshot = snapshot
        self._view: SegmentView = view
        self._file_base = snapshot.file_base[number]
        self._chunk_base = snapshot.chunk_base[number]
        self._codes = np.zeros((view.chunks, dimension), np.float32)
        self._paths = np.zeros((view.files, dimension), np.float32)
        self.made = np.zeros(view.chunks, np.bool_)
        self._live = ~view.dead_chunks

    @property
    def wanted(self) -> int:
        """How many live chunks have no vector yet."""
        return int((self._live & ~self.made).sum())

    def take_over(self, known: Known) -> None:
        """Copy the vectors of file versions that another segment held before."""
        firsts = self._view.first_chunks
        for row, number in enumerate(self._view.file_ids.tolist()):
            first, last = int(firsts[row]), int(firsts[row + 1])
            found = known.find(number, last - first)
            if found is not None and not self.made[first:last].all():
                self._codes[first:last], self.made[first:last], self._paths[row] = found

    def pieces(self) -> Iterator[Pieces]:
        """What is still to be embedded, block by block, in the order of files."""
        todo = np.flatnonzero(self._live & ~self.made)
        for at in range(0, len(todo), BLOCK_CHUNKS):
            rows = todo[at : at + BLOCK_CHUNKS]
            yield Pieces(rows, self._inputs(rows))

    def _inputs(self, rows: NDArray[np.int64]) -> list[EmbedInput]:
        files = self._view.array("chunk.file")[rows].tolist()
        names = self._snapshot.file_paths()
        paths = {file: names[self._file_base + file] for file in set(files)}
        lines = {path: text.split("\n") for path, text in self._snapshot.texts(sorted(set(paths.values())))}
        starts, ends = self._view.array("chunk.start")[rows].tolist(), self._view.array("chunk.end")[rows].tolist()
        stored = self._snapshot.chunk_rows([self._chunk_base + row for row in rows.tolist()])
        return [
            EmbedInput("\n".join(lines[paths[file]][start - 1 : end]), paths[file], chunk.symbol)
            for file, start, end, chunk in zip(files, starts, ends, stored, strict=True)
        ]

    def put(self, rows: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Content vectors of some rows; a row of zeros is what the model had nothing for, and counts as made: it is
        not asked for again."""
        self._codes[rows] = vectors
        self.made[rows] = True

    def put_paths(self, vectors: NDArray[np.float32]) -> None:
        """Path vectors of all file rows, shape (files, dimension)."""
        self._paths[:] = vectors

    @property
    def file_paths(self) -> list[str]:
        """The path of each file row, "" for dead ones."""
        return self._snapshot.file_paths()[self._file_base : self._file_base + self._view.files]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What is to be stored."""
        chunk_file = self._view.array("chunk.file").astype(np.int64)
        return {
            **quantised(self._codes, self._paths, chunk_file),
            MADE: self.made.astype(np.uint8),
            FILE_IDS: self._view.file_ids.astype("<i8"),
            CHUNKS: self._view.chunks_per_file.astype("<i4"),
            INCARNATION: np.array([self._snapshot.key[0]], "<i8"),
        }


class Known:
    """Vectors that an overlay already has, by file version."""

    def __init__(self, overlay: Overlay, incarnation: int, dimension: int) -> None:
        self._places: dict[int, tuple[Mapping[str, NDArray[Any]], int, int, int]] = {}
        for name in overlay.names():
            part = overlay.read(name)
            if part is None or int(part[INCARNATION][0]) != incarnation or part["chunk.vector"].shape[1] != dimension:
                continue
            first = 0
            for row, (number, count) in enumerate(zip(part[FILE_IDS].tolist(), part[CHUNKS].tolist(), strict=True)):
                if part[MADE][first : first + count].all():
                    self._places[number] = (part, row, first, count)
                first += count

    def find(
        self, file_id: int, chunks: int
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]] | None:
        """(content vectors, whether made, path vector) of a file version, None where they are not all there."""
        place = self._places.get(file_id)
        if place is None or place[3] != chunks:
            return None
        part, row, first, count = place
        content = part["chunk.vector"][first : first + count] * part["chunk.scale"][first : first + count, None]
        path = part["file.path_vector"][row] * part["file.path_scale"][row]
        return content.astype(np.float32), part[MADE][first : first + count] > 0, path.astype(np.float32)
