"""How words are translated, learned from texts and their translations: IBM Model 1.

P. F. Brown, S. A. Della Pietra, V. J. Della Pietra, R. L. Mercer: The Mathematics of Statistical Machine Translation,
Computational Linguistics 19(2), 1993. Each word of the one text comes from a word of the other or from nothing;
expectation maximisation finds the probabilities. Nothing is random.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ROUNDS = 6
"""Rounds of expectation maximisation: further ones change no choice."""
NOTHING = 0
"""The number of the empty word; real words are numbered from 1."""

Pairs = Sequence[tuple[list[int], list[int]]]
"""Numbers of the words of a text and of its translation."""


@dataclass(frozen=True, slots=True)
class Table:
    """What words become: one row a pair that ever stood in one text. `count` is how often, as the model believes."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    probability: NDArray[np.float64]
    count: NDArray[np.float64]

    def rows(self) -> Iterator[tuple[int, int, float, float]]:
        """(source, target, probability, count) of every pair."""
        columns = (self.source, self.target, self.probability, self.count)
        yield from zip(*(column.tolist() for column in columns), strict=True)


def fit(pairs: Pairs, rounds: int = ROUNDS) -> Table:
    """P(target | source) for the first words of the pairs as sources of the second ones."""
    sources, targets, sizes = _crossed(pairs)
    width = int(targets.max()) + 1
    keys, inverse = np.unique(sources * width + targets, return_inverse=True)
    of_source = keys // width
    starts = np.cumsum(sizes) - sizes
    probability = np.ones(len(keys))
    count = probability
    for _ in range(rounds):
        share = probability[inverse]
        share /= np.repeat(np.add.reduceat(share, starts), sizes)
        count = np.bincount(inverse, share, len(keys))
        probability = count / np.bincount(of_source, count)[of_source]
    return Table(of_source, keys % width, probability, count)


def turned(pairs: Pairs) -> Pairs:
    """The pairs with their sides changed."""
    return [(second, first) for first, second in pairs]


def _crossed(pairs: Iterable[tuple[list[int], list[int]]]) -> tuple[NDArray[np.int64], ...]:
    """Every target word beside every source word and the empty one, and how many stand beside each target word."""
    sources, targets, sizes = [], [], []
    for first, second in pairs:
        row = np.array([NOTHING, *first], dtype=np.int64)
        sources.append(np.tile(row, len(second)))
        targets.append(np.repeat(np.array(second, dtype=np.int64), len(row)))
        sizes.append(np.full(len(second), len(row), dtype=np.int64))
    return np.concatenate(sources), np.concatenate(targets), np.concatenate(sizes)
