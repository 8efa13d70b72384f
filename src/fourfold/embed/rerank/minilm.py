"""all-MiniLM-L6-v2 as a re-ranker: how near a question and a text are, as wholes or word by word.

It comes as a package (extra ``minilm``), so that it needs no network; it is a sentence encoder and no cross-encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.embed.providers.minilm import OnnxEncoder
from fourfold.embed.providers.spec import DEFAULT_MODELS, ModelSpec

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOKENS = "tokens"
"""The ``rerank.model`` that compares word by word."""


class MiniLmReranker:
    """Cosines of the question with each text; `by_token`: the mean, over the question's tokens, of the highest cosine
    with any token of the text (MaxSim). Raises BackendUnavailable where the package is missing."""

    def __init__(self, encoder: OnnxEncoder | None = None, *, by_token: bool = False) -> None:
        self._encoder = encoder or OnnxEncoder(ModelSpec("minilm", DEFAULT_MODELS["minilm"]))
        self._by_token = by_token
        facts = self._encoder.facts
        self.identity = f"minilm/{facts.name}@{facts.revision}{'/tokens' if by_token else ''}"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One number a text, -1 to 1."""
        if not self._by_token:
            vectors = _unit(self._encoder.encode([question, *texts], "document"))
            return [float(value) for value in vectors[1:] @ vectors[0]]
        asked, *told = self._encoder.token_vectors([question, *texts])
        words = _inner(asked)
        return [float((words @ _inner(one).T).max(axis=1).mean()) for one in told]


def _inner(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit vectors of the tokens, without those that mark beginning and end (unless there are no others)."""
    return _unit(states[1:-1] if len(states) > 2 else states)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32)
    unit: NDArray[np.float32] = vectors / np.maximum(lengths, np.float32(1e-9))
    return unit
