"""A deterministic embedder without a model: signed hashing of word parts. For tests and dry runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from fourfold.embed.protocol import EmbedInput, ModelIdentity
from fourfold.model.text import parts, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUCKETS = 4096
"""Size of the token table: a word part's token is its hash modulo this."""

FIELD_WEIGHTS: dict[str, float] = {"path": 0.8, "symbol": 1.4, "body": 0.6}
"""Fixed weights near those of the bundled model, so that tests meet three different numbers."""


class HashEmbedder:
    """A :class:`~fourfold.embed.protocol.BagEmbedder` whose token vectors are signs drawn from a hash.

    Texts that share word parts are close, nothing else is; CJK runs count by their bigrams. Equal on every
    platform.
    """

    def __init__(self, dimension: int = 64) -> None:
        """`dimension` must be a positive multiple of 8, else ValueError."""
        if dimension < 8 or dimension % 8:
            raise ValueError(f"dimension must be a positive multiple of 8, not {dimension}")
        self._identity = ModelIdentity("fourfold-hash", "1", dimension, f"parts-{BUCKETS}", "Apache-2.0")
        self._known: dict[str, int] = {}

    @property
    def identity(self) -> ModelIdentity:
        """Name, revision, dimension, tokenizer and licence."""
        return self._identity

    @property
    def field_weights(self) -> dict[str, float]:
        """Weights of the fields ``path``, ``symbol`` and ``body``."""
        return dict(FIELD_WEIGHTS)

    @cached_property
    def table(self) -> NDArray[np.float32]:
        """Token vectors, float32, shape (4096, dimension): +-1/sqrt(dimension) by the bits of SHAKE-128."""
        dimension = self._identity.dimension
        stream = b"".join(
            hashlib.shake_128(number.to_bytes(2, "little")).digest(dimension // 8) for number in range(BUCKETS)
        )
        bits = np.unpackbits(np.frombuffer(stream, np.uint8), bitorder="little").reshape(BUCKETS, dimension)
        signs = bits.astype(np.float32) * np.float32(2) - np.float32(1)
        table: NDArray[np.float32] = signs / np.sqrt(np.float32(dimension))
        return table

    def token_ids(self, word: str) -> tuple[int, ...]:
        """Distinct token numbers of the word's parts, ascending."""
        return tuple(sorted({self._bucket(part) for part in parts(word)}))

    def token_cosines(self, ids: NDArray[np.integer], queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of unit vectors (m, dimension) with the vectors of some tokens, float32 (m, n): all have length 1."""
        cosines: NDArray[np.float32] = queries @ self.table.take(ids, 0).T
        return cosines

    def sum_bags(self, ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.float32]:
        """Sum of token vectors per bag, shape (bags, dimension); an empty bag gives zeros."""
        bounds = offsets.tolist()
        result = np.zeros((max(len(bounds) - 1, 0), self._identity.dimension), np.float32)
        for bag, (start, end) in enumerate(pairwise(bounds)):
            np.add.reduce(self.table.take(ids[start:end], 0), axis=0, out=result[bag])
        return result

    def documents(self, inputs: Sequence[EmbedInput]) -> NDArray[np.float32]:
        """Content vectors, float32 (n, dimension), not normalised: body and symbol, each times its weight."""
        vectors = self._sums(item.text for item in inputs) * np.float32(FIELD_WEIGHTS["body"])
        vectors += self._sums(item.symbol for item in inputs) * np.float32(FIELD_WEIGHTS["symbol"])
        return vectors

    def paths(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """Path vectors, float32 (n, dimension), times the path's weight."""
        return self._sums(paths) * np.float32(FIELD_WEIGHTS["path"])

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Query vectors of unit length, float32 (n, dimension); zeros for a text without a word."""
        vectors = self._sums(texts)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))
        return vectors

    def _sums(self, texts: Iterable[str]) -> NDArray[np.float32]:
        bags = [sorted({token for word in words(text) for token in self.token_ids(word)}) for text in texts]
        offsets = np.zeros(len(bags) + 1, np.int64)
        np.cumsum([len(bag) for bag in bags], out=offsets[1:])
        return self.sum_bags(np.array([token for bag in bags for token in bag], np.int32), offsets)

    def _bucket(self, part: str) -> int:
        bucket = self._known.get(part)
        if bucket is None:
            digest = hashlib.blake2b(part.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            bucket = self._known[part] = int.from_bytes(digest, "little") % BUCKETS
        return bucket
