"""Intervals and probabilities, against what theory says of them."""

from __future__ import annotations

import itertools

import pytest

from fourfold.evaluate.statistics import clustered_interval, interval, percentile, permutation_p


def test_an_interval_of_equal_values_is_a_point() -> None:
    assert interval([[0.25] * 8]) == (0.25, 0.25)
    assert interval([]) == interval([[]]) == (0.0, 0.0)


def test_an_interval_is_about_two_standard_errors_wide() -> None:
    low, high = interval([[0.0, 1.0] * 50], seed=3)  # standard error .05
    assert 0.37 < low < 0.43 and 0.57 < high < 0.63


def test_the_same_seed_gives_the_same_interval_and_another_one_nearly() -> None:
    values = [[0.1 * (n % 7) for n in range(60)]]
    assert interval(values, seed=1) == interval(values, seed=1)
    assert interval(values, seed=1) == pytest.approx(interval(values, seed=2), abs=0.02)


def test_groups_weigh_the_same_whatever_their_size() -> None:
    assert interval([[1.0], [0.0] * 99]) == (0.5, 0.5)


def test_questions_of_one_file_count_as_one_piece_of_news() -> None:
    alone = [[float(n % 2)] for n in range(40)]
    together = [[float(n % 2)] * 10 for n in range(4)]
    narrow, wide = clustered_interval(alone), clustered_interval(together)
    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])
    assert clustered_interval([]) == (0.0, 0.0)


def test_the_permutation_test_agrees_with_counting_all_of_them() -> None:
    gains = [0.3, 0.1, -0.05, 0.2, 0.15, -0.1]
    told = sum(gains)
    flips = itertools.product((1, -1), repeat=len(gains))
    exact = sum(abs(sum(s * g for s, g in zip(f, gains, strict=True))) >= told - 1e-12 for f in flips) / 2 ** len(gains)
    assert permutation_p(gains) == pytest.approx(exact, abs=0.015)


def test_nothing_that_differs_is_no_evidence() -> None:
    assert permutation_p([0.0, 0.0]) == permutation_p([]) == 1.0


def test_a_clear_gain_is_hardly_chance_and_never_impossible() -> None:
    assert 0 < permutation_p([0.1] * 40) < 0.001


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([1.0, 2.0], 1.0) == 2.0
    assert percentile([], 0.5) == 0.0
