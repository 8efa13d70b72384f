"""Tables of names, written as text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of `text`, separated by blanks or line ends."""
    return frozenset(text.split())
