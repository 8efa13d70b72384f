"""A model behind a server. Texts leave this process; what is sent is what the index stores: redacted."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.embed.providers.client import Refused
from fourfold.embed.providers.encoder import DOCUMENT, ModelFacts
from fourfold.embed.providers.text import estimated_tokens
from fourfold.embed.providers.wires import WIRES, Limits
from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.embed.providers.client import Client
    from fourfold.embed.providers.spec import ModelSpec

REFUSALS = 4
"""Texts refused one by one before the first is taken: then it is not the texts that are refused."""
_PROBE = "dimension"


class RemoteEncoder:
    """One model of one server. Safe to share between threads."""

    def __init__(self, spec: ModelSpec, client: Client, *, batch: int = 0) -> None:
        """`batch` is the most texts a request may hold, 0 for what the protocol allows. Sends nothing."""
        self._spec = spec
        self._client = client
        self._wire = WIRES[spec.provider]
        limits = self._wire.limits
        self._limits = Limits(min(batch, limits.texts) if batch else limits.texts, limits.tokens)
        self._lock = threading.Lock()
        self._taken = False
        self._refusals = 0
        self._facts: ModelFacts | None = None

    @property
    def facts(self) -> ModelFacts:
        """Name, licence, limits. A dimension that is not known is asked for, once."""
        with self._lock:
            if self._facts is None:
                dimension = self._spec.dimension or self._ask([_PROBE], DOCUMENT).shape[1]
                self._facts = ModelFacts(
                    name=self._spec.model,
                    provider=self._spec.provider,
                    revision="binary" if self._spec.output == "binary" else "float",
                    dimension=dimension,
                    max_tokens=self._spec.max_tokens,
                    licence=self._spec.licence or "unknown",
                    remote=True,
                )
            return self._facts

    def encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        """Vectors, float32 (n, dimension), in as many requests as the limits ask for; NaN for a text that the server
        refuses. Raises BackendUnavailable."""
        dimension = self.facts.dimension
        parts = [self._part(part, role, dimension) for part in self._requests(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, dimension), np.float32)

    def _requests(self, texts: Sequence[str]) -> list[list[str]]:
        """Texts cut into requests by number and estimated tokens; a text alone may exceed the latter."""
        requests: list[list[str]] = []
        room = 0
        for text in texts:
            tokens = estimated_tokens(text)
            if not requests or tokens > room or len(requests[-1]) >= self._limits.texts:
                requests.append([])
                room = self._limits.tokens
            requests[-1].append(text)
            room -= tokens
        return requests

    def _part(self, texts: list[str], role: str, dimension: int) -> NDArray[np.float32]:
        """One request; halved where the server refuses it, until the text that it does not take stands alone."""
        try:
            found = self._ask(texts, role)
        except Refused as error:
            if len(texts) > 1:
                middle = len(texts) // 2
                halves = [self._part(half, role, dimension) for half in (texts[:middle], texts[middle:])]
                return np.concatenate(halves)
            self._note_refusal(error.status)
            return np.full((1, dimension), np.nan, np.float32)
        self._taken = True
        return found if found.size else np.zeros((0, dimension), np.float32)

    def _note_refusal(self, status: int) -> None:
        with self._lock:
            self._refusals += 1
            if not self._taken and self._refusals >= REFUSALS:
                raise BackendUnavailable(
                    f"the embedding model {self._spec.model} refuses what it is sent (HTTP {status})",
                    hint="check embedding.model, embedding.dimension and embedding.max_tokens",
                )

    def _ask(self, texts: list[str], role: str) -> NDArray[np.float32]:
        reply = self._client.ask(self._spec.endpoint + self._wire.path, self._wire.body(self._spec, texts, role), role)
        return self._wire.vectors(self._spec, reply, role)
