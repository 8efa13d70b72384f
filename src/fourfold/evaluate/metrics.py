"""How one ranked answer is judged. Pure.

A result hits a target when their paths match and, where the target has lines, the line ranges overlap. Paths match when
equal, or when one ends with the other at a component boundary (labels are sometimes relative to a sub-folder). Each
target takes the rank of the first result that hits it. Gain is binary per rank: two targets first hit by the same
result fill one slot, and the ideal answer has min(k, number of targets) slots filled (NDCG: Järvelin and Kekäläinen
2002, with binary gains and log2 discount; average precision over the same slots: Manning et al., Introduction to
Information Retrieval, 8.4).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from fourfold.evaluate.question import Target

TOP_K = 10
"""Only the first ten results count, as in most published figures."""


@dataclass(frozen=True, slots=True)
class Place:
    """A result: `path` relative to the root, lines from 1, both included; None for a whole file."""

    path: str
    start_line: int | None = None
    end_line: int | None = None


@dataclass(frozen=True, slots=True)
class Metrics:
    """How good one answer is, each between 0 and 1 but for `tokens`.

    `hit_at_k` is 1 where any target is among the first k results, `recall_at_k` the share of the targets that are;
    `mrr` is the reciprocal rank of the first hit, `ndcg` and `map` count to rank 10. `tokens` is how much a reader has
    read when the first hit is reached: that result's code and all before it (the whole list where nothing hits).
    """

    hit_at_1: float
    hit_at_5: float
    hit_at_10: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    ndcg: float
    map: float
    tokens: float


METRIC_NAMES: tuple[str, ...] = tuple(item.name for item in fields(Metrics))
LOWER_IS_BETTER: frozenset[str] = frozenset({"tokens"})


def judge(targets: Sequence[Target], results: Sequence[Place], tokens: Sequence[int] = ()) -> Metrics:
    """The metrics of one answer, `results` best first; `tokens` is the length of each."""
    ranks = first_hits(targets, results[:TOP_K])
    first = min((rank for rank in ranks if rank), default=0)
    return Metrics(
        hit_at_1=float(first == 1),
        hit_at_5=float(0 < first <= 5),
        hit_at_10=float(first > 0),
        recall_at_5=recall([rank if rank <= 5 else 0 for rank in ranks]),
        recall_at_10=recall(ranks),
        mrr=reciprocal_rank(ranks),
        ndcg=ndcg(ranks),
        map=average_precision(ranks),
        tokens=float(sum(tokens[: first or TOP_K])),
    )


def first_hits(targets: Sequence[Target], results: Sequence[Place]) -> list[int]:
    """For each target the rank (from 1) of the first result that hits it, 0 for none."""
    return [next((rank for rank, place in enumerate(results, 1) if hits(place, one)), 0) for one in targets]


def ndcg(ranks: Sequence[int], k: int = TOP_K) -> float:
    """Normalised discounted cumulative gain of the targets' ranks (0: not found); 0 without targets."""
    gained = sum(1 / math.log2(rank + 1) for rank in sorted(set(ranks)) if rank)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(ranks)) + 1))
    return gained / ideal if ideal else 0.0


def average_precision(ranks: Sequence[int], k: int = TOP_K) -> float:
    """The mean of the precision at each slot that a target fills; slots that stay empty count 0."""
    filled = sorted({rank for rank in ranks if rank})
    total = sum(number / rank for number, rank in enumerate(filled, 1))
    return total / min(k, len(ranks)) if ranks else 0.0


def recall(ranks: Sequence[int]) -> float:
    """The share of the targets that are found; 0 without targets."""
    return sum(rank > 0 for rank in ranks) / len(ranks) if ranks else 0.0


def reciprocal_rank(ranks: Sequence[int]) -> float:
    """One divided by the rank of the first hit, 0 for none."""
    best = min((rank for rank in ranks if rank), default=0)
    return 1 / best if best else 0.0


def hits(place: Place, target: Target) -> bool:
    """True where the result shows the target. A result without lines stands for its whole file."""
    if not same_path(place.path, target.path):
        return False
    if target.start_line is None or target.end_line is None:
        return True
    if place.start_line is None or place.end_line is None:
        return True
    return place.start_line <= target.end_line and place.end_line >= target.start_line


def same_path(first: str, second: str) -> bool:
    """True for equal paths, or where one is the end of the other at a component boundary."""
    a, b = _clean(first), _clean(second)
    return a == b or a.endswith("/" + b) or b.endswith("/" + a)


def _clean(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./")


def first_per_file(results: Iterable[Place]) -> list[Place]:
    """Only the best result of each file, in order."""
    best: dict[str, Place] = {}
    for place in results:
        best.setdefault(place.path, place)
    return list(best.values())


def mean(values: Sequence[Metrics]) -> Metrics:
    """The plain mean; zeros for an empty list."""
    if not values:
        return Metrics(*(0.0 for _ in METRIC_NAMES))
    return Metrics(*(math.fsum(getattr(one, name) for one in values) / len(values) for name in METRIC_NAMES))
