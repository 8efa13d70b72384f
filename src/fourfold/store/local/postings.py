"""Reading the inverted indexes of all segments of a snapshot as one, and BM25 on them.

BM25 with the idf of Lucene, ``ln(1 + (N - df + 0.5) / (df + 0.5))`` (Robertson and Zaragoza 2009, section 3), where N,
df and mean lengths count live rows only: an incremental index scores exactly as a fresh one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1 = 1.5
"""Saturation of term frequency; 1.2 to 2.0 is usual, 1.5 was best for code in a trial."""
B_CHUNK = 0.75
"""Length normalisation of chunks (the usual value)."""


class SegmentArrays(Protocol):
    """What is needed of a segment: its arrays by name."""

    def array(self, name: str) -> NDArray[Any]: ...


@dataclass(frozen=True, slots=True)
class TermRows:
    """Live rows (snapshot-wide numbers, ascending) that hold a term, with their counts (None: no counts are kept)."""

    rows: NDArray[np.int64]
    counts: NDArray[np.uint8] | None


class InvertedIndex:
    """One named inverted index over all segments. `bases` are the first row numbers, `dead` one mask per segment."""

    def __init__(
        self, name: str, segments: Sequence[SegmentArrays], bases: Sequence[int], dead: Sequence[NDArray[np.bool_]]
    ) -> None:
        self._parts = [
            (
                segment.array(f"{name}.terms"),
                segment.array(f"{name}.indptr"),
                segment.array(f"{name}.rows"),
                segment.array(f"{name}.counts") if name != "imports" else None,
                int(base),
                mask if mask.any() else None,
            )
            for segment, base, mask in zip(segments, bases, dead, strict=True)
        ]

    def find(self, term: int) -> TermRows:
        """Where a term (its stored hash) occurs; empty arrays where it does not."""
        rows: list[NDArray[np.int64]] = []
        counts: list[NDArray[np.uint8]] = []
        for terms, indptr, all_rows, all_counts, base, dead in self._parts:
            at = int(np.searchsorted(terms, np.uint64(term)))
            if at >= len(terms) or int(terms[at]) != term:
                continue
            span = slice(int(indptr[at]), int(indptr[at + 1]))
            local = all_rows[span]
            keep = None if dead is None else ~dead[local]
            found = local if keep is None else local[keep]
            rows.append(found.astype(np.int64) + base)
            if all_counts is not None:
                counts.append(all_counts[span] if keep is None else all_counts[span][keep])
        if not rows:
            return TermRows(np.zeros(0, dtype=np.int64), None)
        if len(rows) == 1:
            return TermRows(rows[0], counts[0] if counts else None)
        return TermRows(np.concatenate(rows), np.concatenate(counts) if counts else None)


def idf(total: int, holding: int) -> float:
    """Inverse document frequency of a term held by `holding` of `total` rows; always positive."""
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))


def saturate(
    counts: NDArray[Any], lengths: NDArray[np.float32], mean_length: float | NDArray[np.float64], b: Any
) -> NDArray[np.float32]:
    """BM25's term-frequency part: ``tf (k1 + 1) / (tf + k1 (1 - b + b |d| / mean))``.

    For several fields at once `counts` and `lengths` have shape (n, fields), `mean_length` and `b` shape (fields,).
    """
    tf = counts.astype(np.float32)
    slope = np.float32(K1) * np.asarray(b / np.maximum(mean_length, 1e-9), dtype=np.float32)
    norm = np.asarray(K1 * (1.0 - b), dtype=np.float32) + slope * lengths
    return (tf * np.float32(K1 + 1.0) / (tf + norm)).astype(np.float32, copy=False)


@dataclass(frozen=True, slots=True)
class Scores:
    """BM25 of every row, and the share of the question's idf that a row covers (0 to 1)."""

    bm25: NDArray[np.float32]
    coverage: NDArray[np.float32]


def score(
    index: InvertedIndex,
    terms: Mapping[int, float],
    lengths: NDArray[np.float32],
    *,
    total: int,
    mean_length: float,
    b: float = B_CHUNK,
) -> Scores:
    """BM25 of all rows for weighted terms (stored hash -> weight in the question)."""
    bm25 = np.zeros(len(lengths), dtype=np.float32)
    coverage = np.zeros(len(lengths), dtype=np.float32)
    asked = 0.0
    for term, weight in terms.items():
        found = index.find(term)
        rarity = idf(total, len(found.rows))
        asked += rarity
        if not len(found.rows) or found.counts is None:
            continue
        bm25[found.rows] += np.float32(weight * rarity) * saturate(found.counts, lengths[found.rows], mean_length, b)
        coverage[found.rows] += np.float32(rarity)
    if asked:
        coverage /= np.float32(asked)
    return Scores(bm25, coverage)


def best(
    scores: NDArray[np.float32], limit: int, tie_order: Callable[[NDArray[np.int64]], NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Rows of the `limit` highest positive scores, best first.

    Rows of equal score follow `tie_order` (row numbers -> sort keys), which must not depend on the order in which files
    were indexed: so that an incremental index answers as a fresh one.
    """
    if limit <= 0:
        return np.zeros(0, dtype=np.int64)
    rows = np.flatnonzero(scores > 0).astype(np.int64)
    found = scores[rows]
    if limit < len(rows):
        keep = found >= np.partition(found, len(found) - limit)[len(found) - limit]
        rows, found = rows[keep], found[keep]
    return rows[np.lexsort((tie_order(rows), -found))][:limit]
