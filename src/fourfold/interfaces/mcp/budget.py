"""How long a reply may be: an estimate of tokens that errs on the long side."""

from __future__ import annotations

import math

DEFAULT_TOKENS = 4_000
MAX_TOKENS = 20_000
"""Hard ceiling of a reply: clients refuse results above 25,000 tokens as they count them."""
MIN_TOKENS = 200

CHARS_PER_TOKEN = 3.5
"""Source code has 3.5 to 4.5 ASCII characters per token in the usual vocabularies; the low end overestimates."""


def estimate(text: str) -> int:
    """Tokens of a text: one for 3.5 ASCII characters, one for each other character (CJK is near one token each)."""
    other = 0 if text.isascii() else sum(character > "\x7f" for character in text)
    return math.ceil((len(text) - other) / CHARS_PER_TOKEN) + other
