"""Answers as the program would give them under other weights, and how good they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from fourfold.evaluate import metrics
from fourfold.evaluate.metrics import TOP_K
from fourfold.rank.chunks import ChunkOrder
from fourfold.rank.listing import listing

if TYPE_CHECKING:
    from fourfold.evaluate.learn.asked import Asked
    from fourfold.retrieve.evidence import Evidence

DEPTH = 2 * TOP_K
"""Files whose further chunks may be shown, as a search for ten results has it."""


def answer(asked: Asked, file_scores: NDArray[np.floating], chunk_scores: NDArray[np.floating]) -> list[int]:
    """Masks of the targets that each of the first ten results shows: the same answer as the program's."""
    if "fixed" in asked.record:
        return list(asked.record["fixed"])
    stand_in = SimpleNamespace(shown=None, offsets=asked.offsets, files=asked.paths)
    chunks = ChunkOrder(cast("Evidence", stand_in), chunk_scores.astype(np.float64))
    order = np.argsort(-file_scores, kind="stable").tolist()
    places = listing(file_scores, chunks, order, DEPTH)[:TOP_K]
    return [int(np.bitwise_or.reduce(asked.chunk_hits[place.first : place.last + 1])) for place in places]


def ndcg(masks: Sequence[int], targets: int) -> float:
    """NDCG@10 as :func:`fourfold.evaluate.metrics.ndcg` has it, from masks."""
    ranks = [next((rank for rank, mask in enumerate(masks[:TOP_K], 1) if mask >> bit & 1), 0) for bit in range(targets)]
    return metrics.ndcg(ranks)


Values = Iterable[tuple["Asked", float]]


def over_repositories(values: Values) -> float:
    """The mean over repositories of each repository's mean; 0 for nothing."""
    found: dict[str, list[float]] = defaultdict(list)
    for asked, value in values:
        found[asked.repo].append(value)
    return float(np.mean([np.mean(each) for each in found.values()])) if found else 0.0


def by(values: Values, key: Callable[[Asked], str]) -> dict[str, tuple[int, float]]:
    """Number of questions, and the mean over repositories, by a key."""
    groups: dict[str, list[tuple[Asked, float]]] = defaultdict(list)
    for asked, value in values:
        groups[key(asked)].append((asked, value))
    return {name: (len(groups[name]), over_repositories(groups[name])) for name in sorted(groups)}
