"""Whether a question is about anything in particular: words that few files of the package hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from fourfold.evaluate.labels.phrasing import content
from fourfold.model.text import parts

RARE_SHARE = 0.12
"""A word in at most this share of the files (or in :data:`RARE_FILES`) tells files apart."""
RARE_FILES = 3
_WORD = re.compile(r"[^\W\d][\w]*")


class Rarity:
    """How many files hold a part of a word; built once for a package."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._holders: Counter[str] = Counter()
        self._words: dict[str, frozenset[str]] = {}
        stems: dict[str, tuple[str, ...]] = {}
        for path, text in texts.items():
            written = set(_WORD.findall(text))
            for word in written - stems.keys():
                stems[word] = tuple(_stem(part) for part in parts(word))
            found = frozenset(stem for word in written for stem in stems[word])
            self._words[path] = found
            self._holders.update(found)
        self._most = max(RARE_FILES, int(RARE_SHARE * len(texts)))

    def telling(self, question: str) -> int:
        """Number of its content words that are rare in the package."""
        return sum(self._is_rare(word) for word in content(question))

    def share_in(self, question: str, path: str) -> float:
        """Share of its content words that the file holds (by their first six letters)."""
        asked = [_stem(part) for word in content(question) for part in parts(word)]
        held = self._words.get(path, frozenset())
        return sum(part in held for part in asked) / len(asked) if asked else 0.0

    def _is_rare(self, word: str) -> bool:
        return min((self._holders[_stem(part)] for part in parts(word)), default=0) <= self._most


def _stem(part: str) -> str:
    """The first six letters: enough to bring "retries" and "retried" together without a stemmer."""
    return part[:6]
