"""Term saturations of a segment's rows as sparse vectors, so that the engine's dot product with idf is our BM25.

A chunk's vector holds its raw terms and its stems, a file's its stems by field, each in a space of indices of its own:
a question that asks for raw terms alone, or for one field, meets nothing else. The engine multiplies each index with
``ln(1 + (N - df + 0.5) / (df + 0.5))`` over the points of the service, which is the idf of the local store; what is
stored is ``tf (k1 + 1) / (tf + k1 (1 - b + b |d| / mean))`` with the means of the manifest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.store.local.postings import B_CHUNK, saturate
from fourfold.store.local.schema import FIELD_B, FILE_FIELDS
from fourfold.store.qdrant.manifest import Means
from fourfold.store.qdrant.points import Sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

DECIMALS = 5
"""Decimals of a saturation (at most 2.5) that are sent."""

_LOW = np.uint64(0xFFFFFFFF)
_HIGH = np.uint64(32)
_FIELD_MARKS = {name: 0x9E3779B9 * (number + 1) & 0xFFFFFFFF for number, name in enumerate(FILE_FIELDS)}
"""Exclusive-or'd with a stem's index: a place of its own for each field."""

Arrays = Mapping[str, "NDArray[Any]"]


def raw_index(terms: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """32-bit indices of raw terms: the upper half of the stored hash. A word that is its own stem then differs."""
    return terms >> _HIGH


def stem_index(terms: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """32-bit indices of stems: the lower half of the stored hash."""
    return terms & _LOW


def field_index(terms: NDArray[np.uint64], field: str) -> NDArray[np.uint64]:
    """32-bit indices of stems in one field of a file."""
    return stem_index(terms) ^ np.uint64(_FIELD_MARKS[field])


def query(*parts: tuple[NDArray[np.uint64], Iterable[float]]) -> Sparse:
    """A question's vector of (indices, weights); equal indices are added."""
    weights: dict[int, float] = {}
    for indices, values in parts:
        for index, value in zip(indices.tolist(), values, strict=True):
            weights[index] = weights.get(index, 0.0) + value
    return Sparse(list(weights), list(weights.values()))


def means_of(lengths: Mapping[str, NDArray[Any]]) -> Means:
    """Mean lengths of some rows: ``chunk.raw_length``, ``chunk.stem_length`` and ``file.lengths``, live ones alone."""

    def mean(name: str) -> float:
        column = lengths[name]
        return float(column.mean(dtype=np.float64)) if len(column) else 1.0

    fields = lengths["file.lengths"].reshape(-1, len(FILE_FIELDS))
    by_field = fields.mean(axis=0, dtype=np.float64) if len(fields) else np.ones(len(FILE_FIELDS))
    return Means(mean("chunk.raw_length"), mean("chunk.stem_length"), tuple(np.maximum(by_field, 1e-9).tolist()))


def chunk_words(arrays: Arrays, means: Means) -> list[Sparse]:
    """The sparse vector of each chunk row."""
    rows, indices, values = [], [], []
    for name, index, length, mean in (
        ("raw", raw_index, "chunk.raw_length", means.raw),
        ("stems", stem_index, "chunk.stem_length", means.stems),
    ):
        terms, held = _flat(arrays, name)
        counts = arrays[f"{name}.counts"]
        rows.append(held)
        indices.append(index(terms))
        values.append(saturate(counts, arrays[length][held], mean, B_CHUNK))
    return _by_row(rows, indices, values, len(arrays["chunk.file"]))


def file_words(arrays: Arrays, means: Means) -> list[Sparse]:
    """The sparse vector of each file row."""
    terms, held = _flat(arrays, "fields")
    counts = arrays["fields.counts"]
    lengths = arrays["file.lengths"].reshape(-1, len(FILE_FIELDS))
    rows, indices, values = [], [], []
    for column, name in enumerate(FILE_FIELDS):
        kept = counts[:, column] > 0
        rows.append(held[kept])
        indices.append(field_index(terms[kept], name))
        length = lengths[held[kept], column]
        values.append(saturate(counts[kept, column], length, means.fields[column], FIELD_B[name]))
    return _by_row(rows, indices, values, len(lengths))


def _flat(arrays: Arrays, name: str) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """(term, row) of every posting."""
    terms = np.repeat(arrays[f"{name}.terms"], np.diff(arrays[f"{name}.indptr"]))
    return terms, arrays[f"{name}.rows"].astype(np.int64)


def _by_row(
    rows: list[NDArray[np.int64]], indices: list[NDArray[np.uint64]], values: list[NDArray[np.float32]], count: int
) -> list[Sparse]:
    """One vector a row; what falls on the same index of a row is added."""
    keys = (np.concatenate(rows).astype(np.uint64) << _HIGH) | np.concatenate(indices)
    distinct, inverse = np.unique(keys, return_inverse=True)
    summed = np.bincount(inverse, weights=np.concatenate(values), minlength=len(distinct))
    bounds = np.searchsorted(distinct >> _HIGH, np.arange(count + 1).astype(np.uint64))
    all_indices, all_values = (distinct & _LOW).tolist(), summed.round(DECIMALS).tolist()
    spans = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    return [Sparse(all_indices[start:end], all_values[start:end]) for start, end in spans]
