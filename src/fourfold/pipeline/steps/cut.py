"""Steps that cut the list; what they cut is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fourfold.pipeline.compose import compose
from fourfold.pipeline.state import DEFAULT_LIMIT
from fourfold.pipeline.steps.base import Step, param
from fourfold.rank.diversify import DEFAULT_TOKEN_BUDGET

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState


@dataclass(frozen=True)
class TopKFilter(Step):
    """Keeps the first `k` candidates, and of those only the ones that score at least `min_share` of the best.

    Example: ``top_k_filter: {k: 20, min_share: 0.3}``
    """

    type: ClassVar[str] = "top_k_filter"
    k: int = param(50, "candidates that stay", minimum=1, maximum=10_000)
    min_share: float = param(0.0, "least share of the best score", minimum=0, maximum=1)

    def apply(self, state: RetrieverState) -> None:
        """Cut."""
        size = max(self.k, state.limit or 0)
        least = state.items[0].score * self.min_share if state.items and self.min_share else float("-inf")
        kept = [item for item in state.items[:size] if item.score >= least]
        state.dropped += len(state.items) - len(kept)
        state.items = kept


@dataclass(frozen=True)
class Limit(Step):
    """The first `count` candidates (or as many as the caller asks for); the others wait in the state's `rest`.

    Example: ``limit: {count: 5}``
    """

    type: ClassVar[str] = "limit"
    count: int = param(DEFAULT_LIMIT, "results, where the caller does not say how many", minimum=1, maximum=1_000)

    def apply(self, state: RetrieverState) -> None:
        """Cut."""
        size = state.limit or self.count
        state.rest = [*state.items[size:], *state.rest]
        state.dropped += max(0, len(state.items) - size)
        state.items = state.items[:size]


@dataclass(frozen=True)
class TokenBudgetFormatter(Step):
    """Composes one text of the candidates: each place with its code, in order, as far as `budget` goes; what does not
    fit is named at the end. With ``ranked: true`` the list stays a list.

    Example: ``token_budget_formatter: {budget: 4000}``
    """

    type: ClassVar[str] = "token_budget_formatter"
    budget: int = param(DEFAULT_TOKEN_BUDGET, "tokens of the text, about", minimum=1, maximum=1_000_000)
    ranked: bool = param(False, "a ranked list instead of a text")

    def apply(self, state: RetrieverState) -> None:
        """Compose."""
        if not (self.ranked or state.ranked):
            composed = compose(state.index.snapshot, state.items, self.budget)
            state.text = composed.text
            state.dropped += composed.dropped
            state.rest = [*state.items[composed.shown :], *state.rest]
            state.items = state.items[: composed.shown]
