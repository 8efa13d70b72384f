"""What the program needs of a language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fourfold.llm.usage import Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: `role` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that a model is to decide, as a tool that it must call: `schema` is the JSON schema of the call's
    arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, Any]


class LanguageModel(Protocol):
    """Writes text, piece by piece, and decides."""

    @property
    def name(self) -> str:
        """The model's name as its server knows it."""
        ...

    @property
    def usage(self) -> Usage:
        """What this object has used so far."""
        ...

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Iterator[str]:
        """The reply in pieces, at most `max_tokens` long.

        Raises BackendUnavailable, before the first piece or between two, where the model cannot be reached, refuses,
        takes too long or sends what is no reply.
        """
        ...

    def decide(self, messages: Sequence[Message], decision: Decision, max_tokens: int) -> dict[str, Any]:
        """The arguments with which the model calls the tool: a JSON object that holds the keys its schema requires.
        What the values are is for the caller to check.

        Raises BackendUnavailable as :meth:`stream` does, and where the reply holds no such object.
        """
        ...
