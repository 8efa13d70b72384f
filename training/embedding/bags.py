"""Bags of token numbers as two flat arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fourfold.model.text import words
from training.embedding.tokens import Tokenizer


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


def bags_of(texts: Iterable[str], tokenizer: Tokenizer, limit: int = 400) -> Bags:
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
