"""How one ranked answer is judged, and how judgements are averaged.

A result hits a target when their paths match and, where the target has lines, the line ranges overlap.
Paths match when equal, or when one ends with the other at a component boundary (labels are sometimes
relative to the indexed sub-folder). Each target takes the rank of the first result that hits it. Gain is
binary per rank: two targets first hit by the same result fill one slot, and the ideal answer has min(k,
number of targets) slots filled (NDCG, Järvelin and Kekäläinen 2002, with binary gains and log2 discount).
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, fields

from benchmarks.dataset import Question, Target

TOP_K = 10
"""Only the first ten results count, as in the benchmark that the tuning set comes from."""
RESAMPLES = 2000
"""Bootstrap resamples: the ends of a 95 % interval then move by less than .001 from seed to seed."""


@dataclass(frozen=True, slots=True)
class Place:
    """A result: `path` relative to the repository or to the indexed root, lines from 1, both included."""

    path: str
    start_line: int | None = None
    end_line: int | None = None


@dataclass(frozen=True, slots=True)
class Metrics:
    """All between 0 and 1: NDCG@k, recall@k, reciprocal rank of the first hit, hit at 1, any hit within k."""

    ndcg: float
    recall: float
    mrr: float
    hit1: float
    hitk: float


METRIC_NAMES: tuple[str, ...] = tuple(item.name for item in fields(Metrics))


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with its metrics."""

    question: Question
    metrics: Metrics


def judge(question: Question, results: Sequence[Place], k: int = TOP_K) -> Metrics:
    """The metrics of one answer, `results` best first; only the first `k` count."""
    targets = question.targets
    ranks = [rank for target in targets if (rank := _first_hit(target, results[:k]))]
    gained = sum(1 / math.log2(rank + 1) for rank in set(ranks))
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(targets)) + 1))
    best = min(ranks, default=0)
    return Metrics(
        ndcg=gained / ideal if ideal else 0.0,
        recall=len(ranks) / len(targets) if targets else 0.0,
        mrr=1 / best if best else 0.0,
        hit1=float(best == 1),
        hitk=float(best > 0),
    )


def _first_hit(target: Target, results: Sequence[Place]) -> int:
    """Rank (from 1) of the first result that hits the target, 0 for none."""
    return next((rank for rank, place in enumerate(results, 1) if hits(place, target)), 0)


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


def mean(metrics: Sequence[Metrics]) -> Metrics:
    """The plain mean; zeros for an empty list."""
    if not metrics:
        return Metrics(0.0, 0.0, 0.0, 0.0, 0.0)
    return Metrics(*(sum(getattr(m, name) for m in metrics) / len(metrics) for name in METRIC_NAMES))


def by_repository(rows: Sequence[Judged]) -> Metrics:
    """The mean over repositories of each repository's mean, so that many questions on one do not outweigh
    others.
    """
    return mean([mean([row.metrics for row in group]) for group in _groups(rows, _repo).values()])


def grouped(rows: Sequence[Judged], key: Callable[[Judged], Hashable]) -> dict[Hashable, tuple[int, Metrics]]:
    """Number of questions and mean over repositories within each group, in the order of the keys as text."""
    found = _groups(rows, key)
    return {name: (len(found[name]), by_repository(found[name])) for name in sorted(found, key=str)}


def interval(
    rows: Sequence[Judged], metric: str = "ndcg", *, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean over repositories.

    Questions are drawn again within each repository: the interval speaks of other questions on the same
    repositories. (0, 0) where there are no rows.
    """
    groups = _groups(rows, _repo).values()
    return _bootstrap([[getattr(row.metrics, metric) for row in group] for group in groups], seed, resamples)


def paired_interval(
    first: Sequence[Judged],
    second: Sequence[Judged],
    metric: str = "ndcg",
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> tuple[float, float]:
    """95 % interval of the gain of `second` over `first` on the questions that both answered.

    Narrower than the two intervals side by side, since what makes a question hard is the same for both.
    """
    before = {row.question.id: getattr(row.metrics, metric) for row in first}
    gains: dict[Hashable, list[float]] = defaultdict(list)
    for row in second:
        if row.question.id in before:
            gains[_repo(row)].append(getattr(row.metrics, metric) - before[row.question.id])
    return _bootstrap(list(gains.values()), seed, resamples)


def _bootstrap(groups: list[list[float]], seed: int, resamples: int) -> tuple[float, float]:
    if not groups:
        return (0.0, 0.0)
    draw = random.Random(seed)
    means = sorted(
        sum(sum(draw.choices(values, k=len(values))) / len(values) for values in groups) / len(groups)
        for _ in range(resamples)
    )
    return means[int(0.025 * resamples)], means[min(resamples - 1, int(0.975 * resamples))]


def _groups(rows: Sequence[Judged], key: Callable[[Judged], Hashable]) -> dict[Hashable, list[Judged]]:
    found: dict[Hashable, list[Judged]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def _repo(row: Judged) -> Hashable:
    return row.question.repo
