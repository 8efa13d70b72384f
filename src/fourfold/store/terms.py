"""Terms: what postings are keyed by. A term is a string; a stored term is 64 bits of its BLAKE2b hash.

Two vocabularies: *raw* terms (a word in lower case and its parts) keep identifiers apart; *stems* bring ``router``,
``routing`` and ``route`` together. A 64-bit key makes vocabularies sortable and mergeable without strings; with ten
million distinct terms the chance of any collision is below 3e-6 (birthday bound n^2 / 2^65).
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from fourfold.model.text import MAX_WORD_LENGTH, is_cjk, parts, terms

_SECOND_SUFFIXES = ("er", "or", "at", "abl", "ment", "al", "iv")
"""Stripped once after the Snowball stem, where at least four letters remain (in a trial: router meets routing)."""


@lru_cache(maxsize=16_384)
def term_hash(term: str) -> int:
    """The stored form of a term: the first eight bytes, little endian, of its BLAKE2b-64."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=131072)
def stem(part: str) -> str:
    """The stem of one lower-case part: English Snowball, then one more suffix of a fixed list."""
    if not part.isascii():
        return part
    result: str = _stemmer().stemWord(part)
    for suffix in _SECOND_SUFFIXES:
        if len(result) > len(suffix) + 3 and result.endswith(suffix):
            return result[: -len(suffix)]
    return result


def analysed(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """:func:`raw_terms` and :func:`stem_terms` of a word that is met once: worked out together, and not remembered."""
    if is_cjk(word):
        both = _cjk_terms(word)
        return both, both
    split = parts.__wrapped__(word)
    whole = word[:MAX_WORD_LENGTH].lower()
    raw = (whole, *split) if len(split) > 1 else (whole,)
    return raw, tuple(stem(part) for part in split if len(part) > 1 and not part.isdigit())


def raw_terms(word: str) -> tuple[str, ...]:
    """Raw terms a word is indexed under: itself in lower case and its parts."""
    return _cjk_terms(word) if is_cjk(word) else terms(word)


def _cjk_terms(run: str) -> tuple[str, ...]:
    """Bigrams of a CJK run, and its single characters: a question may be one character long."""
    return parts(run) if len(run) == 1 else (*parts(run), *run[:MAX_WORD_LENGTH])


def stem_terms(word: str) -> tuple[str, ...]:
    """Stems a word is indexed under; single letters and numbers carry no meaning of their own and are left out."""
    if is_cjk(word):
        return _cjk_terms(word)
    return tuple(stem(part) for part in parts(word) if len(part) > 1 and not part.isdigit())
