"""The bundled model: a text's vector is the sum of the learned vectors of its *set* of tokens.

Needs numpy and nothing else, reads only the package's own files, and never leaves the machine. Its table
stays int8 and memory-mapped: a question touches a few rows, and even indexing sums quantised rows directly.
Recomputing a vector is cheaper than looking it up in a cache (about 0.1 ms a chunk), so that it is not
wrapped in :class:`fourfold.embed.cached.CachedEmbedder`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.embed.protocol import EmbedInput, ModelIdentity
from fourfold.embed.scripts import folded, grams
from fourfold.embed.units import UnitVectors
from fourfold.embed.vocabulary import Vocabulary
from fourfold.model.errors import BackendUnavailable
from fourfold.model.text import MAX_WORD_LENGTH, is_cjk
from fourfold.model.text import words as words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUNDLE = Path(__file__).parent / "data"
"""Files of the bundled model: made by ``training/export_bundle.py``, described in ``docs/model.md``."""

RUN = re.compile(r"[A-Za-z]+|[0-9]{1,4}")
"""What of a text the model reads: runs of ASCII letters, and digits in groups of at most four."""

PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
"""Parts of a run, split at case changes; each part is lower-cased and then split into pieces."""

_SPACED = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256))
"""Translation that leaves ASCII letters and digits and blanks all else: ten times faster than the pattern."""

_CACHE_TOKENS = 100_000
"""Letter-and-digit strings whose tokens are remembered (some 20 MB at most); then it starts afresh."""

_BLOCK_ROWS = 256
"""Rows dequantised at a time by ``sum_bags``: 256 kB, so that they stay in the processor's cache."""


