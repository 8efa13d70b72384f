"""How much each modality counts for each intent, and when one of them may answer alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fourfold.model.errors import UsageError
from fourfold.model.query import INTENTS, MODALITIES, Query
from fourfold.model.text import STOP_WORDS, words
from fourfold.rank.identifiers import is_shaped, last_segment

WEIGHTS: dict[str, dict[str, float]] = {
    "find_definition": {"semantic": 0.2, "text": 0.1, "structural": 0.6, "graph": 0.1},
    "find_references": {"semantic": 0.1, "text": 0.2, "structural": 0.2, "graph": 0.5},
    "understand_code": {"semantic": 0.5, "text": 0.2, "structural": 0.2, "graph": 0.1},
    "find_similar": {"semantic": 0.4, "text": 0.3, "structural": 0.2, "graph": 0.1},
    "impact_analysis": {"semantic": 0.1, "text": 0.1, "structural": 0.1, "graph": 0.7},
    "exact_match": {"semantic": 0.0, "text": 0.9, "structural": 0.1, "graph": 0.0},
}
"""The published priors of multi-modal code search; every row sums to 1. A weight of 0: the retriever is not
run."""

DIRECT_CONFIDENCE = 0.85
"""From this confidence on the dominant modality answers alone (published contract)."""

DIRECT_MAX_CHARS = 300
"""A longer text is no normal question: a pasted file or trace has more than one thing to say."""

NAMED_WORDS = 4
"""Words that say something in a question about a plain name, at most: ``what breaks if I change session``."""

NAMED_INTENTS: frozenset[str] = frozenset({"find_definition", "find_references", "impact_analysis"})
"""Intents that are about a name: without one that the index knows, one modality alone would find nothing."""

GRAPH_INTENTS: frozenset[str] = frozenset({"find_references", "impact_analysis"})
"""Intents that ask for the graph: only these bring it into the preset `default`."""


def weights_for(intent: str, overrides: Mapping[str, float] | None = None) -> dict[str, float]:
    """The weights of an intent, those in `overrides` replaced.

    Raises :class:`UsageError` for an unknown intent or modality.
    """
    if intent not in WEIGHTS:
        raise UsageError(f"Unknown intent: {intent}.", hint=f"Intents: {', '.join(INTENTS)}.")
    for name in overrides or {}:
        if name not in MODALITIES:
            raise UsageError(f"Unknown modality: {name}.", hint=f"Modalities: {', '.join(MODALITIES)}.")
    return {**WEIGHTS[intent], **(overrides or {})}


def is_described(text: str, names: Sequence[str]) -> bool:
    """True where a question has no name whose form says so and more words than a question about a plain name needs:
    what it asks about is described (``who calls the function that empties a queue``), its words are no names."""
    if any(is_shaped(name) for name in names):
        return False
    return len({word for word in words(text.lower()) if word not in STOP_WORDS}) > NAMED_WORDS


def dominant_modality(intent: str) -> str:
    """The modality with the greatest weight."""
    weights = weights_for(intent)
    return max(MODALITIES, key=lambda name: weights[name])


def direct_modality(query: Query, known: Callable[[str], bool]) -> str | None:
    """The modality that may answer alone, or None where the fused path has to run.

    Direct are queries of confidence 0.85 and more, at most 300 characters long, which for definitions,
    references and impact hold a name that the index knows (a qualified one also by its last part), and for
    exact matches a literal.
    """
    if query.confidence < DIRECT_CONFIDENCE or len(query.text) > DIRECT_MAX_CHARS:
        return None
    if query.intent in NAMED_INTENTS:
        # Where a name stands out by its shape, plain words beside it that happen to be names are not what is asked for.
        names = [name for name in query.identifiers if is_shaped(name)] or query.identifiers
        if not any(known(name) or known(last_segment(name)) for name in names):
            return None
        if query.intent in GRAPH_INTENTS and is_described(query.text, names):
            return None
    elif query.intent == "exact_match" and not query.literal:
        return None
    return dominant_modality(query.intent)
