"""Lists of whole numbers kept in one array, so that many of them are read, and reduced, at once. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST_ROOM = 1024
"""Numbers, and bounds of lists, for which there is room at first; it doubles when it is full."""


class NumberLists:
    """Lists numbered from 0 in the order in which they were added. Who shares them between threads guards `add`; what
    :meth:`of` returned stays as it is."""

    def __init__(self) -> None:
        self._numbers = np.zeros(FIRST_ROOM, dtype=np.int64)
        self._bounds = np.zeros(FIRST_ROOM, dtype=np.int64)
        self._count = 0

    def add(self, numbers: Sequence[int]) -> int:
        """Keep a list; returns its number."""
        first = int(self._bounds[self._count])
        last = first + len(numbers)
        while last > len(self._numbers):
            self._numbers = _doubled(self._numbers)
        if self._count + 1 == len(self._bounds):
            self._bounds = _doubled(self._bounds)
        self._numbers[first:last] = numbers
        self._count += 1
        self._bounds[self._count] = last
        return self._count - 1

    def of(self, lists: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of some lists one after another, and how many each list has."""
        first = self._bounds[lists]
        counts = self._bounds[lists + 1] - first
        ends = counts.cumsum()
        places = np.repeat(first - ends + counts, counts)
        places += np.arange(len(places))
        return self._numbers[places], counts


class Segments:
    """Neighbouring parts of an axis, to be reduced each to one value. `counts` are their lengths."""

    def __init__(self, counts: NDArray[np.int64]) -> None:
        self._count = len(counts)
        self._filled = counts.nonzero()[0]
        self._starts = (counts.cumsum() - counts)[self._filled]

    def reduced(self, how: np.ufunc, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Reduce the columns of `values` (rows, total length) over each part; 0 for an empty one. (rows, parts)"""
        result = np.zeros((values.shape[0], self._count))
        if len(self._filled) and values.shape[0]:
            result[:, self._filled] = how.reduceat(values, self._starts, axis=1)
        return result


def _doubled(array: NDArray[np.int64]) -> NDArray[np.int64]:
    """A new array: who reads the old one is not disturbed."""
    return np.concatenate([array, np.zeros(len(array), dtype=np.int64)])
