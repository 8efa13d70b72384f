"""Token vectors at unit length, worked out when they are first needed and kept close together.

A repository's names use a few thousand of a model's tokens. In an array as long as the model each would lie on a page
of its own, of 2 MB where the system backs large arrays with huge pages: half a hundred megabytes for four.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FIRST_ROOM = 2048
"""Vectors there is room for at first (2 MB at 256 dimensions); the room doubles when they are more."""
_UNKNOWN = -1


class UnitVectors:
    """The rows of an int8 table, shape (tokens, dimension), at unit length. Safe to share between threads; holds at
    most the whole table, as float32."""

    def __init__(self, rows: NDArray[np.int8]) -> None:
        self._rows = rows
        self._places: NDArray[np.int32] = np.full(len(rows), _UNKNOWN, np.int32)
        self._units: NDArray[np.float32] = np.empty((_FIRST_ROOM, rows.shape[1]), np.float32)
        self._known = 0
        self._guard = threading.Lock()

    @property
    def room(self) -> int:
        """How many vectors there is memory for."""
        return len(self._units)

    def of(self, ids: NDArray[np.integer]) -> NDArray[np.float32]:
        """The unit vectors of some tokens, float32 (n, dimension)."""
        places = self._places.take(ids)
        if (places == _UNKNOWN).any():
            with self._guard:
                self._learn(np.unique(ids[self._places.take(ids) == _UNKNOWN]))
            places = self._places.take(ids)
        return self._units.take(places, 0)

    def _learn(self, ids: NDArray[np.integer]) -> None:
        """Work out vectors that are not known. Who reads meanwhile finds a place only once its vector is there."""
        end = self._known + len(ids)
        if end > len(self._units):
            grown = np.empty((min(2 * end, len(self._rows)), self._rows.shape[1]), np.float32)
            grown[: self._known] = self._units[: self._known]
            self._units = grown
        rows = self._rows.take(ids, 0).astype(np.float32)  # a row's scale cancels out of its cosine
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        self._units[self._known : end] = rows / np.maximum(norms, np.float32(1e-9))[:, None]
        self._places[ids] = np.arange(self._known, end, dtype=np.int32)
        self._known = end
