"""Reading the inverted indexes of all segments of a snapshot as one, and BM25 on them.

BM25 with the idf of Lucene, ``ln(1 + (N - df + 0.5) / (df + 0.5))`` (Robertson and Zaragoza 2009, section 3), where N,
df and mean lengths count live rows only: an incremental index scores exactly as a fresh one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from fourfold.model.record import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1 = 1.5
"""Saturation of term frequency; 1.2 to 2.0 is usual, 1.5 was best for code in a trial."""
B_CHUNK = 0.75
"""Length normalisation of chunks (the usual value)."""
KEPT_POSTINGS = 1_000_000
"""Weighed postings of an index that are kept between questions (12 bytes each and field): the words that many
questions share are those with the longest lists."""


DENSE = 8
"""Of a term that more than one row in so many holds, the worths of all rows are kept: 0 where it is not. Adding them
all is then faster than adding some; the sum is the same, bit for bit."""


class SegmentArrays(Protocol):
    """What is needed of a segment: its arrays by name."""

    def array(self, name: str) -> NDArray[Any]: ...


@record(frozen=True, slots=True)
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
            at = int(terms.searchsorted(np.uint64(term)))
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


@record(frozen=True, slots=True)
class Weighed:
    """Live rows that hold a term, and the term-frequency part of their BM25, by row (and field).

    `held` is how many rows hold it: one number, or one by field. Worths by field are times the idf of the term in that
    field where :class:`WeighedPostings` knows how many rows there are. `dense` are the worths of all rows, where so
    many hold the term that adding them all is faster.
    """

    rows: NDArray[np.int64]
    worths: NDArray[np.float32]
    held: NDArray[np.int64]
    dense: NDArray[np.float32] | None = None


class WeighedPostings:
    """Term-frequency parts of one index, the latest used ones kept. Safe to share between threads: a list is made
    whole before it is kept, and one that is lost is made again."""

    def __init__(
        self,
        index: InvertedIndex,
        lengths: NDArray[np.float32],
        mean_length: float | NDArray[np.float64],
        b: Any,
        total: int = 0,
    ) -> None:
        """`total` live rows: given, worths by field are times the idf of their term in that field."""
        self._index = index
        self._lengths = lengths
        self._mean_length = mean_length
        self._b = b
        self._total = total
        self._kept: dict[int, Weighed] = {}
        self._postings = 0
        self.rows = len(lengths)

    def find(self, term: int) -> Weighed:
        """Rows of a term (its stored hash) with their worths; empty where it does not occur."""
        found = self._kept.get(term)
        if found is None:
            found = self._weigh(term)
            if self._postings + len(found.rows) > KEPT_POSTINGS:
                self._kept, self._postings = {}, 0
            self._kept[term] = found
            self._postings += len(found.rows)
        return found

    def _weigh(self, term: int) -> Weighed:
        found = self._index.find(term)
        if found.counts is None:
            worths = np.zeros((0, *self._lengths.shape[1:]), dtype=np.float32)
        else:
            worths = saturate(found.counts, self._lengths[found.rows], self._mean_length, self._b)
        held = np.asarray(np.count_nonzero(worths, axis=0))
        if self._total and len(worths):
            worths = worths * np.array([idf(self._total, count) for count in held.tolist()], dtype=np.float32)
        dense = None
        if worths.ndim == 1 and len(worths) * DENSE > self.rows:
            dense = np.zeros(self.rows, dtype=np.float32)
            dense[found.rows] = worths
        return Weighed(found.rows, worths, held, dense)


class Scores:
    """BM25 of every row, and the share of the question's idf that a row covers (0 to 1)."""

    def __init__(self, rows: int, terms: Sequence[tuple[Weighed, float, float]]) -> None:
        """`terms` are the postings of each word of the question with its idf and its weight."""
        self._rows = rows
        self._terms = terms

    @cached_property
    def bm25(self) -> NDArray[np.float32]:
        """BM25 by row, shape (rows,)."""
        total = np.zeros(self._rows, dtype=np.float32)
        for found, rarity, weight in self._terms:
            if found.dense is None:
                total[found.rows] += np.float32(weight * rarity) * found.worths
            else:
                total += np.float32(weight * rarity) * found.dense
        return total

    @cached_property
    def coverage(self) -> NDArray[np.float32]:
        """Idf of the words that a row holds by that of all words asked for, shape (rows,)."""
        asked = sum(rarity for _, rarity, _ in self._terms)
        held = np.zeros(self._rows, dtype=np.float32)
        for found, rarity, _ in self._terms:
            held[found.rows] += np.float32(rarity)  # a term holds each row once
        if asked:
            held /= np.float32(asked)
        return held


def score(index: WeighedPostings, terms: Mapping[int, float], total: int) -> Scores:
    """BM25 of all rows for weighted terms (stored hash -> weight in the question); `total` rows are live."""
    found = [(index.find(term), weight) for term, weight in terms.items()]
    return Scores(index.rows, [(weighed, idf(total, len(weighed.rows)), weight) for weighed, weight in found])


def best(
    scores: NDArray[np.float32], limit: int, tie_order: Callable[[NDArray[np.int64]], NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Rows of the `limit` highest positive scores, best first.

    Rows of equal score follow `tie_order` (row numbers -> sort keys), which must not depend on the order in which files
    were indexed: so that an incremental index answers as a fresh one.
    """
    if limit <= 0:
        return np.zeros(0, dtype=np.int64)
    rows = (scores > 0).nonzero()[0]
    return best_of(rows, scores[rows], limit, tie_order)


def best_of(
    rows: NDArray[np.int64],
    scores: NDArray[np.float32],
    limit: int,
    tie_order: Callable[[NDArray[np.int64]], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """As :func:`best` where the scores of some rows are known, all positive."""
    if limit < len(rows):
        at = len(rows) - limit
        ordered = scores.copy()
        ordered.partition(at)
        keep = (scores >= ordered[at]).nonzero()[0]
        rows, scores = rows[keep], scores[keep]
    return rows[np.lexsort((tie_order(rows), -scores))][:limit]
