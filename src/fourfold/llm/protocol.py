"""What the program needs of a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: `role` is ``system`` or ``user``."""

    role: str
    content: str


class LanguageModel(Protocol):
    """Writes text, piece by piece."""

    @property
    def name(self) -> str:
        """The model's name as its server knows it."""
        ...

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Iterator[str]:
        """The reply in pieces, at most `max_tokens` long.

        Raises BackendUnavailable, before the first piece or between two, where the model cannot be reached, refuses,
        takes too long or sends what is no reply.
        """
        ...
