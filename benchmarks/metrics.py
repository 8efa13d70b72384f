"""How judgements of answers (:mod:`fourfold.evaluate.metrics`) are averaged over repositories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields

from benchmarks.dataset import Question
from fourfold.evaluate import statistics
from fourfold.evaluate.metrics import (
    TOP_K,
    Place,
    first_hits,
    first_per_file,
    hits,
    ndcg,
    recall,
    reciprocal_rank,
    same_path,
)
from fourfold.evaluate.statistics import RESAMPLES

__all__ = [
    "METRIC_NAMES", "RESAMPLES", "TOP_K", "Judged", "Metrics", "Place", "by_repository", "first_per_file", "grouped",
    "hits", "interval", "judge", "mean", "paired_interval", "same_path",
]  # fmt: skip


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
    ranks = first_hits(question.targets, results[:k])
    return Metrics(
        ndcg=ndcg(ranks, k),
        recall=recall(ranks),
        mrr=reciprocal_rank(ranks),
        hit1=float(1 in ranks),
        hitk=float(any(ranks)),
    )


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
    values = [[getattr(row.metrics, metric) for row in group] for group in groups]
    return statistics.interval(values, seed=seed, resamples=resamples)


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
    return statistics.interval(list(gains.values()), seed=seed, resamples=resamples)


def _groups(rows: Sequence[Judged], key: Callable[[Judged], Hashable]) -> dict[Hashable, list[Judged]]:
    found: dict[Hashable, list[Judged]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def _repo(row: Judged) -> Hashable:
    return row.question.repo
