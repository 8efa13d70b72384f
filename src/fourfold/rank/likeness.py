"""How alike two pieces of code are, by name and by words. Pure."""

from __future__ import annotations

from collections.abc import Set

from fourfold.model.chunk import FUNCTION_KINDS, TYPE_KINDS
from fourfold.model.text import parts

MEANING, WORDS, NAME = 0.4, 0.25, 0.35
"""Shares of the cosine of the vectors, of the common words and of the names. Siblings are most often told by their
names (``mergeGitignore``, ``mergeGitattributes``), copies by their words, the rest by meaning."""


def common_share(first: Set[str], second: Set[str]) -> float:
    """The Dice coefficient: twice the number of common elements by that of all; 0 where one set is empty."""
    total = len(first) + len(second)
    return 2.0 * len(first & second) / total if first and second else 0.0


def name_likeness(first: str, second: str) -> float:
    """1 for the same name, else the share of common parts (``isPostgresError``, ``isSqliteError``: 2/3)."""
    if first.lower() == second.lower():
        return 1.0
    return common_share(frozenset(parts(first)), frozenset(parts(second)))


def same_family(first: str, second: str) -> bool:
    """True for two kinds that are both called, both types, or both neither."""
    return (first in FUNCTION_KINDS, first in TYPE_KINDS) == (second in FUNCTION_KINDS, second in TYPE_KINDS)


def likeness(meaning: float, words: float, name: float) -> float:
    """The score of a candidate from its three parts, each from 0 to 1."""
    return MEANING * max(meaning, 0.0) + WORDS * words + NAME * name