class StaticEmbedder:
    """A :class:`~fourfold.embed.protocol.BagEmbedder` over int8 token rows with one float32 scale each."""

    def __init__(self, directory: Path = BUNDLE) -> None:
        """Read a bundle; raises :class:`BackendUnavailable` where one of its files is missing or damaged."""
        try:
            config = json.loads((directory / "model.json").read_text("utf-8"))
            self._rows: NDArray[np.int8] = np.load(directory / "vectors.npy", mmap_mode="r").view(np.ndarray)
            self._scales: NDArray[np.float32] = np.load(directory / "scales.npy")
            self._configure(config)
            words = (directory / "words.txt").read_text("ascii").split("\n")
            self.vocabulary = Vocabulary(**config["alphabet"], merges=np.load(directory / "merges.npy"), words=words)
            self._added = [*_lines(directory / "foreign.txt"), *_lines(directory / "grams.txt")]
            self._check_shapes(len(words))
        except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
            raise BackendUnavailable(
                f"The embedding model in {directory.name}/ cannot be read: {error}",
                hint="Install Fourfold again, or search without vectors (embedder = none).",
            ) from error
        self._known: dict[bytes, tuple[int, ...]] = {}

    def _configure(self, config: dict[str, Any]) -> None:
        """Take identity and weights from ``model.json``; KeyError or TypeError where it is not ours."""
        self._identity = ModelIdentity(**config["identity"])
        self._weights = {field: float(config["field_weights"][field]) for field in ("path", "symbol", "body")}

    def _check_shapes(self, words: int) -> None:
        """ValueError where the parts of the bundle do not fit together."""
        tokens = len(self.vocabulary) + len(self._added)
        if self._rows.shape != (tokens, self._identity.dimension) or self._rows.dtype.str != "|i1":
            raise ValueError(f"vectors of shape {self._rows.shape} for {tokens} tokens")
        if self._scales.shape != (tokens,) or words != len(self.vocabulary):
            raise ValueError(f"{len(self._scales)} scales and {words} words for {tokens} tokens")

    @property
    def identity(self) -> ModelIdentity:
        """Name, revision (a hash of the weights), dimension, tokenizer hash and licence."""
        return self._identity

    @property
    def field_weights(self) -> dict[str, float]:
        """Learned weights of the fields ``path``, ``symbol`` and ``body``."""
        return dict(self._weights)

    @cached_property
    def table(self) -> NDArray[np.float32]:
        """Token vectors, float32, shape (tokens, dimension): 59 MB, made when first asked for."""
        return np.multiply(self._rows, self._scales[:, None], dtype=np.float32)

    def token_ids(self, word: str) -> tuple[int, ...]:
        """Distinct token numbers of a word, ascending; none where the model knows no part of it."""
        return tuple(sorted(self._ascii_ids(word) if word.isascii() else self._foreign_ids(word)))

    def token_cosines(self, ids: NDArray[np.integer], queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosines of unit vectors (m, dimension) with the vectors of some tokens, float32 (m, n)."""
        cosines: NDArray[np.float32] = queries @ self._units.of(ids).T
        return cosines

    @cached_property
    def _units(self) -> UnitVectors:
        return UnitVectors(self._rows)

    def sum_bags(self, ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.float32]:
        """Sum of token vectors per bag, shape (bags, dimension); an empty bag gives zeros.

        Rows are added in the order given, so that equal bags in equal order give bit-equal sums on every
        platform.
        """
        bounds: list[int] = offsets.tolist()
        bags = max(len(bounds) - 1, 0)
        result = np.zeros((bags, self._identity.dimension), np.float32)
        first = 0
        while first < bags:
            last = max(first + 1, bisect_right(bounds, bounds[first] + _BLOCK_ROWS) - 1)
            start = bounds[first]
            rows = self._dequantised(ids[start : bounds[last]])
            # A sum per bag beats one `reduceat` three to one: measured on 3 to 120 rows a bag.
            for bag in range(first, last):
                np.add.reduce(rows[bounds[bag] - start : bounds[bag + 1] - start], axis=0, out=result[bag])
            first = last
        return result

    def _dequantised(self, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
        return np.multiply(self._rows.take(tokens, 0), self._scales[:, None].take(tokens, 0), dtype=np.float32)

    def documents(self, inputs: Sequence[EmbedInput]) -> NDArray[np.float32]:
        """Content vectors, float32 (n, dimension), not normalised: body and symbol, each times its weight."""
        vectors = self._sums([item.text for item in inputs]) * np.float32(self._weights["body"])
        vectors += self._sums([item.symbol for item in inputs]) * np.float32(self._weights["symbol"])
        return vectors

    def paths(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """Path vectors, float32 (n, dimension), times the path's weight: to be added to content vectors."""
        return self._sums(paths) * np.float32(self._weights["path"])

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32 (n, dimension); zeros where a text has no word that the model knows."""
        vectors = self._sums(texts)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))
        return vectors

    def _sums(self, texts: Iterable[str]) -> NDArray[np.float32]:
        bags = [sorted(self._text_ids(text)) for text in texts]
        offsets = np.zeros(len(bags) + 1, np.int64)
        np.cumsum([len(bag) for bag in bags], out=offsets[1:])
        ids = np.fromiter(chain.from_iterable(bags), np.int32, int(offsets[-1]))
        return self.sum_bags(ids, offsets)

    def _text_ids(self, text: str) -> set[int]:
        """The set of token numbers of a text: the union over its words."""
        if text.isascii() or not self._added:
            return self._ascii_ids(text)
        ids: set[int] = set()
        for word in set(words_of(text)):
            ids.update(self._ascii_ids(word) if word.isascii() else self._foreign_ids(word))
        return ids

    def _foreign_ids(self, word: str) -> set[int]:
        """Token numbers of a word that is not plain ASCII."""
        numbers = self._added_numbers
        if is_cjk(word):
            return {numbers[gram] for gram in grams(word) if gram in numbers}
        whole = numbers.get(word.lower())
        if whole is not None:
            return {whole}
        return self._ascii_ids(folded(word) if numbers else word)

    @cached_property
    def _added_numbers(self) -> dict[str, int]:
        """Token number of each foreign word and of each CJK gram: what is read whole, not by pieces."""
        return dict(zip(self._added, range(len(self.vocabulary), len(self._rows)), strict=True))

    def _ascii_ids(self, text: str) -> set[int]:
        known = self._known
        ids: set[int] = set()
        spaced = text.encode("ascii", "replace").translate(_SPACED)
        for token in set(spaced.split()):
            ids.update(known.get(token) or self._new_ids(token))
        return ids

    def _new_ids(self, token: bytes) -> tuple[int, ...]:
        """Token numbers of a string of ASCII letters and digits that is not remembered yet."""
        added, pieces = self._added_numbers, self.vocabulary.word_pieces
        runs = RUN.findall(token.decode("ascii"))
        found: set[int] = set()
        for part in (part.lower() for run in runs for part in PART.findall(run)):
            number = added.get(part)
            found.update(pieces(part) if number is None else (number,))
        ids = tuple(found)
        if len(token) <= MAX_WORD_LENGTH:
            if len(self._known) >= _CACHE_TOKENS:
                self._known.clear()
            self._known[token] = ids
        return ids


def _lines(path: Path) -> list[str]:
    """The lines of a file that a bundle may lack."""
    return path.read_text("utf-8").split("\n") if path.is_file() else []
