"""One row per file, communities mixed, parents for many siblings, counted cuts."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.errors import UsageError
from fourfold.rank.diversify import (
    MIN_COVERAGE_BY_KIND,
    Parent,
    approx_tokens,
    best_per_file,
    community_diversity,
    cut,
    fit_tokens,
    merge_overlaps,
    parent_rollup,
)


@dataclass(frozen=True, slots=True)
class Row:
    """A result with a place."""

    path: str
    start_line: int
    end_line: int
    score: float = 1.0


def test_overlaps_merge_into_the_best() -> None:
    best, lower, other = Row("a", 10, 20), Row("a", 15, 30), Row("a", 31, 40)
    groups = merge_overlaps([best, other, lower])
    assert [(group.best, group.start_line, group.end_line, group.more) for group in groups] == [
        (best, 10, 30, (lower,)),
        (other, 31, 40, ()),
    ]


def test_a_bridge_joins_two_groups() -> None:
    first, second, bridge = Row("a", 1, 10), Row("a", 20, 30), Row("a", 8, 22)
    groups = merge_overlaps([first, second, bridge])
    assert [(group.best, group.start_line, group.end_line) for group in groups] == [(first, 1, 30)]
    assert set(groups[0].more) == {second, bridge}


def test_best_per_file_keeps_the_others_under_more() -> None:
    rows = [Row("a", 1, 5), Row("b", 1, 5), Row("a", 40, 50), Row("a", 45, 60), Row("b", 3, 9)]
    groups = best_per_file(rows)
    assert [(group.best.path, group.start_line, group.end_line) for group in groups] == [("a", 1, 5), ("b", 1, 9)]
    assert groups[0].more == (rows[2],)


ROWS = st.lists(
    st.builds(lambda path, start, length: Row(path, start, start + length), st.sampled_from("abc"),
              st.integers(1, 60), st.integers(0, 20)),
    max_size=15,
)  # fmt: skip


@given(rows=ROWS)
def test_groups_never_overlap_and_lose_no_line(rows: list[Row]) -> None:
    groups = merge_overlaps(rows)
    covered = {(row.path, line) for row in rows for line in range(row.start_line, row.end_line + 1)}
    shown = [(group.best.path, line) for group in groups for line in range(group.start_line, group.end_line + 1)]
    assert len(shown) == len(set(shown))
    assert set(shown) == covered
    assert sum(1 + len(group.more) for group in groups) == len(rows)


@given(rows=ROWS)
def test_each_file_once_in_the_order_of_its_best(rows: list[Row]) -> None:
    assert [group.best.path for group in best_per_file(rows)] == list(dict.fromkeys(row.path for row in rows))


def test_community_diversity_by_hand() -> None:
    rows = [Row("a", 1, 1, 1.0), Row("b", 1, 1, 0.9), Row("c", 1, 1, 0.4), Row("d", 1, 1, 0.3)]
    community = {"a": 1, "b": 1, "c": 2, "d": None}.__getitem__
    # b loses 0.5 for a's community: 0.45 - 0.5 < 0.5 * 0.4 and < 0.5 * 0.3.
    order = [row.path for row in community_diversity(rows, lambda row: community(row.path))]
    assert order == ["a", "c", "d", "b"]
    same = community_diversity(rows, lambda row: community(row.path), lambda_=1.0)
    assert same == rows
    with pytest.raises(UsageError, match="lambda"):
        community_diversity(rows, lambda row: None, lambda_=1.5)


@given(scores=st.lists(st.floats(-5, 5), max_size=10), groups=st.lists(st.integers(0, 2), min_size=10, max_size=10))
def test_diversity_only_re_ranks(scores: list[float], groups: list[int]) -> None:
    rows = [Row(str(index), 1, 1, score) for index, score in enumerate(sorted(scores, reverse=True))]
    mixed = community_diversity(rows, lambda row: groups[int(row.path)])
    assert sorted(mixed, key=lambda row: int(row.path)) == rows
    assert mixed[:1] == rows[:1]


def parents(kind: str, children: int) -> dict[str, Parent[str]]:
    """Rows m1, m2, ... are children of P."""
    return {f"m{number}": Parent("P", kind, children, "P") for number in range(1, 6)}


@pytest.mark.parametrize(
    ("kind", "children", "rolled"),
    [
        ("class", 6, True),  # 2 of 6 is 0.33, at least 0.3
        ("class", 7, False),  # 2 of 7 is 0.29
        ("module", 3, True),
        ("module", 4, False),  # 0.5 < 0.6
        ("markdown_heading", 4, True),
        ("markdown_heading", 5, False),
        ("struct", 4, True),  # others need 0.5
        ("struct", 5, False),
    ],
)
def test_rollup_thresholds(kind: str, children: int, rolled: bool) -> None:
    items = ["x", "m1", "y", "m2"]
    assert parent_rollup(items, parents(kind, children).get) == (["x", "P", "y"] if rolled else items)


def test_one_sibling_is_not_enough() -> None:
    assert parent_rollup(["m1", "x"], parents("class", 1).get) == ["m1", "x"]
    assert parent_rollup(["m1", "x"], parents("class", 1).get, min_siblings=1) == ["P", "x"]


def test_a_supplied_mapping_replaces_the_defaults_whole() -> None:
    assert MIN_COVERAGE_BY_KIND == {"class": 0.3, "module": 0.6, "markdown_heading": 0.5}
    items = ["m1", "m2"]
    assert parent_rollup(items, parents("class", 6).get, min_coverage_by_kind={"module": 0.1}) == items
    assert parent_rollup(items, parents("class", 4).get, min_coverage_by_kind={}) == ["P"]


def test_the_parent_takes_the_best_rank_and_stands_once() -> None:
    assert parent_rollup(["x", "m1", "P", "m2"], parents("class", 2).get) == ["x", "P"]
    assert parent_rollup(["P", "x", "m1", "m2"], parents("class", 2).get) == ["P", "x"]


@pytest.mark.parametrize(("name", "value"), [("min_siblings", 0), ("min_coverage", 1.2), ("min_coverage", -0.1)])
def test_bad_rollup_parameters(name: str, value: float) -> None:
    with pytest.raises(UsageError):
        parent_rollup(["m1"], parents("class", 2).get, **{name: value})  # type: ignore[arg-type]


def test_cut_counts_what_it_drops() -> None:
    assert cut([1, 2, 3], 2) == ([1, 2], 1)
    assert cut([1], 5) == ([1], 0)
    for count in (0, -1):
        with pytest.raises(UsageError, match="1 or more"):
            cut([1], count)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("x" * 400, 100)])
def test_tokens_are_a_quarter_of_the_characters(text: str, tokens: int) -> None:
    assert approx_tokens(text) == tokens


def test_a_token_budget_ends_the_list_and_counts_the_rest() -> None:
    texts = ["a" * 40, "b" * 40, "c" * 8]
    assert fit_tokens(texts, str, 20) == (texts[:2], 1)
    assert fit_tokens(texts, str, 22) == (texts, 0)
    assert fit_tokens(texts, str, 12) == (texts[:1], 2)
    assert fit_tokens(texts, str, 1) == (texts[:1], 2)
    assert fit_tokens([], str, 1) == ([], 0)
    with pytest.raises(UsageError, match="token budget"):
        fit_tokens(texts, str, 0)
