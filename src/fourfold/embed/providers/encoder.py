"""What a provider offers: texts in, vectors out. Everything else is :mod:`fourfold.embed.providers.text`'s work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DOCUMENT = "document"
QUERY = "query"


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What tells one model from another, and its limits.

    `name` is the model as its provider knows it; `revision` a hash of its files, or the provider's name where the
    weights are not to be seen; `dimension` the components of a vector; `max_tokens` what it reads of a text (estimated,
    see :func:`fourfold.embed.providers.text.estimated_tokens`); `licence` an SPDX name, "proprietary" or "unknown".
    `remote`: texts leave this process.
    """

    name: str
    provider: str
    revision: str
    dimension: int
    max_tokens: int
    licence: str
    remote: bool = False


class Encoder(Protocol):
    """A model as its library or server offers it."""

    @property
    def facts(self) -> ModelFacts: ...

    def encode(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        """Vectors of texts that are not blank, float32 (n, dimension), of any length.

        `role` is :data:`DOCUMENT` or :data:`QUERY`; prompts are already in the text. A row of NaN stands for a text
        that the model does not take. What comes is not trusted: another number of rows or components is found by the
        caller. Raises BackendUnavailable.
        """
        ...
