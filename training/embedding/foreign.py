"""Tokens that a bundle gains for questions in other languages: words that are read whole, and CJK grams.

A word is taken only where English code and text hardly have it, so that what they are read as does not change: the
vectors of a bundle's own tokens, and hence of everything in English, stay what they were, bit for bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from training.embedding.splitting import grams_of, parts_of

from fourfold.embed.scripts import folded
from fourfold.model.text import is_cjk, words

GRAMS = 11_500
"""Characters and pairs of Chinese and Japanese that get a vector."""
MIN_GRAM = 20
"""Texts below which a gram has too few examples."""
MIN_WORD = 6
"""Texts of one language that hold a word that gets a vector."""
MIN_MARKED = 8
"""The same for a word with marks that is an English word without them (``día``, ``référence``)."""
LONGEST = 40
KNOWN_TEXTS = 900
"""A word of a dictionary, or that is a token already, stays English unless as many foreign texts hold it ..."""
KNOWN_ENGLISH = 2
"""... and at most as many in English."""
ENGLISH_SHARE = 50
"""Otherwise a word may be in one English text, and in one more for each 50 foreign ones ..."""
MOST_ENGLISH = 8
"""... up to 8 of about 186,000."""


@dataclass(slots=True)
class Counts:
    """How many texts hold a word: English ones, those of each language (without marks, and with), and each gram."""

    english: Counter[str] = field(default_factory=Counter)
    foreign: dict[str, Counter[str]] = field(default_factory=dict)
    marked: dict[str, Counter[str]] = field(default_factory=dict)
    grams: Counter[str] = field(default_factory=Counter)

    def add_english(self, texts: Iterable[str]) -> None:
        """Count the words of English texts and of code."""
        for text in texts:
            self.english.update(set(parts_of(text)))

    def add_foreign(self, texts: Iterable[tuple[str, str]]) -> None:
        """Count the words of (language, text)."""
        for language, text in texts:
            if language in ("ja", "zh"):
                self.grams.update(set(grams_of(text)))
                continue
            self.foreign.setdefault(language, Counter()).update(set(parts_of(text)))
            marked = {word.lower() for word in words(text) if not word.isascii() and not is_cjk(word)}
            self.marked.setdefault(language, Counter()).update(marked)


def choose(counts: Counts, known: Collection[str]) -> tuple[list[str], list[str]]:
    """(words, grams), each in order; `known` are the words of English, and those that are one token of the bundle."""
    plain = {
        word
        for word, texts in _commonest(counts.foreign, MIN_WORD)
        if len(word) > 1 and _is_foreign(counts, word, texts, known)
    }
    marked = {word for word, _ in _commonest(counts.marked, MIN_MARKED) if folded(word) not in plain}
    grams = [gram for gram, texts in counts.grams.most_common(GRAMS) if texts >= MIN_GRAM]
    return [*sorted(plain), *sorted(marked)], sorted(grams)


def _commonest(tables: dict[str, Counter[str]], least: int) -> Iterator[tuple[str, int]]:
    """Words and the number of texts in the language that has them most often."""
    most: Counter[str] = Counter()
    for table in tables.values():
        most |= table
    for word, texts in most.items():
        if texts >= least and len(word) <= LONGEST and word.isalpha() and folded(word).isalpha():
            yield word, texts


def _is_foreign(counts: Counts, word: str, texts: int, known: Collection[str]) -> bool:
    if word in known:
        return texts >= KNOWN_TEXTS and counts.english[word] <= KNOWN_ENGLISH
    return counts.english[word] <= min(1 + texts / ENGLISH_SHARE, MOST_ENGLISH)
