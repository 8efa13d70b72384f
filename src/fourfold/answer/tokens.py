"""How many tokens a text takes: an estimate that errs on the long side."""

from __future__ import annotations

import math

CHARS_PER_TOKEN = 3.5
"""Source code has 3.5 to 4.5 ASCII characters a token in the usual vocabularies; the low end overestimates."""


def estimate(text: str) -> int:
    """One token for 3.5 ASCII characters, one for each other character (CJK is near one token each)."""
    other = 0 if text.isascii() else sum(character > "\x7f" for character in text)
    return math.ceil((len(text) - other) / CHARS_PER_TOKEN) + other
