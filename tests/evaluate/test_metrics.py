"""Metrics of one answer, against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from fourfold.evaluate.metrics import (
    METRIC_NAMES,
    Metrics,
    Place,
    average_precision,
    first_hits,
    hits,
    judge,
    mean,
    ndcg,
    recall,
    reciprocal_rank,
)
from fourfold.evaluate.question import Target

A, B, C = Target("src/a.py", 10, 20), Target("src/b.py"), Target("c.py", 1, 5)


def test_the_ranks_of_targets_are_those_of_their_first_hits() -> None:
    results = [Place("x.py", 1, 9), Place("src/a.py", 1, 9), Place("src/a.py", 20, 30), Place("src/b.py", 7, 8)]
    assert first_hits([A, B, C], results) == [3, 4, 0]


def test_ndcg_by_hand() -> None:
    # Found at 1 and 3 of three targets: (1 + 1/2) / (1 + 1/log2(3) + 1/2).
    assert ndcg([1, 3, 0]) == pytest.approx(1.5 / (1 + 1 / math.log2(3) + 0.5))
    assert ndcg([2]) == pytest.approx(1 / math.log2(3))
    assert ndcg([1, 1]) == pytest.approx(1 / (1 + 1 / math.log2(3)))  # one result shows both: one slot is filled
    assert ndcg([0, 0]) == ndcg([]) == 0.0


def test_the_ideal_answer_has_at_most_ten_slots() -> None:
    assert ndcg([*range(1, 11), *[0] * 20]) == pytest.approx(1.0)


def test_average_precision_by_hand() -> None:
    # Slots 1 and 4 filled: (1/1 + 2/4) / 3 targets.
    assert average_precision([1, 4, 0]) == pytest.approx(0.5)
    assert average_precision([0]) == average_precision([]) == 0.0
    assert average_precision([2, 2]) == pytest.approx(0.25)


def test_recall_and_reciprocal_rank_by_hand() -> None:
    assert recall([1, 0, 7, 0]) == 0.5
    assert reciprocal_rank([0, 4, 2]) == 0.5
    assert recall([]) == reciprocal_rank([0]) == 0.0


def test_a_judged_answer_by_hand() -> None:
    results = [
        Place("x.py", 1, 2),
        Place("src/b.py", 1, 2),
        *(Place(f"y{n}.py", 1, 2) for n in range(4)),
        Place("c.py"),
    ]
    found = judge([B, C], results, [10, 20, 30, 40, 50, 60, 70])
    assert (found.hit_at_1, found.hit_at_5, found.hit_at_10) == (0.0, 1.0, 1.0)
    assert (found.recall_at_5, found.recall_at_10, found.mrr) == (0.5, 1.0, 0.5)
    assert found.map == pytest.approx((1 / 2 + 2 / 7) / 2)
    assert found.ndcg == pytest.approx((1 / math.log2(3) + 1 / 3) / (1 + 1 / math.log2(3)))
    assert found.tokens == 30  # two results are read until the first hit


def test_tokens_of_a_miss_are_those_of_the_whole_list() -> None:
    assert judge([A], [Place("x.py", 1, 2)] * 3, [5, 6, 7]).tokens == 18


def test_only_ten_results_count() -> None:
    found = judge([B], [Place(f"{n}.py") for n in range(10)] + [Place("src/b.py")], [1] * 11)
    assert found == Metrics(0, 0, 0, 0, 0, 0, 0, 0, 10)


@pytest.mark.parametrize(
    ("place", "target", "hit"),
    [
        (Place("a.py", 1, 9), Target("a.py", 9, 12), True),
        (Place("a.py", 1, 8), Target("a.py", 9, 12), False),
        (Place("a.py"), Target("a.py", 9, 12), True),
        (Place("a.py", 1, 2), Target("a.py"), True),
        (Place("lib/a.py"), Target("a.py"), True),
        (Place("alib/a.py"), Target("lib/a.py"), False),
    ],
)
def test_a_place_shows_a_target_where_path_and_lines_meet(place: Place, target: Target, hit: bool) -> None:
    assert hits(place, target) is hit


def test_the_mean_of_nothing_is_zero() -> None:
    assert mean([]) == Metrics(*[0.0] * len(METRIC_NAMES))
    one, two = judge([B], [Place("src/b.py")], [4]), judge([B], [Place("z.py")], [8])
    assert mean([one, two]).ndcg == 0.5 and mean([one, two]).tokens == 6.0
