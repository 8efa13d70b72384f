"""The learned order as a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fourfold.pipeline.steps.base import Step, param
from fourfold.pipeline.steps.fusion import scaled

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState

FURTHER_FILES = 20
"""Files whose further good chunks may stand in the list, where the caller gives no limit."""


@dataclass(frozen=True)
class FeatureRerank(Step):
    """Files by the learned sum of features, each with its best chunk. `candidates`: the files that the evidence itself
    brings in ("own"), those of the list too ("both"), or those of the list alone ("given"). `blend` is what the list's
    own score, relative to its best, adds to a file (of the list).

    Boosts and demotions are features here: a pipeline does not apply them a second time.

    Example: ``feature_rerank: {candidates: both}``
    """

    type: ClassVar[str] = "feature_rerank"
    candidates: str = param("own", "which files are ranked", choices=("own", "both", "given"))
    blend: float = param(0.0, "worth of the best score of the list so far", minimum=0, maximum=100)

    def apply(self, state: RetrieverState) -> None:
        """Rank."""
        index = state.index
        given = state.items
        paths = [item.path for item in given]
        ranks = {item.chunk: item.ranks for item in given}
        extra = dict(zip(paths[::-1], [self.blend * value for value in scaled(given, "max")][::-1], strict=True))
        depth = 2 * state.limit if state.limit else FURTHER_FILES
        answer = index.rank_files(
            state.understood,
            state.question,
            state.allowed,
            depth=depth,
            also=() if self.candidates == "own" else tuple(dict.fromkeys(paths)),
            bonus=extra if self.blend else None,
        )
        state.take_ranked(answer.items)
        for item in state.items:
            item.ranks = {**ranks.get(item.chunk, {}), **item.ranks}
        if self.candidates == "given":
            state.items = [item for item in state.items if item.path in extra]
        state.lists, state.modalities, state.strategy = {}, {}, answer.strategy
        state.weights, state.method = answer.weights, answer.method
