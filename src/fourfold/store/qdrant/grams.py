"""Trigrams of texts as small numbers: what a payload index narrows literals with.

A trigram of the case-folded text becomes one of 65,536 numbers. Case folding goes character by character, so that the
trigrams of a text hold those of every literal in it, in any case. A false candidate costs one look at its text: with
1,200 distinct trigrams a file (django's mean) a foreign trigram is met by chance in 1.8 % of files, three in 6e-6.
"""

from __future__ import annotations

from collections.abc import Sequence

BUCKETS_BITS = 16
MAX_GRAMS = 32
"""Trigrams of one alternative that are asked for: more narrow no further and cost a look-up each."""
MAX_ALTERNATIVES = 64
"""Alternatives beyond which every file is looked at."""

_FACTORS = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
"""Odd 32-bit primes (those of xxHash): each shifts every bit of a code point into the upper half of the sum."""


def grams(text: str) -> list[int]:
    """The distinct trigram numbers of a text, ascending; empty below three characters."""
    import numpy as np

    points = np.frombuffer(text.casefold().encode("utf-32-le", "surrogatepass"), "<u4")
    if len(points) < 3:
        return []
    total = sum(points[at : len(points) - 2 + at] * np.uint32(factor) for at, factor in enumerate(_FACTORS))
    found: list[int] = np.unique(np.asarray(total, np.uint32) >> np.uint32(32 - BUCKETS_BITS)).tolist()
    return found


def alternatives(required: Sequence[Sequence[str]]) -> list[tuple[int, ...]] | None:
    """The trigram numbers that each alternative of `required` needs; None where one of them needs none."""
    found: set[tuple[int, ...]] = set()
    for literals in required:
        needed = sorted({gram for literal in literals for gram in grams(literal)})
        if not needed:
            return None
        step = -(-len(needed) // MAX_GRAMS)
        found.add(tuple(needed[::step]))
        if len(found) > MAX_ALTERNATIVES:
            return None
    return sorted(found) or None
