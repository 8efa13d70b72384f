"""Words of code and of questions: the one tokenisation that every retriever shares.

A *word* is an identifier (``parse_config``, ``HTTPServer``), a number, or one run of CJK characters. A word has
*parts* (``parse``, ``config``; ``http``, ``server``), split at underscores, at case changes and between letters and
digits; a CJK run has its character bigrams (and, where it is one character long, that character).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

TOKENIZER_VERSION = "2"
"""Written into every index; a change of any rule in this module changes it and so rebuilds the postings."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\uff66-\uff9f"
_ASCII_WORD = re.compile(r"[A-Za-z_]\w*|\d+", re.ASCII)
"""Words of a text without other letters; the underscore is a letter here."""
_FIRST_CJK = "\u3040"
_PART_PATTERN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_UNICODE_PART_PATTERN = re.compile(r"[^\W\d_]+|\d+")

MAX_WORD_LENGTH = 128
"""Longer words (base64, minified names) are kept by their first 128 characters."""


def words(text: str) -> list[str]:
    """All words of `text` in order, as written."""
    return (_ASCII_WORD if text.isascii() else _unicode_word()).findall(text)


@cache
def _unicode_word() -> re.Pattern[str]:
    """Words of any text: Unicode letters count. Compiled when needed: it takes longer than most questions."""
    return re.compile(rf"[{_CJK}]+|[^\W\d{_CJK}][^\W{_CJK}]*|\d+")


@cache
def _cjk() -> re.Pattern[str]:
    return re.compile(rf"[{_CJK}]")


def is_cjk(word: str) -> bool:
    """True where the word is a run of Chinese, Japanese or Korean characters."""
    return word >= _FIRST_CJK and _cjk().match(word) is not None


@lru_cache(maxsize=65536)
def parts(word: str) -> tuple[str, ...]:
    """The lower-case parts of a word: ``parseHTTPResponse2`` -> ``parse http response 2``; CJK runs -> bigrams."""
    word = word[:MAX_WORD_LENGTH]
    if is_cjk(word):
        return (word,) if len(word) == 1 else tuple(word[i : i + 2] for i in range(len(word) - 1))
    pattern = _PART_PATTERN if word.isascii() else _UNICODE_PART_PATTERN
    return tuple(part.lower() for part in pattern.findall(word))


@lru_cache(maxsize=65536)
def terms(word: str) -> tuple[str, ...]:
    """What a word is indexed under: the whole in lower case and, where it has several, its parts."""
    split = parts(word)
    if is_cjk(word):
        return split
    whole = word[:MAX_WORD_LENGTH].lower()
    return (whole, *split) if len(split) > 1 else (whole,)


STOP_WORDS: frozenset[str] = frozenset(
    "a an and are as at be by can do does for from get gets had has have how i if in into is it its me my "
    "not of on or s show t tell that the their there these this to us use used uses using via was we were "
    "what when where which who why will with you your find".split()
)
"""English words that carry no content in a question about code."""
