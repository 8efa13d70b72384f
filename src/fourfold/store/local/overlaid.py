"""A corpus whose vectors are those of an overlay: what :class:`fourfold.store.local.vectors.Vectors` scores."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.store.local.corpus import Corpus
from fourfold.store.local.overlay import MADE
from fourfold.store.local.vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from fourfold.store.local.overlay import Overlay
    from fourfold.store.local.snapshot import LocalSnapshot

VECTOR_COLUMNS = (
    "chunk.vector",
    "chunk.scale",
    "chunk.norm",
    "chunk.norm_with_path",
    "chunk.signs",
    "file.path_vector",
    "file.path_scale",
)
"""The columns of the schema that an overlay has in place of the segment's."""


class OverlaidCorpus(Corpus):
    """The corpus of a snapshot with the vectors of an overlay; rows that it lacks are zeros."""

    def __init__(self, snapshot: LocalSnapshot, overlay: Overlay, dimension: int) -> None:
        super().__init__(snapshot)
        self._overlay = overlay
        self._dimension = dimension

    @cached_property
    def _parts(self) -> list[Mapping[str, NDArray[Any]] | None]:
        """The overlay's arrays of each segment, None where they are missing or do not fit it."""
        found = [self._overlay.read(view.name) for view in self._segments]
        return [
            part if part is not None and part["chunk.vector"].shape == (view.chunks, self._dimension) else None
            for part, view in zip(found, self._segments, strict=True)
        ]

    @cached_property
    def share(self) -> float:
        """Which share of the live chunks has a vector; 1.0 where there is no chunk."""
        return 1.0 - self.missing / max(self.live_chunk_count, 1)

    @cached_property
    def missing(self) -> int:
        """How many live chunks have no vector."""
        made = [
            np.zeros(view.chunks, np.bool_) if part is None else part[MADE] > 0
            for part, view in zip(self._parts, self._segments, strict=True)
        ]
        return int((self.live_chunks & ~np.concatenate(made)).sum()) if made else 0

    def column(self, name: str) -> NDArray[Any]:
        """A column over all segments, from the overlay where that has it."""
        if name not in VECTOR_COLUMNS:
            return super().column(name)
        arrays = [
            self._zeros(name, view.chunks, view.files) if part is None else part[name]
            for part, view in zip(self._parts, self._segments, strict=True)
        ]
        if len(arrays) == 1:
            return arrays[0]
        return np.concatenate(arrays) if arrays else np.zeros((0, self._dimension), np.int8)

    def _zeros(self, name: str, chunks: int, files: int) -> NDArray[Any]:
        rows = files if name.startswith("file.") else chunks
        if name in ("chunk.vector", "file.path_vector"):
            return np.zeros((rows, self._dimension), np.int8)
        if name == "chunk.signs":
            return np.zeros((rows, -(-self._dimension // 64)), "<u8")
        return np.zeros(rows, "<f4")

    def statistic(self, name: str) -> NDArray[np.float32] | None:
        """None: the statistics that a generation keeps are those of the built-in model."""
        return None


def overlaid_vectors(snapshot: LocalSnapshot, overlay: Overlay) -> tuple[Vectors, OverlaidCorpus] | None:
    """The vectors of an overlay over a snapshot, and what they are made of; None where no model is noted there."""
    model = overlay.model
    if model is None:
        return None
    corpus = OverlaidCorpus(snapshot, overlay, model.dimension)
    return Vectors(corpus), corpus
