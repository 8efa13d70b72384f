"""Fusion as steps, every number worked out by hand."""

from __future__ import annotations

import math

import pytest
from tests.pipeline.conftest import made

from fourfold.model.errors import BadConfig
from fourfold.model.query import Query
from fourfold.pipeline.state import Candidate, RetrieverState, SearchQuery
from fourfold.pipeline.steps.fusion import RrfFusion, WeightedScoreFusion
from fourfold.pipeline.steps.graph import ImportanceBoost
from fourfold.pipeline.steps.signals import PathDemotion
from fourfold.rank.weights import WEIGHTS


def of(*paths: str, modality: str = "text") -> list[Candidate]:
    """A ranked list, one place a path, scores falling from 1."""
    return [
        made(1.0 / rank, path, chunk=ord(path[0]), ranks={modality: rank}) for rank, path in enumerate(paths, start=1)
    ]


def fusing(intent: str = "understand_code", **lists: list[Candidate]) -> RetrieverState:
    state = RetrieverState(SearchQuery("q"))
    state.scratch["understood"] = Query("q", intent)
    state.lists = lists
    state.modalities = dict.fromkeys(lists, "") | {name: name for name in lists}
    return state


def scores(state: RetrieverState) -> dict[str, float]:
    return {item.path: item.score for item in state.items}


def test_first_in_both_lists_is_two_sixty_firsts_and_in_one_half_of_that() -> None:
    state = fusing(semantic=of("a", "b"), text=of("a", "c"))
    RrfFusion(k=60).apply(state)
    assert scores(state) == {"a": pytest.approx(2 / 61), "b": pytest.approx(1 / 62), "c": pytest.approx(1 / 62)}
    assert state.items[0].ranks == {"semantic": 1, "text": 1}
    only = fusing(semantic=of("a"), text=of())
    RrfFusion(k=60).apply(only)
    assert scores(only) == {"a": pytest.approx(1 / 61)}


@pytest.mark.parametrize("intent", list(WEIGHTS))
def test_weights_by_intent_times_the_reciprocal_rank(intent: str) -> None:
    lists = {name: of("a", "b", modality=name) for name in ("semantic", "text", "structural", "graph")}
    state = fusing(intent, **lists)
    RrfFusion(k=40, by_intent=True).apply(state)
    total = sum(WEIGHTS[intent].values())
    assert scores(state) == {"a": pytest.approx(total / 41), "b": pytest.approx(total / 42)}
    assert state.weights == {name: weight for name, weight in WEIGHTS[intent].items() if weight > 0}
    assert set(state.items[0].ranks) == set(state.weights)


def test_equal_weights_are_the_textbook_formula_times_the_weight() -> None:
    lists = {"x": of("a", "b", "c"), "y": of("c", "a", "d"), "z": of("d")}
    plain, weighed = fusing(**lists), fusing(**lists)
    RrfFusion(k=60).apply(plain)
    RrfFusion(k=60, weights={"x": 0.25, "y": 0.25, "z": 0.25}).apply(weighed)
    textbook = {
        key: sum(1 / (60 + names.index(key) + 1) for names in ("abc", "cad", "d") if key in names) for key in "abcd"
    }
    assert scores(plain) == pytest.approx(textbook)
    assert scores(weighed) == pytest.approx({key: value / 4 for key, value in textbook.items()})
    assert [item.path for item in plain.items] == [item.path for item in weighed.items]


def test_ties_keep_the_order_of_the_lists() -> None:
    state = fusing(x=of("a", "b"), y=of("b", "a"), z=of("c", "d"))
    RrfFusion().apply(state)
    assert [item.path for item in state.items] == ["a", "b", "c", "d"]


def test_a_list_of_weight_nought_does_not_enter() -> None:
    state = fusing(x=of("a"), y=of("b"))
    RrfFusion(weights={"x": 1, "y": 0}).apply(state)
    assert [item.path for item in state.items] == ["a"]
    assert state.weights == {"x": 1.0}


def test_the_callers_k_goes_before_the_steps() -> None:
    state = fusing(x=of("a"))
    state.k = 9
    RrfFusion(k=60).apply(state)
    assert state.items[0].score == pytest.approx(1 / 10)


