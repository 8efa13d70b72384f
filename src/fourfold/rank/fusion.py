"""Fusion of ranked lists: weighted reciprocal ranks, places that are one result, and the importance boost.

Formula (the published contract): ``contribution = weight / (k + rank + 1)``, rank from 0, summed over
modalities. Equal weights of 1 give the textbook reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR
2009).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fourfold.model.errors import UsageError

Key = TypeVar("Key", bound=Hashable)

RRF_K: dict[str, int] = {"default": 40, "contract": 40, "thorough": 60}
"""`k` by preset. 60 is the constant of the original paper; 40 favours the head of each list a little more."""

IMPORTANCE_SLOPE = 0.3
IMPORTANCE_CAP = 1.5
"""Boost ``min(1 + 0.3 * ln(1 + centrality), 1.5)``: a hub gains at most half its score."""


@dataclass(frozen=True, slots=True)
class Fused(Generic[Key]):
    """One fused result. `ranks` are from 0, by modality; `contributions` are the summands of `score`."""

    key: Key
    score: float
    ranks: dict[str, int] = field(default_factory=dict)
    contributions: dict[str, float] = field(default_factory=dict)

    @property
    def best_rank(self) -> int:
        """The best rank that any modality gives."""
        return min(self.ranks.values())


def weighted_rrf(
    lists: Mapping[str, Sequence[Key]], weights: Mapping[str, float], k: float = RRF_K["default"]
) -> list[Fused[Key]]:
    """Fuse ranked lists of keys, best first.

    A key that occurs twice in a list counts once, at its first place; ranks count distinct keys. A list of
    weight 0 is left out. Ties are broken by the best rank, then by the order of first appearance (rank by
    rank through the lists as given). Raises :class:`UsageError` for ``k <= 0``, a weight that is negative or
    not finite, weights that are all 0, and a list without a weight.
    """
    _check(lists, weights, k)
    ranks: dict[Key, dict[str, int]] = {}
    for name, keys in lists.items():
        if weights[name] == 0:
            continue
        for rank, key in enumerate(dict.fromkeys(keys)):
            ranks.setdefault(key, {})[name] = rank
    fused = [_fuse(key, key_ranks, weights, k) for key, key_ranks in ranks.items()]
    fused.sort(key=_order)
    return fused


def _fuse(key: Key, ranks: dict[str, int], weights: Mapping[str, float], k: float) -> Fused[Key]:
    contributions = {name: weights[name] / (k + rank + 1) for name, rank in ranks.items()}
    # fsum is exact, so that the order of the lists cannot move a score and split a tie.
    return Fused(key, math.fsum(contributions.values()), ranks, contributions)


def _order(item: Fused[Key]) -> tuple[float, int]:
    return (-item.score, item.best_rank)


def _check(lists: Mapping[str, Sequence[Key]], weights: Mapping[str, float], k: float) -> None:
    if not (math.isfinite(k) and k > 0):
        raise UsageError(f"The RRF constant k must be above 0, not {k}.", hint="Usual values: 40 and 60.")
    for name, weight in weights.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise UsageError(f"The weight of {name} must be 0 or above, not {weight}.")
    if not any(weights.values()):
        raise UsageError("All fusion weights are 0.", hint="Give at least one modality a weight above 0.")
    for name in lists:
        if name not in weights:
            known = ", ".join(weights)
            raise UsageError(f"Unknown modality: {name}.", hint=f"There are weights for: {known}.")


def importance_boost(centrality: float, slope: float = IMPORTANCE_SLOPE, cap: float = IMPORTANCE_CAP) -> float:
    """The factor for a centrality (PageRank times the number of nodes, so that the mean is 1)."""
    if not centrality >= 0:
        raise UsageError(f"A centrality must be 0 or above, not {centrality}.")
    return min(1.0 + slope * math.log1p(centrality), cap)
