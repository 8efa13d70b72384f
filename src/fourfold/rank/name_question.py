"""Questions about one name and nothing else: ``how does PrepareRequest work``, ``PrepareRequest implementation``. Pure.

Whatever their intent, the definition of that name is an answer, and as a rule the one.
"""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.model.text import STOP_WORDS, words
from fourfold.rank.identifiers import is_shaped
from fourfold.rank.languages.stop_words import FOREIGN_STOP_WORDS
from fourfold.rank.path_rules import names
from fourfold.rank.phrase_words import OPENERS, PHRASE_NOUNS
from fourfold.rank.phrases import fold

ABOUT: frozenset[str] = names(
    "implementation implementations implemented implement code source body logic internals work works working worked "
    "do does doing mean means meaning explain explanation describe description understand details purpose definition "
    "defined declaration declared signature documentation docs overview show tell give find see look need want please "
    "funktioniert funktionieren macht bedeutet funciona hace significa fonctionne fait signifie bekerja kerja"
)
"""Words that ask about a name without adding to what is looked for."""
INTENTS = frozenset({"find_definition", "understand_code"})
"""Intents whose answer is the definition; who calls a name, or what is like it, is answered elsewhere."""
_ASKING = ABOUT | PHRASE_NOUNS | OPENERS | STOP_WORDS | FOREIGN_STOP_WORDS


def only_name(text: str, intent: str, identifiers: Sequence[str]) -> str:
    """The name that a question asks about, "" where it asks about more, or about a plain word."""
    asked = [name for name in identifiers if name.lower() not in _ASKING]
    if intent not in INTENTS or len(asked) != 1 or not is_shaped(asked[0]):
        return ""
    own = {word.lower() for word in words(asked[0])}
    rest = {word.lower() for word in words(fold(text))} - own
    return asked[0] if rest <= _ASKING else ""
