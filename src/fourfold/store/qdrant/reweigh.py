"""Keeping term saturations true: they are stored with the mean lengths of their time, and code grows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.store.qdrant import words
from fourfold.store.qdrant.encode import chunk_id, file_id
from fourfold.store.qdrant.layout import WORDS
from fourfold.store.qdrant.manifest import Manifest, Means
from fourfold.store.qdrant.points import Point, Sparse

if TYPE_CHECKING:
    from fourfold.store.local.view import SegmentView
    from fourfold.store.qdrant.place import Place

DRIFT = 0.02
"""A mean that moved by more than this share makes all saturations be stored anew. A score then errs by less than 1 %
(the derivative of the saturation by the mean, at tf 1 and mean length, is 0.45 times the relative change)."""
_POINTS_AT_ONCE = 800
_LENGTHS = ("chunk.raw_length", "chunk.stem_length", "file.lengths")


def present_means(segments: Sequence[SegmentView]) -> Means:
    """The means of live rows."""
    lengths = {}
    for name in _LENGTHS:
        parts = [
            view.array(name)[~(view.dead_files if name.startswith("file") else view.dead_chunks)] for view in segments
        ]
        lengths[name] = np.concatenate(parts) if parts else np.zeros(0, np.float32)
    return words.means_of(lengths)


def differ(old: Means, new: Means) -> bool:
    """True where a mean drifted too far."""
    before = np.array([old.raw, old.stems, *old.fields])
    after = np.array([new.raw, new.stems, *new.fields])
    return bool((np.abs(after - before) > DRIFT * np.maximum(before, 1e-6)).any())


def points(place: Place, manifest: Manifest, segments: Sequence[SegmentView], means: Means) -> Iterator[list[Point]]:
    """The sparse vectors of all live rows under other means, some hundred points at a time."""
    held: list[Point] = []
    for view in segments:
        held.extend(_of(place, manifest, view, means))
        while len(held) >= _POINTS_AT_ONCE:
            yield held[:_POINTS_AT_ONCE]
            held = held[_POINTS_AT_ONCE:]
    if held:
        yield held


def _of(place: Place, manifest: Manifest, view: SegmentView, means: Means) -> Iterator[Point]:
    arrays = {name: view.array(name) for name in view.segment.names}
    by_chunk = words.chunk_words(arrays, means)
    first = view.first_chunks.tolist()
    for row, (number, sparse) in enumerate(zip(view.file_ids.tolist(), words.file_words(arrays, means), strict=True)):
        if view.dead_files[row]:
            continue
        if sparse.indices:
            yield _point(file_id(place.service, manifest.incarnation, number), sparse)
        for ordinal, chunk in enumerate(by_chunk[first[row] : first[row + 1]]):
            if chunk.indices:
                yield _point(chunk_id(place.service, manifest.incarnation, number, ordinal), chunk)


def _point(identity: str, sparse: Sparse) -> Point:
    return Point(identity, {}, {WORDS: sparse})
