"""A text as the tokenizer meets it: lower-case parts of ASCII letters or digits, and grams of CJK runs."""

from __future__ import annotations

from functools import lru_cache

from fourfold.embed.scripts import folded, grams
from fourfold.embed.static import PART, RUN
from fourfold.model.text import MAX_WORD_LENGTH, is_cjk, words


@lru_cache(maxsize=400_000)
def split_word(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(parts, grams) of one word: of one of the two there are none."""
    if is_cjk(word):
        return (), tuple(grams(word))
    text = word if word.isascii() else folded(word)
    runs = RUN.findall(text[:MAX_WORD_LENGTH])
    return tuple(part.lower() for run in runs for part in PART.findall(run)), ()


def parts_of(text: str) -> list[str]:
    """The parts of all words of a text, in order."""
    return [part for word in words(text) for part in split_word(word)[0]]


def grams_of(text: str) -> list[str]:
    """The grams of all CJK runs of a text."""
    return [gram for word in words(text) for gram in split_word(word)[1]]
