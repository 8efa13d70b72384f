"""A step for questions about uses of something that is described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fourfold.pipeline.steps.base import Step
from fourfold.rank.weights import GRAPH_INTENTS

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState


@dataclass(frozen=True)
class UsesOfDescribed(Step):
    """For a question about uses or impact: behind each of the two best places what the graph knows to use their
    definitions. Other questions are left as they are.

    Example: ``uses_of_described``
    """

    type: ClassVar[str] = "uses_of_described"

    def apply(self, state: RetrieverState) -> None:
        """Put the uses behind what they use."""
        from fourfold.pipeline.described import with_uses

        if state.understood.intent in GRAPH_INTENTS:
            ranked = [item.ranked() for item in state.items]
            state.take_ranked(with_uses(state.index, state.understood, ranked, state.allowed))
