"""Follow-up questions: what "it" means is what the answer before was about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fourfold.model.answer import Turn
from fourfold.rank.identifiers import is_shaped

_NOUN = r"(?:function|method|class|type|module|file|symbol|struct|interface|trait|constant|variable|code|one|thing)"
_MEANT = re.compile(
    rf"\b(?:(?:this|that|these|those|the\s+same)\s+{_NOUN}s?|its|it|they|them|their|(?:this|that)(?=\s*[?.!]?\s*$))\b",
    re.IGNORECASE,
)
"""Words that stand for what was spoken of: pronouns, and "this function"; "this" and "that" alone only at the end."""
_LEANING = re.compile(r"^\W*(?:and|but|also|what about|how about|what else|who else|where else|why)\b", re.IGNORECASE)
SHORT = 7
"""Words of a question that begins by leaning on the one before it and names nothing of its own."""


def resolved(question: str, thread: Sequence[Turn]) -> str:
    """The question with what it leans on put in: ``who calls it`` after a question about `send` is ``who calls send``.

    The question itself where it leans on nothing, names something itself, or nothing was spoken of.
    """
    name = next((turn.about[0] for turn in reversed(thread) if turn.about), "")
    if not name or any(map(is_shaped, re.findall(r"[^\W\d][\w.]*", question))):
        return question
    if _MEANT.search(question):
        return _MEANT.sub(name, question, count=1)
    if _LEANING.match(question) and len(question.split()) <= SHORT:
        return f"{question.rstrip(' ?.!')} {name}"
    return question
