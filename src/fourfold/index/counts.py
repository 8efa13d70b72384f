"""Counting with arrays: from (term, row, weight) triples to postings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_COUNT = 255
"""Counts are stored in one byte: BM25 saturates long before."""


def sum_pairs(
    left: NDArray[np.int64], right: NDArray[np.int64], weights: NDArray[np.int64] | None, right_size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Distinct (left, right) pairs, ascending, and the sum of the weights of each (None: how often it occurs)."""
    if not len(left):
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty, empty
    keys = left * right_size + right
    if weights is None:
        distinct, counts = np.unique(keys, return_counts=True)
        return distinct // right_size, distinct % right_size, counts.astype(np.int64)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sums = np.add.reduceat(weights[order], first)
    distinct = keys[first]
    return distinct // right_size, distinct % right_size, sums


def postings(
    name: str,
    terms: NDArray[np.int64],
    rows: NDArray[np.int64],
    counts: NDArray[np.int64] | None,
    hashes: NDArray[np.uint64],
) -> dict[str, NDArray[Any]]:
    """Arrays of one inverted index, from pairs sorted by (term, row).

    `terms` are vocabulary numbers, `hashes` the stored form of each number, `counts` of shape (n,) or (n, width).
    """
    distinct, first = np.unique(terms, return_index=True)
    order = np.argsort(hashes[distinct], kind="stable")
    lengths = np.diff(np.append(first, len(terms)))[order]
    indptr = np.zeros(len(distinct) + 1, dtype=np.int64)
    np.cumsum(lengths, out=indptr[1:])
    take = np.repeat(first[order] - indptr[:-1], lengths) + np.arange(len(terms), dtype=np.int64)
    arrays: dict[str, NDArray[Any]] = {
        f"{name}.terms": hashes[distinct][order],
        f"{name}.indptr": indptr,
        f"{name}.rows": rows[take].astype(np.int32),
    }
    if counts is not None:
        arrays[f"{name}.counts"] = np.minimum(counts[take], MAX_COUNT).astype(np.uint8)
    return arrays
