"""Two configurations on the same questions: what the second gains, and whether that may be chance."""

from __future__ import annotations

from typing import Any

from fourfold.evaluate.run import Run
from fourfold.evaluate.statistics import interval, permutation_p

COMPARED: dict[str, str] = {
    "ndcg": "ndcg@10",
    "mrr": "mrr@10",
    "hit_at_1": "hit@1",
    "hit_at_5": "hit@5",
    "recall_at_10": "recall@10",
    "tokens": "tokens",
}
"""Metrics that are compared, and their names."""
MAX_LISTED = 20
"""Questions that are named on each side, those that moved most first."""
DIGITS = 4


def compare(first: Run, second: Run, seed: int) -> dict[str, Any]:
    """The gains of `second` over `first` question by question, as plain values.

    ``low`` and ``high`` are the 95 % paired bootstrap interval of the mean gain, ``p`` is of a paired permutation test;
    ``better`` and ``worse`` count questions whose NDCG@10 moved.
    """
    gains = {metric: _gains(first, second, metric) for metric in COMPARED}
    moved = [(gain, answer.question.id) for gain, answer in zip(gains["ndcg"], second.answers, strict=True) if gain]
    return {
        "from": first.configuration.name,
        "to": second.configuration.name,
        "gains": {name: _gain(gains[metric], seed) for metric, name in COMPARED.items()},
        "better": sum(gain > 0 for gain, _ in moved),
        "worse": sum(gain < 0 for gain, _ in moved),
        "most_better": [name for _, name in sorted((-gain, name) for gain, name in moved if gain > 0)][:MAX_LISTED],
        "most_worse": [name for _, name in sorted(one for one in moved if one[0] < 0)][:MAX_LISTED],
    }


def _gains(first: Run, second: Run, metric: str) -> list[float]:
    return [after - before for before, after in zip(first.values(metric), second.values(metric), strict=True)]


def _gain(gains: list[float], seed: int) -> dict[str, float]:
    low, high = interval([gains], seed=seed)
    value = sum(gains) / len(gains) if gains else 0.0
    p = permutation_p(gains, seed=seed)
    return {key: round(one, DIGITS) + 0.0 for key, one in (("value", value), ("low", low), ("high", high), ("p", p))}
