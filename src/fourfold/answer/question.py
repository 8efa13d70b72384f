"""What exactly is asked: which way along the graph, and whether one question holds several."""

from __future__ import annotations

import re

MAX_QUESTIONS = 3
"""Questions within one that are answered apart."""

_NEXT = re.compile(
    r"[?;.]\s+(?=\S+\s+\S+\s+\S)|,?\s+and\s+(?=(?:how|where|what|who|which|why|when)\b(?:\s+\S+){2})", re.IGNORECASE
)
_LEANS = re.compile(r"\b(?:it|its|they|them|their|this|that|these|those|he|she)\b", re.IGNORECASE)
"""A question that leans on the one before it is no question of its own."""
_WAYS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (direction, re.compile(pattern, re.IGNORECASE))
    for direction, pattern in (
        ("tests", r"\btests?\b.*\b(?:cover|exercis|test|reach|check|for|of)|\btested\b"),
        (
            "inherits",
            r"\b(?:do|does|did)\b.*\b(?:inherit|extend|subclass|derive|implement)"
            r"|\b(?:base class|superclass|parent class)",
        ),
        ("inheritors", r"\b(?:inherit|extend|subclass|implement|deriv|child class)"),
        ("overrides", r"\boverrid"),
        ("imports", r"\b(?:do|does|did)\b.*\bimport\b|\bimports of\b"),
        ("importers", r"\bimport"),
        ("callees", r"\b(?:do|does|did)\b.*\b(?:call|invoke)\b|\bcallees\b|\bcalled by\b|\bcalls made by\b"),
        ("callers", r"\b(?:call|invo[ck])"),
    )
)
_WAY_OF_CALLED_BY = re.compile(r"^\W*who\b|\bwhere\b", re.IGNORECASE)


def way(text: str) -> str:
    """The direction of :data:`fourfold.model.query.DIRECTIONS` that a question about references asks for."""
    for direction, pattern in _WAYS:
        if pattern.search(text):
            if direction == "callees" and _WAY_OF_CALLED_BY.search(text):
                return "callers"  # where does X get called, who does call X
            return direction
    return "uses"


def split(text: str) -> list[str]:
    """The questions within a question, at most three; the text itself where it is one, or holds code or quotes."""
    if "\n" in text.strip() or '"' in text or "`" in text:
        return [text]
    found = [part.strip(" ?;.,") for part in _NEXT.split(text)]
    several = 1 < len(found) <= MAX_QUESTIONS and all(found)
    return found if several and not any(map(_LEANS.search, found[1:])) else [text]
