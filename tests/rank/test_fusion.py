"""Weighted reciprocal rank fusion, to the number, and what must not change it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.errors import UsageError
from fourfold.rank.fusion import RRF_K, importance_boost, weighted_rrf

ONES = {"text": 1.0, "semantic": 1.0}


def test_first_in_both_lists_is_two_over_sixty_one() -> None:
    both = weighted_rrf({"text": ["a"], "semantic": ["a"]}, ONES, k=60)
    assert both[0].score == pytest.approx(2 / 61, abs=1e-15)
    assert both[0].ranks == {"text": 0, "semantic": 0}


def test_first_in_one_list_is_one_over_sixty_one() -> None:
    one = weighted_rrf({"text": ["a"], "semantic": []}, ONES, k=60)
    assert one[0].score == pytest.approx(1 / 61, abs=1e-15)


def test_the_contract_by_hand() -> None:
    weights = {"semantic": 0.2, "text": 0.1, "structural": 0.6, "graph": 0.1}
    lists = {"semantic": ["x", "y"], "text": ["y"], "structural": ["z", "x", "y"]}
    fused = {item.key: item.score for item in weighted_rrf(lists, weights, k=40)}
    assert fused["x"] == pytest.approx(0.2 / 41 + 0.6 / 42)
    assert fused["y"] == pytest.approx(0.2 / 42 + 0.1 / 41 + 0.6 / 43)
    assert fused["z"] == pytest.approx(0.6 / 41)
    assert [item.key for item in weighted_rrf(lists, weights, k=40)] == ["y", "x", "z"]


def test_k_by_preset() -> None:
    assert RRF_K["default"] == 40
    assert RRF_K["thorough"] == 60
    assert weighted_rrf({"text": ["a"]}, {"text": 1.0})[0].score == pytest.approx(1 / 41)


def test_a_weight_of_zero_leaves_the_list_out() -> None:
    fused = weighted_rrf({"text": ["a"], "graph": ["b"]}, {"text": 0.9, "graph": 0.0})
    assert [item.key for item in fused] == ["a"]


def test_a_repeated_key_counts_once_and_ranks_count_distinct_keys() -> None:
    fused = {item.key: item.ranks["text"] for item in weighted_rrf({"text": ["a", "a", "b"]}, {"text": 1.0})}
    assert fused == {"a": 0, "b": 1}


def test_ties_go_to_the_better_rank_then_to_first_appearance() -> None:
    lists = {"text": ["a", "b"], "semantic": ["b", "a"]}
    assert [item.key for item in weighted_rrf(lists, ONES)] == ["a", "b"]
    # 0.5 / 41 in one list equals 0.25 / 41 + 0.25 / 41 in two: same score, same best rank, first seen first.
    weights = {"text": 0.5, "semantic": 0.25, "graph": 0.25}
    tied = weighted_rrf({"text": ["a"], "semantic": ["b"], "graph": ["b"]}, weights)
    assert [item.key for item in tied] == ["a", "b"]
    assert tied[0].score == tied[1].score


@pytest.mark.parametrize(
    ("lists", "weights", "k", "part"),
    [
        ({"text": ["a"]}, {"text": 1.0}, 0, "k must be above 0"),
        ({"text": ["a"]}, {"text": 1.0}, -3, "k must be above 0"),
        ({"text": ["a"]}, {"text": 1.0}, math.nan, "k must be above 0"),
        ({"text": ["a"]}, {"text": -0.1}, 40, "weight of text"),
        ({"text": ["a"]}, {"text": math.inf}, 40, "weight of text"),
        ({"text": ["a"]}, {"text": 0.0, "graph": 0.0}, 40, "All fusion weights are 0"),
        ({"smell": ["a"]}, {"text": 1.0}, 40, "Unknown modality: smell"),
        ({}, {}, 40, "All fusion weights are 0"),
    ],
)
def test_bad_parameters_are_refused(
    lists: dict[str, list[str]], weights: dict[str, float], k: float, part: str
) -> None:
    with pytest.raises(UsageError, match=part):
        weighted_rrf(lists, weights, k)


RANKINGS = st.dictionaries(
    st.sampled_from(["semantic", "text", "structural", "graph"]),
    st.lists(st.integers(0, 12), unique=True, max_size=10),
    min_size=1,
)
WEIGHTS = st.fixed_dictionaries({name: st.floats(0.05, 1.0) for name in ("semantic", "text", "structural", "graph")})


@given(lists=RANKINGS, k=st.integers(1, 100))
def test_equal_weights_are_textbook_rrf(lists: dict[str, list[int]], k: int) -> None:
    fused = {item.key: item.score for item in weighted_rrf(lists, dict.fromkeys(lists, 1.0), k)}
    keys = {key for ranking in lists.values() for key in ranking}
    for key in keys:
        textbook = sum(1 / (k + ranking.index(key) + 1) for ranking in lists.values() if key in ranking)
        assert fused[key] == pytest.approx(textbook)
    assert set(fused) == keys


@given(lists=RANKINGS, weights=WEIGHTS, factor=st.sampled_from([0.5, 2.0, 8.0]))
def test_scaling_all_weights_keeps_the_order(
    lists: dict[str, list[int]], weights: dict[str, float], factor: float
) -> None:
    scaled = {name: weight * factor for name, weight in weights.items()}
    assert [item.key for item in weighted_rrf(lists, weights)] == [item.key for item in weighted_rrf(lists, scaled)]


@given(lists=RANKINGS, weights=WEIGHTS)
def test_the_order_of_the_lists_does_not_move_a_score(lists: dict[str, list[int]], weights: dict[str, float]) -> None:
    turned = dict(reversed(lists.items()))
    first = {item.key: item.score for item in weighted_rrf(lists, weights)}
    assert first == {item.key: item.score for item in weighted_rrf(turned, weights)}


@given(lists=RANKINGS, weights=WEIGHTS)
def test_a_single_list_keeps_its_order_and_scores_fall(lists: dict[str, list[int]], weights: dict[str, float]) -> None:
    name, ranking = next(iter(lists.items()))
    fused = weighted_rrf({name: ranking}, weights)
    assert [item.key for item in fused] == ranking
    scores = [item.score for item in weighted_rrf(lists, weights)]
    assert scores == sorted(scores, reverse=True)


@given(lists=RANKINGS, weights=WEIGHTS)
def test_a_score_is_the_sum_of_its_contributions(lists: dict[str, list[int]], weights: dict[str, float]) -> None:
    for item in weighted_rrf(lists, weights):
        assert item.score == pytest.approx(sum(item.contributions.values()))
        assert set(item.ranks) == set(item.contributions)


@pytest.mark.parametrize(
    ("centrality", "factor"),
    [(0.0, 1.0), (1.0, 1 + 0.3 * math.log(2)), (2.0, 1 + 0.3 * math.log(3)), (4.3, 1.5), (1e9, 1.5)],
)
def test_importance_boost_by_hand(centrality: float, factor: float) -> None:
    assert importance_boost(centrality) == pytest.approx(factor)


@pytest.mark.parametrize("centrality", [-0.1, math.nan])
def test_a_centrality_is_never_negative(centrality: float) -> None:
    with pytest.raises(UsageError, match="centrality"):
        importance_boost(centrality)
