"""A step that finds code like a symbol that the question names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fourfold.pipeline.steps.base import Step, param

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState


@dataclass(frozen=True)
class SimilarFetcher(Step):
    """Definitions like the one that the question names: by name, words and meaning. None where it names nothing that is
    defined here. Tests and the like are demoted already.

    Example: ``similar_fetcher``
    """

    type: ClassVar[str] = "similar_fetcher"
    pool: int = param(100, "hits at most", minimum=1, maximum=10_000)

    def apply(self, state: RetrieverState) -> None:
        """Fetch."""
        from fourfold.pipeline.structure.similar import like_named

        answer = like_named(state.index, state.understood, state.question)
        state.take_ranked(answer.items[: self.pool])
        state.weights, state.method = answer.weights, answer.method
