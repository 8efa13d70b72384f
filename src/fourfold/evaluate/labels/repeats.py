"""Whether a sentence stands in a package more than once: blanked in one place, it would still answer from another."""

from __future__ import annotations

import re
from collections.abc import Mapping

LOOKED_FOR = slice(1, 8)
"""Words of a sentence that are looked for; the first differs ("Return", "returns") where the rest was copied."""
FEWEST = 3
_NO_WORD = re.compile(r"[^a-z0-9]+")


class Repeats:
    """All texts of a package as lower-case words with single blanks between."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._all = "\n".join(f" {_plain(text)} " for text in texts.values())

    def is_repeated(self, sentence: str) -> bool:
        """True where the words stand in two places at least; False for a sentence too short to tell."""
        said = _plain(sentence).split()[LOOKED_FOR]
        if len(said) < FEWEST:
            return False
        phrase = f" {' '.join(said)} "
        first = self._all.find(phrase)
        return first >= 0 and self._all.find(phrase, first + 1) >= 0


def _plain(text: str) -> str:
    return _NO_WORD.sub(" ", text.lower()).strip()
