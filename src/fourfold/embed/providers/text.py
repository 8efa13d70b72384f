"""An :class:`~fourfold.embed.protocol.Embedder` over any encoder of texts: how a chunk is written down for it, cut to
what it reads, and its vectors brought to unit length."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.embed.protocol import EmbedInput, ModelIdentity
from fourfold.embed.providers.encoder import DOCUMENT, QUERY
from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.embed.providers.encoder import Encoder, ModelFacts

LAYOUT = "header-1"
"""Version of how a chunk is written down; part of every identity, since other words have another vector."""
CHARS_PER_TOKEN = 3
"""ASCII characters of code that a token holds at the least, about: 3.0 to 3.6 by tokenizers of BERT, Qwen and OpenAI's
models. Any other character counts as a token."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is, rather more than fewer."""
    ascii_chars = len(text.encode("ascii", "ignore"))
    return -(-ascii_chars // CHARS_PER_TOKEN) + len(text) - ascii_chars


def cut_to(text: str, max_tokens: int) -> str:
    """The beginning of a text that :func:`estimated_tokens` puts at no more than `max_tokens`."""
    if max_tokens <= 0 or estimated_tokens(text) <= max_tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimated_tokens(text[:middle]) <= max_tokens else (low, middle - 1)
    return text[:low]


class TextEmbedder:
    """Chunks as text: the path, the name that is defined, the code. Path vectors are zeros, since the path is read.

    `cut` counts the texts that were longer than the model reads. Safe to share between threads.
    """

    def __init__(self, encoder: Encoder, *, document_prompt: str = "", query_prompt: str = "") -> None:
        self._encoder = encoder
        self._document_prompt = document_prompt
        self._query_prompt = query_prompt
        self._lock = threading.Lock()
        self.cut = 0

    @property
    def facts(self) -> ModelFacts:
        """Name, licence and limits of the model."""
        return self._encoder.facts

    @property
    def identity(self) -> ModelIdentity:
        """What tells this model's vectors from all others; a document prompt is part of it."""
        facts = self._encoder.facts
        layout = LAYOUT if not self._document_prompt else f"{LAYOUT}+{self._document_prompt.strip()[:80]}"
        return ModelIdentity(f"{facts.provider}:{facts.name}", facts.revision, facts.dimension, layout, facts.licence)

    def documents(self, inputs: Sequence[EmbedInput]) -> NDArray[np.float32]:
        """Content vectors of unit length, float32 (n, dimension); zeros for blank code."""
        return self._vectors([_written(item) for item in inputs], self._document_prompt, DOCUMENT)

    def paths(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """Zeros: the path is part of what was read."""
        return np.zeros((len(paths), self._encoder.facts.dimension), np.float32)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 (n, dimension); zeros for a blank text. Raises BackendUnavailable where the model
        returns another number of vectors."""
        vectors = self._vectors(list(texts), self._query_prompt, QUERY)
        if len(vectors) != len(texts) or not np.isfinite(vectors).all():
            facts = self._encoder.facts
            raise BackendUnavailable(
                f"the embedding model {facts.name} gave no usable vector for the question",
                hint="see `fourfold doctor`; without embedding.provider the bundled model answers",
            )
        return vectors

    def _vectors(self, texts: list[str], prompt: str, role: str) -> NDArray[np.float32]:
        """Unit rows; where the encoder returned another number of rows, those, for the caller to judge."""
        facts = self._encoder.facts
        wanted = [number for number, text in enumerate(texts) if text.strip()]
        result = np.zeros((len(texts), facts.dimension), np.float32)
        if not wanted:
            return result
        given = [self._fitted(texts[number], prompt) for number in wanted]
        found: NDArray[np.float32] = np.array(self._encoder.encode(given, role), np.float32)
        if found.ndim != 2 or found.shape[1] != facts.dimension:
            raise BackendUnavailable(
                f"the embedding model {facts.name} returned vectors of shape {found.shape}, "
                f"expected ({len(wanted)}, {facts.dimension})",
                hint="check embedding.model and embedding.dimension",
            )
        with np.errstate(invalid="ignore", over="ignore"):
            found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), np.float32(1e-12))
        if len(found) != len(wanted):
            return found
        result[wanted] = found
        return result

    def _fitted(self, text: str, prompt: str) -> str:
        limit = self._encoder.facts.max_tokens
        text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate is no text to tokenizers and servers
        short = cut_to(text, limit - estimated_tokens(prompt)) if limit else text
        if len(short) < len(text):
            with self._lock:
                self.cut += 1
        return prompt + short


def _written(item: EmbedInput) -> str:
    """A chunk as text: where it is, what it defines, its code; "" where the code is blank."""
    if not item.text.strip():
        return ""
    head = f"{item.path} {item.symbol}".strip()
    return f"{head}\n{item.text}" if head else item.text
