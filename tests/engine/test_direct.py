"""Questions that one modality answers alone, and what happens where it finds nothing."""

from __future__ import annotations

from collections.abc import Callable

from fourfold import Index

OpenIndex = Callable[[], Index]


def test_a_quoted_text_is_searched_as_it_stands(open_index: OpenIndex) -> None:
    result = open_index().search('"full jitter, capped"')
    assert result.query.intent == "exact_match"
    assert result.meta.fusion_strategy == "direct"
    assert [(item.path, item.matched_lines) for item in result.items] == [("src/net/retry.py", (7,))]


def test_a_regular_expression_between_slashes(open_index: OpenIndex) -> None:
    result = open_index().search(r"/EXPIRY_\w+ = \d+/")
    assert [item.path for item in result.items] == ["src/auth/session.py"]


def test_a_definition_question_is_answered_by_definitions_alone(open_index: OpenIndex) -> None:
    result = open_index().search("where is RetryPolicy defined")
    assert result.meta.fusion_strategy == "direct"
    assert [item.symbol for item in result.items] == ["RetryPolicy"]
    assert result.items[0].why.modalities == {"structural": 1}


def test_uses_of_a_name_leave_out_its_definition(open_index: OpenIndex) -> None:
    result = open_index().search("who calls backoff_delay")
    assert result.query.intent == "find_references"
    assert [item.path for item in result.items] == ["tests/test_retry.py"] * len(result.items)


def test_a_text_that_does_not_occur_falls_back_and_says_so(open_index: OpenIndex) -> None:
    result = open_index().search('"sessions of nobody at all"')
    assert result.meta.fusion_strategy == "weighted_rrf"
    assert result.items
    assert result.meta.suggestion is not None
    assert "does not occur" in result.meta.suggestion


def test_an_unknown_name_falls_back_to_the_fused_path(open_index: OpenIndex) -> None:
    result = open_index().search("where is expire_session_now defined")
    assert result.meta.fusion_strategy == "weighted_rrf"
    assert result.items[0].path == "src/auth/session.py"
