"""What every re-ranking model is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Reads pairs of question and text."""

    @property
    def identity(self) -> str:
        """Names the model exactly: scores are kept under it."""
        ...

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, higher is better, in no fixed unit; one finite number a text.

        Raises BackendUnavailable where the model cannot be used.
        """
        ...
