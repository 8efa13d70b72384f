"""An embedder around a slow model: known vectors come from the cache, the model's answers are checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.embed.cache import Notify, VectorCache, cache_key
from fourfold.embed.protocol import Embedder, EmbedInput, ModelIdentity
from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH = 64
"""Inputs per call of the model. Each batch is kept as soon as it is made: a crash loses at most one batch."""


class CachedEmbedder:
    """An :class:`~fourfold.embed.protocol.Embedder` with a memory. For models that are not bags of tokens.

    Document vectors are what the cache keeps, int8 with one scale, whether they were found or just made: an
    index built from a full cache equals one built from an empty one. Where the model gives nothing usable for
    an input, its vector is zeros (it is then found by text, structure and graph only), `notify` is told
    which, and the run goes on; such a vector is not cached. Path and query vectors are passed through,
    checked, and not cached.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache, *, notify: Notify, batch: int = BATCH) -> None:
        self._batch = batch
        self._inner = embedder
        self._cache = cache
        self._notify = notify

    @property
    def identity(self) -> ModelIdentity:
        """The wrapped model's identity."""
        return self._inner.identity

    def documents(self, inputs: Sequence[EmbedInput]) -> NDArray[np.float32]:
        """Content vectors, float32 (n, dimension), not normalised.

        Raises :class:`BackendUnavailable` where the model returns vectors of another dimension than its
        identity says.
        """
        dimension = self.identity.dimension
        identity = self.identity.key()
        keys = [cache_key(identity, item) for item in inputs]
        vectors = self._cache.get(list(dict.fromkeys(keys)), dimension)
        distinct = dict(zip(keys, inputs, strict=True))
        missing = [(key, item) for key, item in distinct.items() if key not in vectors]
        for start in range(0, len(missing), self._batch):
            vectors.update(self._cache.put(self._make(missing[start : start + self._batch])))
        nothing = np.zeros(dimension, np.float32)
        return np.array([vectors.get(key, nothing) for key in keys], np.float32).reshape(len(keys), dimension)

    def paths(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """Path vectors of the wrapped model, float32 (n, dimension), each finite."""
        return self._all(self._inner.paths(paths), len(paths), "paths")

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Query vectors of the wrapped model, float32 (n, dimension), each finite."""
        return self._all(self._inner.queries(texts), len(texts), "queries")

    def _make(self, wanted: Sequence[tuple[bytes, EmbedInput]]) -> dict[bytes, NDArray[np.float32]]:
        """Vectors of one batch. If their number is wrong, each input is tried alone."""
        result = self._checked(self._inner.documents([item for _, item in wanted]))
        if len(result) != len(wanted):
            if len(wanted) > 1:
                singles = [self._make([one]) for one in wanted]
                return {key: vector for single in singles for key, vector in single.items()}
            self._complain(wanted[0][1], f"{len(result)} vectors instead of one")
            return {}
        made: dict[bytes, NDArray[np.float32]] = {}
        for (key, item), vector in zip(wanted, result, strict=True):
            if np.isfinite(vector).all():
                made[key] = vector
            else:
                self._complain(item, "a vector with undefined components")
        return made

    def _checked(self, result: object) -> NDArray[np.float32]:
        """The model's answer as float32 rows, none if empty or ragged; raises on another dimension."""
        dimension = self.identity.dimension
        nothing = np.zeros((0, dimension), np.float32)
        try:
            vectors = np.asarray(result, np.float32)
        except (TypeError, ValueError):
            return nothing
        if vectors.size == 0:
            return nothing
        if vectors.ndim != 2 or vectors.shape[1] != dimension:
            raise BackendUnavailable(
                f"The embedding model {self.identity.name} returned vectors of shape {vectors.shape}, "
                f"expected (n, {dimension}).",
                hint="Check that the configured model and its dimension belong together.",
            )
        return vectors

    def _all(self, result: object, count: int, what: str) -> NDArray[np.float32]:
        """Exactly `count` finite rows, or :class:`BackendUnavailable`."""
        vectors = self._checked(result)
        if len(vectors) != count or not np.isfinite(vectors).all():
            raise BackendUnavailable(
                f"The embedding model {self.identity.name} returned {len(vectors)} vectors "
                f"for {count} {what}, or one with undefined components.",
                hint="Try again, or search without vectors (embedder = none).",
            )
        return vectors

    def _complain(self, item: EmbedInput, what: str) -> None:
        place = item.path or "a text without a path"
        name = f" ({item.symbol})" if item.symbol else ""
        self._notify(f"The model returned {what} for {place}{name}; it is indexed without a vector.")
