"""From a documentation text, a test's name or a commit's subject to what a person would type."""

from __future__ import annotations

import random
import re

from fourfold.evaluate.labels.patterns import (
    BARE_VERBS,
    BRIEF,
    CODE_MARKS,
    DULL,
    DULL_OPENING,
    FILE_NAME,
    FILLERS,
    GIVEN,
    HANGING,
    HASKELL_QUOTES,
    MARKED_LINES,
    NEXT_SENTENCE,
    REFERENCE,
    SELF,
    SIGNATURE_LIKE,
    VERBS,
)
from fourfold.evaluate.labels.sentences import first_sentence
from fourfold.model.text import STOP_WORDS, parts, words

FEWEST_WORDS = 4
"""Shorter questions are names, or say too little."""
CUT = (5, 9)
"""Content words of a question that was cut down."""
NAMED_SHARE = 0.34
"""From this share of content words on that are words of the thing's own name, a question is called named."""
ASKED_SHARE = 0.45
"""Share of whole sentences that are put as a question."""


def sentence_of(doc: str, name: str) -> str | None:
    """The first sentence of a documentation as a person would say it, None where it makes no question."""
    text = MARKED_LINES.sub("", doc)
    text = BRIEF.sub("", CODE_MARKS.sub("", REFERENCE.sub(r"\1", text)))
    found = first_sentence(text)
    if found is None:
        return None
    found = FILE_NAME.sub("", HASKELL_QUOTES.sub(r"\1\2", NEXT_SENTENCE.sub("", found)))
    found = GIVEN.sub(r"\1 ", SELF.sub("", _without_own_name(found, name))).strip(" .,:;-")
    if torn(found) or found.lower().startswith("this "):
        return None
    if DULL.search(found) or SIGNATURE_LIKE.search(found) or len(found.split()) < FEWEST_WORDS:
        return None
    return found


def torn(text: str) -> bool:
    """True where the text ends on a word that cannot end a sentence, or opens a bracket or quote without closing it."""
    return bool(HANGING.search(text)) or text.count("(") != text.count(")") or text.count('"') % 2 == 1


def content(text: str) -> list[str]:
    """The words of a question that carry meaning, as written, a repeated one once."""
    return list(dict.fromkeys(word for word in words(text) if word.lower() not in STOP_WORDS and len(word) > 1))


def named_share(text: str, name: str) -> float:
    """Share of the content words that begin like a word of the name (their first five letters, or all)."""
    own = [part for part in parts(name) if len(part) > 1]
    asked = content(text)
    met = sum(any(_alike(piece, part) for piece in parts(word) for part in own) for word in asked)
    return met / len(asked) if asked else 1.0


def cut(text: str, rng: random.Random) -> str | None:
    """Five to nine of the content words in their order, from the first on; None where there are fewer."""
    kept = [word for word in content(DULL_OPENING.sub("", text)) if word.lower() not in FILLERS]
    if len(kept) < CUT[0] or re.search(r"\w\.\w+\.\w", text):
        return None  # too few, or a dotted name would be torn apart
    opening = kept[0].lower() if kept[0].istitle() else kept[0]
    return " ".join([opening, *kept[1 : rng.randint(*CUT)]])


def asked(sentence: str, rng: random.Random) -> str:
    """The sentence, or (for :data:`ASKED_SHARE` of those that begin with a verb) a question made of it."""
    first, _, rest = sentence.partition(" ")
    base = VERBS.get(first.lower()) or (first.lower() if first.lower() in BARE_VERBS else None)
    if base is None or rng.random() >= ASKED_SHARE:
        return sentence
    opening = rng.choice(("how to {}", "how do we {}", "where do we {}", "code to {}", "how does it {}"))
    return f"{opening.format(base)} {rest}"


def _without_own_name(sentence: str, name: str) -> str:
    """``Merge merges two maps`` -> ``merges two maps``: Go, and others, begin with the name itself."""
    opening = re.match(rf"(?:The )?{re.escape(name)}(?:\(\))?,?\s+(?:is (?:an? |the )?)?", sentence)
    rest = sentence[opening.end() :] if opening else sentence
    return rest if opening is None or len(rest.split()) >= FEWEST_WORDS else sentence


def _alike(first: str, second: str) -> bool:
    shared = min(5, len(first), len(second))
    return first == second or (shared >= 3 and first[:shared] == second[:shared])
