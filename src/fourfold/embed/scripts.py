"""Words that are not plain ASCII, as the bundled model reads them.

Letters with marks lose them (``función`` -> ``funcion``, ``größe`` -> ``grosse``), so that words of languages in
Latin script are read by the one alphabet of the model. A run of Chinese, Japanese or Korean characters is read by its
characters and by its pairs of neighbours.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from fourfold.model.text import MAX_WORD_LENGTH

_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "Æ": "Ae",
                          "Œ": "Oe", "Ø": "O", "Ł": "L", "Đ": "D"})  # fmt: skip
"""Letters that Unicode does not take apart into a letter and a mark."""


def folded(word: str) -> str:
    """The word with letters of ASCII alone where it has any; what cannot be folded becomes a question mark."""
    apart = unicodedata.normalize("NFKD", word.translate(_LETTERS))
    kept = "".join(char for char in apart if not unicodedata.combining(char))
    return kept.encode("ascii", "replace").decode("ascii")


def grams(run: str) -> Iterator[str]:
    """Characters and pairs of neighbours of a run of CJK characters, of its first 128."""
    plain = unicodedata.normalize("NFKC", run[:MAX_WORD_LENGTH])
    yield from plain
    yield from (plain[at : at + 2] for at in range(len(plain) - 1))
