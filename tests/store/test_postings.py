"""Inverted indexes over several segments, and BM25 on them, against numbers worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fourfold.store.local.postings import (
    B_CHUNK,
    InvertedIndex,
    Scores,
    WeighedPostings,
    best,
    idf,
    saturate,
    score,
)

A, B, C = 11, 22, 33
Counts = list[dict[int, int]]


class OneSegment:
    """Arrays of a segment made from term counts by row."""

    def __init__(self, rows: Counts, name: str = "raw") -> None:
        terms = sorted({term for row in rows for term in row})
        runs = [[(number, row[term]) for number, row in enumerate(rows) if term in row] for term in terms]
        self.arrays: dict[str, NDArray[Any]] = {
            f"{name}.terms": np.array(terms, np.uint64),
            f"{name}.indptr": np.cumsum([0, *map(len, runs)]).astype(np.int64),
            f"{name}.rows": np.array([number for run in runs for number, _ in run], np.int32),
            f"{name}.counts": np.array([count for run in runs for _, count in run], np.uint8),
        }

    def array(self, name: str) -> NDArray[Any]:
        return self.arrays[name]


def index_of(*segments: Counts, dead: dict[int, list[int]] | None = None) -> InvertedIndex:
    """An index over segments; `dead` maps a segment to its dead rows."""
    masks = [np.isin(np.arange(len(rows)), (dead or {}).get(number, [])) for number, rows in enumerate(segments)]
    bases = np.cumsum([0, *(len(rows) for rows in segments)])[:-1].tolist()
    return InvertedIndex("raw", [OneSegment(rows) for rows in segments], bases, masks)


def scores_of(
    index: InvertedIndex, terms: dict[int, float], lengths: NDArray[np.float32], *, total: int, mean_length: float
) -> Scores:
    """BM25 of chunks."""
    return score(WeighedPostings(index, lengths, mean_length, B_CHUNK), terms, total)


# "a a b", "a c", "b b b b": three documents of 3, 2 and 4 words, 3 on average.
DOCUMENTS: Counts = [{A: 2, B: 1}, {A: 1, C: 1}, {B: 4}]
LENGTHS = np.array([3, 2, 4], np.float32)


def test_idf_is_that_of_lucene_and_positive() -> None:
    assert idf(3, 2) == pytest.approx(0.470004, abs=1e-6)  # ln(1 + 1.5 / 2.5)
    assert idf(3, 1) == pytest.approx(0.980829, abs=1e-6)  # ln(1 + 2.5 / 1.5)
    assert all(idf(10, holding) > 0 for holding in range(11))


def test_bm25_by_hand() -> None:
    scores = scores_of(index_of(DOCUMENTS), {A: 1.0}, LENGTHS, total=3, mean_length=3.0)
    # 0.470004 x 2 x 2.5 / (2 + 1.5) and 0.470004 x 2.5 / (1 + 1.5 x (0.25 + 0.75 x 2/3))
    assert scores.bm25.tolist() == pytest.approx([0.671434, 0.552946, 0.0], abs=1e-6)
    assert scores.coverage.tolist() == [1.0, 1.0, 0.0]


def test_terms_add_up_by_their_weight_and_coverage_counts_rarity() -> None:
    both = scores_of(index_of(DOCUMENTS), {A: 2.0, C: 1.0}, LENGTHS, total=3, mean_length=3.0)
    # Twice the above; and 0.980829 x 2.5 / 2.125 for the rare word of the second document.
    assert both.bm25.tolist() == pytest.approx([2 * 0.671434, 2 * 0.552946 + 1.153916, 0.0], abs=1e-5)
    rare, common = 0.980829, 0.470004
    assert both.coverage.tolist() == pytest.approx([common / (rare + common), 1.0, 0.0], abs=1e-6)


def test_a_word_that_no_document_has_costs_coverage_only() -> None:
    scores = scores_of(index_of(DOCUMENTS), {A: 1.0, 99: 1.0}, LENGTHS, total=3, mean_length=3.0)
    assert scores.bm25[0] == pytest.approx(0.671434, abs=1e-6)
    assert scores.coverage[0] == pytest.approx(0.470004 / (0.470004 + math.log(8.0)), abs=1e-6)
    assert scores_of(index_of(DOCUMENTS), {}, LENGTHS, total=3, mean_length=3.0).coverage.tolist() == [0, 0, 0]


def test_saturation_rises_to_its_bound_and_falls_with_length() -> None:
    grown = saturate(np.array([1, 2, 10, 255], np.uint8), np.full(4, 5, np.float32), 5.0, 0.75)
    assert (np.diff(grown) > 0).all()
    assert grown[-1] < 2.5
    longer = saturate(np.ones(3, np.uint8), np.array([1, 5, 50], np.float32), 5.0, 0.75)
    assert (np.diff(longer) < 0).all()
    flat = saturate(np.ones(3, np.uint8), np.array([1, 5, 50], np.float32), 5.0, 0.0)
    assert flat.tolist() == [1.0, 1.0, 1.0]


def test_segments_are_read_as_one() -> None:
    split = index_of(DOCUMENTS[:1], DOCUMENTS[1:])
    whole = index_of(DOCUMENTS)
    for term in (A, B, C, 99):
        assert split.find(term).rows.tolist() == whole.find(term).rows.tolist()
    one = scores_of(split, {A: 1.0, B: 1.0}, LENGTHS, total=3, mean_length=3.0)
    other = scores_of(whole, {A: 1.0, B: 1.0}, LENGTHS, total=3, mean_length=3.0)
    assert one.bm25.tolist() == other.bm25.tolist()


def test_dead_rows_are_neither_found_nor_counted() -> None:
    index = index_of(DOCUMENTS, [{A: 7}], dead={0: [0], 1: [0]})
    found = index.find(A)
    assert found.rows.tolist() == [1]
    assert found.counts is not None
    assert found.counts.tolist() == [1]
    lengths = np.array([3, 2, 4, 7], np.float32)
    scores = scores_of(index, {A: 1.0}, lengths, total=2, mean_length=3.0)
    fresh = scores_of(index_of(DOCUMENTS[1:]), {A: 1.0}, lengths[1:3], total=2, mean_length=3.0)
    assert scores.bm25.tolist() == [0.0, *fresh.bm25.tolist(), 0.0]


def test_an_index_without_counts_gives_rows() -> None:
    segment = OneSegment(DOCUMENTS, "imports")
    del segment.arrays["imports.counts"]
    index = InvertedIndex("imports", [segment], [5], [np.zeros(3, np.bool_)])
    assert index.find(B).rows.tolist() == [5, 7]
    assert index.find(B).counts is None


def test_an_index_without_segments_is_empty() -> None:
    assert index_of().find(A).rows.tolist() == []


def by_number(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    return rows


def test_best_are_the_highest_positive_ones() -> None:
    scores = np.array([0.5, 0.0, 2.0, -1.0, 1.0], np.float32)
    assert best(scores, 10, by_number).tolist() == [2, 4, 0]
    assert best(scores, 2, by_number).tolist() == [2, 4]
    assert best(scores, 0, by_number).tolist() == []
    assert best(np.zeros(3, np.float32), 5, by_number).tolist() == []


@pytest.mark.parametrize("limit", [1, 3, 5, 8])
def test_ties_do_not_depend_on_the_order_of_indexing(limit: int) -> None:
    paths = np.array([4, 0, 3, 1, 2, 5, 7, 6])
    scores = np.array([1, 1, 1, 1, 2, 1, 1, 1], np.float32)
    expected = paths[best(scores, limit, lambda rows: paths[rows])].tolist()
    shuffled = np.random.default_rng(3).permutation(8)
    again, moved = scores[shuffled], paths[shuffled]
    assert moved[best(again, limit, lambda rows: moved[rows])].tolist() == expected
    assert expected == [2, 0, 1, 3, 4, 5, 6, 7][:limit]
