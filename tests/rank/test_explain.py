"""Why a result stands where it stands."""

from __future__ import annotations

from fourfold.model.result import QueryInfo, ResultItem
from fourfold.rank.explain import explain_item, explain_query, make_why, signal_text


def item() -> ResultItem:
    """A result with everything to explain."""
    why = make_why(
        {"text": 4, "semantic": 0},
        {"text": 0.2, "semantic": 0.5, "structural": 0.2, "graph": 0.0},
        [("importance", 1.2079), ("demotion:test", 0.3)],
        "weighted_rrf",
    )
    return ResultItem(1, "a.py", 1, 9, "python", "function", "run", "def run()", 0.0123456, "code", why=why)


def test_ranks_count_from_one_and_unused_weights_are_left_out() -> None:
    why = item().why
    assert why.modalities == {"semantic": 1, "text": 5}
    assert list(why.modalities) == ["semantic", "text"]
    assert why.weights == {"semantic": 0.5, "text": 0.2, "structural": 0.2}
    assert why.signals == (("importance", 1.2079), ("demotion:test", 0.3))


def test_lines_for_people() -> None:
    assert explain_item(item()) == [
        "score 0.01235 by weighted_rrf",
        "semantic: rank 1, weight 0.5",
        "text: rank 5, weight 0.2",
        "structural: not found, weight 0.2",
        "importance: × 1.21",
        "demotion:test: × 0.3",
    ]


def test_a_signal_is_added_or_multiplied() -> None:
    assert signal_text("feature_rerank", 0.5) == "+0.5"
    assert [signal_text(method, 0.5) for method in ("rrf", "definitions")] == ["× 0.5", "× 0.5"]
    assert signal_text("dense_scorer", -0.25) == "-0.25"


def test_other_lists_come_after_the_modalities() -> None:
    why = make_why({"dense": 1, "bm25": 0, "graph": 2}, {})
    assert list(why.modalities.items()) == [("graph", 3), ("bm25", 1), ("dense", 2)]


def test_the_query_is_explained() -> None:
    info = QueryInfo("where is run_all defined", "find_definition", 0.95, ("run_all",), "definition phrase")
    assert explain_query(info) == ["intent find_definition (0.95, definition phrase)", "names: run_all"]
    assert explain_query(QueryInfo("x", "understand_code", 0.4)) == ["intent understand_code (0.40, no rule)"]
