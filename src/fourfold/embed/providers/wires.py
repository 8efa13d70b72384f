"""What each kind of server wants to be sent, and where its reply holds the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from fourfold.embed.providers.encoder import QUERY
from fourfold.embed.providers.replies import bit_rows, float_rows, in_order, unusable
from fourfold.embed.providers.spec import BINARY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.embed.providers.spec import ModelSpec


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may hold: texts, and tokens of all of them together (estimated)."""

    texts: int
    tokens: int


class Wire(Protocol):
    """One protocol."""

    path: str
    limits: Limits

    def body(self, spec: ModelSpec, texts: Sequence[str], role: str) -> dict[str, Any]:
        """The request."""
        ...

    def vectors(self, spec: ModelSpec, reply: Any, role: str) -> NDArray[np.float32]:
        """The vectors of a reply in the order of the texts, float32 (n, d). Raises BackendUnavailable."""
        ...


class OpenAIWire:
    """``POST /embeddings`` of OpenAI, vLLM, LM Studio, text-embeddings-inference, Jina and others."""

    path = "/embeddings"
    limits = Limits(texts=128, tokens=250_000)
    """OpenAI takes 2,048 texts and 300,000 tokens; smaller servers take less (text-embeddings-inference: 32 texts
    unless told otherwise: set embedding.batch)."""

    def body(self, spec: ModelSpec, texts: Sequence[str], role: str) -> dict[str, Any]:
        asked = {"dimensions": spec.asked_dimension} if spec.asked_dimension else {}
        return {"model": spec.model, "input": list(texts), "encoding_format": "float", **asked}

    def vectors(self, spec: ModelSpec, reply: Any, role: str) -> NDArray[np.float32]:
        return float_rows(spec.model, in_order(spec.model, _get(spec, reply, "data")))


class VoyageWire:
    """``POST /embeddings`` of Voyage AI: tells questions from documents, and can send one bit a component."""

    path = "/embeddings"
    limits = Limits(texts=128, tokens=100_000)
    """voyage-code-3 takes 1,000 texts and 120,000 tokens."""

    def body(self, spec: ModelSpec, texts: Sequence[str], role: str) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": spec.model,
            "input": list(texts),
            "input_type": "query" if role == QUERY else "document",
            "truncation": True,
        }
        if spec.asked_dimension:
            body["output_dimension"] = spec.asked_dimension
        if _bits(spec, role):
            body["output_dtype"] = "ubinary"
        return body

    def vectors(self, spec: ModelSpec, reply: Any, role: str) -> NDArray[np.float32]:
        rows = in_order(spec.model, _get(spec, reply, "data"))
        return bit_rows(spec.model, rows) if _bits(spec, role) else float_rows(spec.model, rows)


class CohereWire:
    """``POST /embed`` of Cohere's second interface."""

    path = "/embed"
    limits = Limits(texts=96, tokens=250_000)
    """96 texts a request."""

    def body(self, spec: ModelSpec, texts: Sequence[str], role: str) -> dict[str, Any]:
        asked = {"output_dimension": spec.asked_dimension} if spec.asked_dimension else {}
        return {
            "model": spec.model,
            "texts": list(texts),
            "input_type": "search_query" if role == QUERY else "search_document",
            "embedding_types": ["float"],
            "truncate": "END",
            **asked,
        }

    def vectors(self, spec: ModelSpec, reply: Any, role: str) -> NDArray[np.float32]:
        return float_rows(spec.model, _get(spec, _get(spec, reply, "embeddings"), "float"))


class OllamaWire:
    """``POST /api/embed`` of Ollama."""

    path = "/api/embed"
    limits = Limits(texts=64, tokens=250_000)

    def body(self, spec: ModelSpec, texts: Sequence[str], role: str) -> dict[str, Any]:
        asked = {"dimensions": spec.asked_dimension} if spec.asked_dimension else {}
        return {"model": spec.model, "input": list(texts), "truncate": True, **asked}

    def vectors(self, spec: ModelSpec, reply: Any, role: str) -> NDArray[np.float32]:
        return float_rows(spec.model, _get(spec, reply, "embeddings"))


WIRES: dict[str, Wire] = {
    "openai": OpenAIWire(),
    "voyage": VoyageWire(),
    "cohere": CohereWire(),
    "ollama": OllamaWire(),
}
"""Provider -> its protocol."""


def _bits(spec: ModelSpec, role: str) -> bool:
    """Documents come as bits where asked for; a question stays exact, since it is one vector only."""
    return spec.output == BINARY and role != QUERY


def _get(spec: ModelSpec, reply: Any, key: str) -> Any:
    if not isinstance(reply, dict) or key not in reply:
        raise unusable(spec.model, "a reply without vectors")
    return reply[key]
