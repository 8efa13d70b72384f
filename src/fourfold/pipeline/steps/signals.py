"""Steps that change scores by what a candidate is: a definition that was named, a path that was meant, a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fourfold.pipeline.steps.base import Step, param
from fourfold.rank.demotion import demote
from fourfold.rank.signals import DEFINITION_FACTOR, PATH_SLOPE, definition_factor, path_factor
from fourfold.retrieve.structural import structural_hits

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState

MAX_DEFINITIONS = 1_000


@dataclass(frozen=True)
class NameSignals(Step):
    """Boosts candidates that define a name of the question (`definition`), and those whose path holds words of it
    (``1 + path * share of the words``).

    Example: ``name_signals: {definition: 2}``
    """

    type: ClassVar[str] = "name_signals"
    definition: float = param(DEFINITION_FACTOR, "factor of a definition written as asked", minimum=1, maximum=10)
    path: float = param(PATH_SLOPE, "what a path gains that holds all words of the question", minimum=0, maximum=10)

    def apply(self, state: RetrieverState) -> None:
        """Boost and sort."""
        index, question = state.index, state.question
        hits = structural_hits(index.corpus, state.understood.identifiers, MAX_DEFINITIONS, state.allowed)
        defining = {hit.chunk: hit.score for hit in hits}
        shares = index.path_shares(question, [item.path for item in state.items])
        for item, share in zip(state.items, shares, strict=True):
            named = definition_factor(defining.get(item.chunk), self.definition)
            if named != 1.0:
                item.multiply("definition", named)
            placed = path_factor(share, self.path)
            if placed != 1.0:
                item.multiply("path", placed)
        state.sort()


@dataclass(frozen=True)
class MessagesFirst(Step):
    """Where the question is a message as it is pasted, the places whose text makes it come first, placeholders of it
    filled in. Part of ``feature_rerank``.

    Example: ``messages_first``
    """

    type: ClassVar[str] = "messages_first"

    def apply(self, state: RetrieverState) -> None:
        """Put them first."""
        given = [item.ranked() for item in state.items]
        found = state.index.messages_first(state.understood, state.question, given, state.allowed)
        if found and found[0].makes_message:
            state.take_ranked(found)


@dataclass(frozen=True)
class PathDemotion(Step):
    """Demotes vendored, built, archived, generated and compatibility code, and tests, examples and documentation unless
    the question asks for them. To be the last change of a score.

    Example: ``path_demotion``
    """

    type: ClassVar[str] = "path_demotion"

    def apply(self, state: RetrieverState) -> None:
        """Demote and sort."""
        wanted = state.wanted
        for item in state.items:
            score, signals = demote(item.score, item.path, wanted)
            factor = score / item.score if item.score else 1.0
            item.contributions = {key: value * factor for key, value in item.contributions.items()}
            item.score = score
            item.signals = [*item.signals, *signals]
        state.sort()
