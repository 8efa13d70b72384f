"""Which words a question shares with a place in code: by stems, identifiers taken apart."""

from __future__ import annotations

import re

FUNCTION_WORDS = frozenset(
    """a about above after again against all almost also although always among an and any anyone anything are around as
    at away back be because become becomes been before behind being below between both but by can cannot could
    did do does doing done down during each either else ever every few first for from get gets got had has have
    having he her here him his how i if in into is it its itself just let like made make makes many may me might
    more most much must my no none nor not now of off on once one ones only onto or other our out over own per
    same she should so some such than that the their them then there these they this those through till to too
    two under until up upon us use used uses using very via was we were what when where whether which while who
    whom whose why will with within without would yes yet you your""".split()
)
"""English words that carry no meaning of their own: sharing one of them with a name is no clue."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def stems(text: str) -> set[str]:
    """Stems of the content words of a text: identifiers whole and by their parts, in lower case."""
    import Stemmer

    stem = Stemmer.Stemmer("english").stemWord
    words: set[str] = set()
    for token in _WORD.findall(text.replace("_", " ")):
        words |= {part.lower() for part in _PART.findall(token)} | {token.lower()}
    return {stem(word) for word in words if word not in FUNCTION_WORDS}


def shared(question: str, place: str) -> set[str]:
    """The stems that both have."""
    return stems(question) & stems(place)


def covered(question: str, body: str) -> float:
    """The share of the question's stems that occur in a body of code; 0 for a question without any."""
    asked = stems(question)
    return len(asked & stems(body)) / len(asked) if asked else 0.0
