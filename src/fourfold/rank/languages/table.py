"""The form of a table of phrasings."""

from __future__ import annotations

Table = dict[str, dict[str, tuple[str, ...]]]
"""Intent -> strength (`strong`, `weak`, `named`, `shaped`) -> regular expressions, and under `cues` the
substrings one of which stands in every text that a pattern of this intent can match. See
:mod:`fourfold.rank.phrases`."""


def cues(text: str) -> tuple[str, ...]:
    """Cues written in one string with bars between them; a blank in a cue is a word boundary."""
    return tuple(text.split("|"))
