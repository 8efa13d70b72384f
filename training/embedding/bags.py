"""Bags of token numbers as two flat arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fourfold.model.text import words


class Reader(Protocol):
    """Reads words as a model does."""

    def word_ids(self, word: str) -> tuple[int, ...]:
        """Distinct token numbers of one word of :func:`fourfold.model.text.words`."""

    def __len__(self) -> int:
        """Number of tokens."""


Read = Callable[[], Reader]
"""Makes a reader; can be sent to another process."""


@dataclass(frozen=True, slots=True)
class Bags:
    """Bag *i* is ``ids[offsets[i]:offsets[i + 1]]``: distinct token numbers, in no order that means anything."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def take(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(token numbers, position in `rows`) of some bags, flat."""
        starts = self.offsets[rows]
        lengths = self.offsets[rows + 1] - starts
        owners = np.repeat(np.arange(len(rows), dtype=np.int64), lengths)
        inside = np.arange(len(owners), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return self.ids[starts[owners] + inside].astype(np.int64), owners


def bags_in_parallel(texts: Sequence[str], read: Read, limit: int, workers: int) -> Bags:
    """The same by several processes, each of which makes its own reader."""
    size = -(-len(texts) // max(workers, 1)) or 1
    slices = [texts[first : first + size] for first in range(0, len(texts), size)]
    with ProcessPoolExecutor(workers) as pool:
        parts = list(pool.map(_slice_bags, slices, [read] * len(slices), [limit] * len(slices)))
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])
    return Bags(
        np.concatenate([part.ids for part in parts]), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    )


def _slice_bags(texts: Sequence[str], read: Read, limit: int) -> Bags:
    return bags_of(texts, read(), limit)


def bags_of(texts: Iterable[str], tokenizer: Reader, limit: int = 400) -> Bags:
    """The bags of texts, each read by its first `limit` words."""
    flat: list[NDArray[np.int32]] = []
    ends = [0]
    word_ids = tokenizer.word_ids
    for text in texts:
        bag: set[int] = set()
        for word in dict.fromkeys(words(text)[:limit]):
            bag.update(word_ids(word))
        flat.append(np.fromiter(bag, np.int32, len(bag)))
        ends.append(ends[-1] + len(bag))
    return Bags(np.concatenate(flat) if flat else np.zeros(0, np.int32), np.array(ends, np.int64))