def test_a_line_a_symbol_and_a_chunk_of_the_same_code_are_one_result() -> None:
    line = [made(1.0, "a.py", 12, 12, chunk=7, line=12, ranks={"text": 1})]
    symbol = [made(7.0, "a.py", 11, 29, chunk=7, line=11, ranks={"structural": 1})]
    chunk = [made(0.8, "a.py", 10, 30, chunk=7, ranks={"semantic": 1}), made(0.7, "a.py", 31, 40, chunk=8)]
    state = fusing(semantic=chunk, text=line, structural=symbol)
    RrfFusion(k=60).apply(state)
    assert [(item.start_line, item.end_line) for item in state.items] == [(10, 30), (31, 40)]
    assert state.items[0].score == pytest.approx(3 / 61)
    assert state.items[0].line == 12


def test_without_lists_the_candidates_are_the_one_list() -> None:
    state = fusing("find_references")
    state.items, state.weights, state.strategy = of("a", "b"), {"graph": 1.0}, "direct"
    RrfFusion(k=40, by_intent=True).apply(state)
    assert scores(state) == {"a": pytest.approx(0.5 / 41), "b": pytest.approx(0.5 / 42)}
    assert (state.strategy, state.weights) == ("direct", {"graph": 0.5})
    assert state.items[0].ranks == {"graph": 1}


def test_two_lists_of_one_modality_keep_their_own_names() -> None:
    state = fusing(short=of("a"), long=of("a", "b"))
    state.modalities = {"short": "semantic", "long": "semantic"}
    RrfFusion().apply(state)
    assert state.items[0].ranks == {"short": 1, "long": 1}
    state = fusing(words=of("a"), dense=of("a"))
    state.modalities = {"words": "text", "dense": "semantic"}
    RrfFusion(weights={"words": 3}).apply(state)
    assert state.weights == {"text": 3.0, "semantic": 1.0}


def test_nothing_fused_is_nothing_found() -> None:
    state = fusing(x=[], y=[])
    RrfFusion().apply(state)
    assert (state.items, state.strategy) == ([], "weighted_rrf")


def test_scores_are_fused_relative_to_the_best_of_their_list() -> None:
    first = [made(8.0, "a", chunk=1), made(4.0, "b", chunk=2)]
    second = [made(0.5, "b", chunk=2), made(0.25, "c", chunk=3)]
    state = fusing(x=first, y=second)
    WeightedScoreFusion(weights={"x": 0.7, "y": 0.3}).apply(state)
    assert scores(state) == pytest.approx({"a": 0.7, "b": 0.7 * 0.5 + 0.3, "c": 0.3 * 0.5})
    state = fusing(x=first, y=second)
    WeightedScoreFusion(scale="range").apply(state)
    assert scores(state) == pytest.approx({"a": 1.0, "b": 1.0, "c": 0.0})


@pytest.mark.parametrize("step", [RrfFusion, WeightedScoreFusion])
@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ({"x": -1}, "0 or above"),
        ({"x": 0, "y": 0}, "all weights are 0"),
        ({"x": "1"}, "must be a number"),
        (3, "table"),
    ],
)
def test_weights_that_cannot_be(step: type[RrfFusion], weights: object, says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        step(weights=weights)  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [0, -1, 0.5, math.inf, math.nan, "x", True])
def test_a_k_that_cannot_be(k: object) -> None:
    with pytest.raises(BadConfig, match=r"rrf_fusion\.k must be a number"):
        RrfFusion(k=k)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("centrality", "factor"),
    [(0.0, 1.0), (1.0, 1 + 0.3 * math.log(2)), (3.0, 1 + 0.3 * math.log(4)), (100.0, 1.5), (None, 1.0)],
)
def test_importance_is_on_every_contribution(
    monkeypatch: pytest.MonkeyPatch, centrality: float | None, factor: float
) -> None:
    monkeypatch.setattr("fourfold.pipeline.steps.graph.centrality_of", lambda state, item: centrality)
    state = fusing(x=of("a"), y=of("a", "b"))
    RrfFusion(k=60).apply(state)
    ImportanceBoost().apply(state)
    item = state.items[0]
    assert item.contributions == pytest.approx({"x": factor / 61, "y": factor / 61})
    assert item.score == pytest.approx(2 * factor / 61)
    assert item.signals == ([] if centrality is None else [("importance", pytest.approx(factor))])


def test_demotion_is_the_last_factor() -> None:
    state = fusing(x=[made(1.0, "tests/test_a.py", chunk=1), made(0.9, "a.py", chunk=2)])
    RrfFusion(k=60).apply(state)
    PathDemotion().apply(state)
    assert scores(state) == pytest.approx({"tests/test_a.py": 0.3 / 61, "a.py": 1 / 62})
    assert [item.path for item in state.items] == ["a.py", "tests/test_a.py"]
    assert state.items[1].signals == [("demotion:test", 0.3)]
    assert state.items[1].contributions == pytest.approx({"x": 0.3 / 61})
