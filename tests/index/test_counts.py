"""Counting with arrays equals counting by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fourfold.index.counts import MAX_COUNT, postings, sum_pairs

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6), st.integers(1, 400)), max_size=60)


@given(PAIRS)
def test_sums_equal_a_counter(pairs: list[tuple[int, int, int]]) -> None:
    expected: Counter[tuple[int, int]] = Counter()
    for left, right, weight in pairs:
        expected[left, right] += weight
    columns = [np.array([pair[i] for pair in pairs], dtype=np.int64) for i in range(3)]
    left, right, sums = sum_pairs(columns[0], columns[1], columns[2], 7)
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == sorted(expected)
    assert {(a, b): n for a, b, n in zip(left.tolist(), right.tolist(), sums.tolist(), strict=True)} == expected


@given(PAIRS)
def test_postings_hold_every_pair_under_its_hash(pairs: list[tuple[int, int, int]]) -> None:
    columns = [np.array([pair[i] for pair in pairs], dtype=np.int64) for i in range(3)]
    terms, rows, sums = sum_pairs(columns[0], columns[1], columns[2], 7)
    hashes = (np.arange(10, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)) ^ np.uint64(77)
    arrays = postings("x", terms, rows, sums, hashes)
    assert np.all(arrays["x.terms"][1:] > arrays["x.terms"][:-1])
    found = {}
    for at, stored in enumerate(arrays["x.terms"].tolist()):
        low, high = arrays["x.indptr"][at], arrays["x.indptr"][at + 1]
        span = arrays["x.rows"][low:high].tolist()
        assert span == sorted(span)
        for row, count in zip(span, arrays["x.counts"][low:high].tolist(), strict=True):
            found[stored, row] = count
    expected = {
        (int(hashes[t]), r): min(n, MAX_COUNT)
        for t, r, n in zip(terms.tolist(), rows.tolist(), sums.tolist(), strict=True)
    }
    assert found == expected
