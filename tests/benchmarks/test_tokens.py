"""What an answer costs an agent, counted by hand."""

from __future__ import annotations

import pytest
from benchmarks.dataset import Question, Target
from benchmarks.tokens import Cost, cost, places, summary

from fourfold.answer.tokens import estimate

ASKED = Question("chi", "q1", "go", "x", "how", (Target("mux.go"), Target("src/tree.go")))


def test_targets_count_at_the_tokens_read_when_they_come_by() -> None:
    read = iter([("other.go", 100), ("mux.go", 600), ("mux.go", 700), ("tree.go", 1_500)])
    assert cost(ASKED, read) == Cost("chi", 600, (0.0, 0.5, 1.0, 1.0))


def test_reading_ends_with_the_last_budget() -> None:
    assert cost(ASKED, iter([("mux.go", 4_001)])) == Cost("chi", None, (0.0, 0.0, 0.0, 0.0))


def test_places_of_a_reply_end_with_their_blocks() -> None:
    text = "# Results\n\n### 1. a\n**Location**: `a.go:1-2`\ncode\n\n### 2. b\n**Location**: `b.go:3-4`\nmore code\n"
    found = list(places(text, 10))
    assert [path for path, _ in found] == ["a.go", "b.go"]
    assert found[0][1] == 10 + estimate(text[: text.index("**Location**: `b")])
    assert found[1][1] == 10 + estimate(text)


def test_means_are_over_repositories() -> None:
    costs = [
        Cost("a", 100, (1.0, 1.0, 1.0, 1.0)),
        Cost("a", 300, (1.0, 1.0, 1.0, 1.0)),
        Cost("b", None, (0.0, 0.0, 0.0, 0.0)),
    ]
    found = summary(costs)
    assert found["tokens_to_first_median"] == 200
    assert found["found"] == found["recall_at_500"] == pytest.approx(0.5)
