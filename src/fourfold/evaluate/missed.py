"""Why a question was missed: whether the right place was a candidate at all, and where it stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.evaluate.metrics import TOP_K, Place, hits, same_path
from fourfold.evaluate.question import Question

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.evaluate.configuration import Configuration

NOT_IN_POOL = "not in the pool"
LOW = "in the pool but low"
WRONG_LINES = "right file, wrong lines"
REASONS: tuple[str, ...] = (WRONG_LINES, LOW, NOT_IN_POOL)


@dataclass(frozen=True, slots=True)
class Miss:
    """Why nothing right was among the first ten. `rank` is where the best right place, or a place of its file, stood
    among all `pool` candidates; 0 where it was none."""

    reason: str
    rank: int
    pool: int
    candidate: Place | None = None

    @property
    def sentence(self) -> str:
        """In words."""
        if self.reason == NOT_IN_POOL:
            return f"{NOT_IN_POOL}: no candidate of {self.pool:,} is in a right file"
        where = f"{self.candidate.path}:{self.candidate.start_line}-{self.candidate.end_line}" if self.candidate else ""
        if self.reason == WRONG_LINES:
            return f"{WRONG_LINES}: rank {self.rank} showed {where}"
        return f"{LOW}: rank {self.rank:,} of {self.pool:,} ({where})"


def explain_miss(index: Index, configuration: Configuration, question: Question, results: Sequence[Place]) -> Miss:
    """Look at all candidates of a question that was missed. `results` are the first ten."""
    pool = candidates(index, configuration, question.text)
    for rank, place in enumerate(results[:TOP_K], 1):
        if any(same_path(place.path, target.path) for target in question.targets):
            return Miss(WRONG_LINES, rank, len(pool), place)
    for right in (hits, _same_file):
        for rank, place in enumerate(pool, 1):
            if any(right(place, target) for target in question.targets):
                return Miss(LOW, rank, len(pool), place)
    return Miss(NOT_IN_POOL, 0, len(pool))


def _same_file(place: Place, target: object) -> bool:
    return same_path(place.path, getattr(target, "path", ""))


def candidates(index: Index, configuration: Configuration, text: str) -> list[Place]:
    """Every place that the preset considers for a question, best first."""
    from fourfold.pipeline.state import RetrieverState, SearchQuery

    state = RetrieverState(SearchQuery(text), limit=TOP_K, k=configuration.k or None, ranked=True)
    index.pipeline(configuration.preset).apply(state)
    return [Place(item.path, item.start_line, item.end_line) for item in (*state.items, *state.rest)]
