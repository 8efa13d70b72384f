"""How long a reply may be, in tokens as :func:`fourfold.answer.tokens.estimate` counts them."""

from __future__ import annotations

DEFAULT_TOKENS = 4_000
MAX_TOKENS = 20_000
"""Hard ceiling of a reply: clients refuse results above 25,000 tokens as they count them."""
MIN_TOKENS = 200
