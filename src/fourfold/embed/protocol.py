"""What an embedding model must offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fourfold.model.record import record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@record(frozen=True, slots=True)
class ModelIdentity:
    """Which model made a vector. Two indexes are comparable only where all fields agree."""

    name: str
    revision: str
    dimension: int
    tokenizer: str
    licence: str

    def key(self) -> str:
        """One string that names the model exactly: what an index stores and compares."""
        return f"{self.name}@{self.revision}/{self.dimension}/{self.tokenizer}"


@record(frozen=True, slots=True)
class EmbedInput:
    """One chunk to embed: its text, its file's path and the qualified name it defines (may be empty)."""

    text: str
    path: str = ""
    symbol: str = ""


@runtime_checkable
class Embedder(Protocol):
    """A model. Vectors are float32, shape (n, dimension)."""

    @property
    def identity(self) -> ModelIdentity: ...

    def documents(self, inputs: Sequence[EmbedInput]) -> NDArray[np.float32]:
        """Content vectors (symbol and text; the path too where `paths` returns zeros), *not* normalised. Empty text
        gives zeros."""
        ...

    def paths(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """Path vectors, to be added to content vectors; zeros for empty paths and for models that read it as text."""
        ...

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Query vectors of unit length (a text without a known word gives zeros)."""
        ...


@runtime_checkable
class BagEmbedder(Embedder, Protocol):
    """A static model: a text's vector is the sum of the vectors of its *set* of tokens, times a field's weight.

    It can share the tokenisation of the text index: the caller maps each distinct word to token numbers once. An
    ``isinstance`` reads every property named here: none of them may cost anything.
    """

    @property
    def field_weights(self) -> dict[str, float]:
        """Weights of the fields ``path``, ``symbol`` and ``body``."""
        ...

    def token_ids(self, word: str) -> tuple[int, ...]:
        """Token numbers, ascending, of one word as :func:`fourfold.model.text.words` gives it (an identifier, number or
        CJK run)."""
        ...

    def token_cosines(self, ids: NDArray[np.integer], queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of unit vectors, shape (m, dimension), with the vectors of some tokens: shape (m, n)."""
        ...

    def sum_bags(self, ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.float32]:
        """Sum of token vectors per bag; bag *i* is ``ids[offsets[i]:offsets[i + 1]]``, `offsets` is one longer than
        bags."""
        ...
