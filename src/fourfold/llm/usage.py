"""What a language model has used: requests, tokens, and what that costs where the prices are known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourfold.llm.protocol import Message

CHARS_PER_TOKEN = 3.5
"""For servers that do not count: source code has 3.5 to 4.5 characters a token; the low end overestimates."""


@dataclass(slots=True)
class Usage:
    """A running sum. Prices are in US dollars a million tokens (0: not known); `estimated` is true where a server told
    no numbers and the tokens were reckoned from the length of the texts."""

    input_price: float = 0.0
    output_price: float = 0.0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False

    @property
    def cost(self) -> float:
        """US dollars; 0 where no price is known."""
        return (self.input_tokens * self.input_price + self.output_tokens * self.output_price) / 1_000_000

    @property
    def words(self) -> str:
        """``1,204 + 87 tokens, $0.0012``; "" where nothing was asked."""
        if not self.requests:
            return ""
        about = "about " if self.estimated else ""
        text = f"{about}{self.input_tokens:,} + {self.output_tokens:,} tokens"
        if self.requests > 1:
            text += f" in {self.requests} requests"
        return f"{text}, ${self.cost:.4f}" if self.cost else text

    def add(self, input_tokens: int, output_tokens: int) -> None:
        """Count one request as its server did."""
        self.requests += 1
        self.input_tokens += max(input_tokens, 0)
        self.output_tokens += max(output_tokens, 0)

    def estimate(self, messages: Sequence[Message], reply_chars: int) -> None:
        """Count one request by the length of its texts."""
        sent = sum(len(message.content) for message in messages)
        self.add(math.ceil(sent / CHARS_PER_TOKEN), math.ceil(reply_chars / CHARS_PER_TOKEN))
        self.estimated = True
