"""Another built-in model: the vectors of an index are made anew from its texts; no file is read or parsed again.

Until the last moment the old vectors serve. All segments change in one transaction: a run that is killed leaves the
index as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.embed.load import load_embedder
from fourfold.index.build import SegmentBuilder, Source
from fourfold.model.chunk import Chunk
from fourfold.store.local.merge import merge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.model.symbol import Symbol
    from fourfold.store.local.snapshot import LocalSnapshot

BLOCK_FILES = 200
"""Files whose texts and words are held at a time."""

Told = Callable[[int, int], None]
"""Takes (chunks done, chunks in all)."""


class Revector:
    """Makes the segments of one snapshot with the vectors of the built-in model called `model`."""

    def __init__(self, model: str, tell: Told) -> None:
        self._builder = SegmentBuilder(load_embedder(model))
        self._tell = tell
        self._symbols: dict[str, list[Symbol]] | None = None
        self.done = 0

    def __call__(self, snapshot: LocalSnapshot, number: int) -> dict[str, NDArray[Any]]:
        """All arrays of one segment: its live rows as they are, its vectors and name tokens made anew."""
        parts = []
        for sources in self._blocks(snapshot, number):
            parts.append(self._builder.vectors(sources))
            self.done += sum(len(source.chunks) for source in sources)
            self._tell(self.done, snapshot.chunk_count)
        return merge([snapshot.segments[number]]) | _joined(parts)

    def _blocks(self, snapshot: LocalSnapshot, number: int) -> Iterator[list[Source]]:
        """The live files of a segment, in the order of its rows."""
        if self._symbols is None:
            self._symbols = snapshot.symbols()
        view = snapshot.segments[number]
        base, first_chunk = snapshot.file_base[number], snapshot.chunk_base[number]
        names, languages, firsts = snapshot.file_paths(), snapshot.file_languages(), view.first_chunks
        live = np.flatnonzero(~view.dead_files).tolist()
        for at in range(0, len(live), BLOCK_FILES):
            rows = live[at : at + BLOCK_FILES]
            texts = dict(snapshot.texts([names[base + row] for row in rows]))
            sources = []
            for row in rows:
                path = names[base + row]
                numbers = range(first_chunk + int(firsts[row]), first_chunk + int(firsts[row + 1]))
                chunks = _chunks(snapshot, numbers, texts[path])
                symbols = tuple(self._symbols.get(path, ()))
                sources.append(Source(path, languages[base + row], texts[path], chunks, symbols, frozenset()))
            yield sources


def _chunks(snapshot: LocalSnapshot, numbers: range, text: str) -> tuple[Chunk, ...]:
    """Stored chunks with their text."""
    lines = text.split("\n")
    return tuple(
        Chunk(
            text="\n".join(lines[row.start_line - 1 : row.end_line]),
            start_line=row.start_line,
            end_line=row.end_line,
            kind=row.kind,
            symbol=row.symbol,
            parent=row.parent,
            signature=row.signature,
        )
        for row in snapshot.chunk_rows(numbers)
    )


def _joined(parts: list[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Arrays of blocks laid end to end; pointers go on counting."""
    joined = {}
    for name in parts[0]:
        arrays = [part[name] for part in parts]
        if name.endswith(".indptr"):
            ends = np.cumsum([0, *(int(array[-1]) for array in arrays)])
            arrays = [array[:-1] + end for array, end in zip(arrays, ends.tolist(), strict=False)]
            arrays.append(ends[-1:])
        joined[name] = np.concatenate(arrays)
    return joined
