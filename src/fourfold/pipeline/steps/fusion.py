"""Steps that make one list of several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fourfold.pipeline.steps.base import Step, check_weights, numbers, param
from fourfold.rank.fusion import Fused, weighted_rrf
from fourfold.rank.places import Place, representatives

if TYPE_CHECKING:
    from fourfold.pipeline.state import Candidate, RetrieverState

TEXTBOOK_K = 60
"""The constant of the original paper (Cormack, Clarke and Buettcher 2009)."""


@dataclass(frozen=True)
class RrfFusion(Step):
    """Weighted reciprocal rank fusion: each list adds ``weight / (k + rank + 1)``, rank from 0. Places that cover the
    same code are one. `weights` by list; `by_intent` takes those of the question's intent; else all are equal.

    Example: ``rrf_fusion: {k: 40, by_intent: true}``
    """

    type: ClassVar[str] = "rrf_fusion"
    k: float = param(float(TEXTBOOK_K), "constant of the fusion; smaller favours the head of each list", minimum=1)
    by_intent: bool = param(False, "weights of the question's intent, by modality")
    weights: dict[str, float] | None = numbers("weight by list; 1 for a list that is not named")

    def check(self) -> None:
        """Weights are at least 0, not all 0, and not given twice."""
        check_weights(self.type, self.weights)

    def apply(self, state: RetrieverState) -> None:
        """Fuse the lists of the state; a state without lists has one, its candidates."""
        lists = labelled(state)
        weights = {name: self._weight(name, branch, state) for name, (branch, _) in lists.items()}
        kept = {name: items for name, (_, items) in lists.items() if weights[name] > 0}
        if not any(kept.values()):
            _finish(state, [], weights, "rrf")
            return
        chosen = representatives(item.place for items in kept.values() for item in items)
        keys = {name: [chosen[item.place] for item in items] for name, items in kept.items()}
        used = {name: weights[name] for name in kept}
        fused = weighted_rrf(keys, used, state.k or self.k)
        _finish(state, merged(fused, kept, chosen), used, "rrf")

    def _weight(self, name: str, branch: str, state: RetrieverState) -> float:
        if self.weights is not None:
            return self.weights.get(branch, self.weights.get(name, 1.0))
        if self.by_intent:
            return state.modality_weights.get(name, 1.0)
        return 1.0


@dataclass(frozen=True)
class WeightedScoreFusion(Step):
    """Sum of each list's scores, scaled so that its best is 1, times its weight. Places that cover the same code are
    one.

    Example: ``weighted_score_fusion: {weights: {dense: 0.7, bm25: 0.3}}``
    """

    type: ClassVar[str] = "weighted_score_fusion"
    scale: str = param("max", "max divides by the best score; range maps worst to 0 too", choices=("max", "range"))
    weights: dict[str, float] | None = numbers("weight by list; 1 for a list that is not named")

    def check(self) -> None:
        """Weights are at least 0 and not all 0."""
        check_weights(self.type, self.weights)

    def apply(self, state: RetrieverState) -> None:
        """Fuse."""
        lists = labelled(state)
        given = self.weights or {}
        weights = {name: given.get(branch, given.get(name, 1.0)) for name, (branch, _) in lists.items()}
        kept = {name: items for name, (_, items) in lists.items() if weights[name] > 0}
        chosen = representatives(item.place for items in kept.values() for item in items)
        shares: dict[Place, dict[str, float]] = {}
        ranks: dict[Place, dict[str, int]] = {}
        for name, items in kept.items():
            for rank, (item, value) in enumerate(zip(items, scaled(items, self.scale), strict=True)):
                place = chosen[item.place]
                ranks.setdefault(place, {}).setdefault(name, rank)
                shares.setdefault(place, {}).setdefault(name, weights[name] * value)
        fused = [Fused(place, math.fsum(found.values()), ranks[place], found) for place, found in shares.items()]
        fused.sort(key=lambda item: (-item.score, item.best_rank))
        _finish(state, merged(fused, kept, chosen), {name: weights[name] for name in kept}, "weighted_score")


def labelled(state: RetrieverState) -> dict[str, tuple[str, list[Candidate]]]:
    """The lists of a state as (branch, candidates) by label: the modality where one list alone is of it, else the
    branch's name."""
    if not state.lists:
        return {state.modality or "items": ("", state.items)}
    found = list(state.modalities.values())
    label = {name: kind if kind and found.count(kind) == 1 else name for name, kind in state.modalities.items()}
    return {label.get(branch, branch): (branch, items) for branch, items in state.lists.items()}


def merged(
    fused: Sequence[Fused[Place]], lists: Mapping[str, Sequence[Candidate]], chosen: Mapping[Place, Place]
) -> list[Candidate]:
    """One candidate for each fused place: the representative, with the ranks of all and the first line that answers."""
    by_place: dict[Place, Candidate] = {}
    lines: dict[Place, int] = {}
    for items in lists.values():
        for item in items:
            place = chosen[item.place]
            if place == item.place:
                by_place.setdefault(place, item)
            if item.line and not lines.get(place):
                lines[place] = item.line
    return [
        replace(
            by_place[one.key],
            score=one.score,
            ranks={name: rank + 1 for name, rank in one.ranks.items()},
            contributions=dict(one.contributions),
            signals=[],
            line=lines.get(one.key, 0),
        )
        for one in fused
    ]


def scaled(items: Sequence[Candidate], how: str) -> list[float]:
    """Scores of a list with the best at 1; with "range" the worst is at 0. Equal scores are all 1."""
    if not items:
        return []
    scores = [item.score for item in items]
    low, high = min(scores), max(scores)
    base = low if how == "range" or low < 0 else 0.0
    return [(score - base) / (high - base) if high > base else 1.0 for score in scores]


def _finish(state: RetrieverState, items: list[Candidate], weights: dict[str, float], method: str) -> None:
    state.items, state.lists, state.modalities = items, {}, {}
    state.weights = {name: weight for name, weight in weights.items() if weight > 0}
    if state.strategy != "direct":
        state.strategy, state.method = "weighted_rrf", method
