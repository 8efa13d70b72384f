"""Fences, excerpts, budgets and cursors on their own."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.answer.tokens import estimate
from fourfold.interfaces.mcp.blocks import search_entry
from fourfold.interfaces.mcp.cursor import make_cursor, read_cursor
from fourfold.interfaces.mcp.excerpt import around, excerpt, search_chars
from fourfold.interfaces.mcp.fence import code, fenced, plain
from fourfold.model.result import ResultItem, Why

TEXTS = st.text(st.sampled_from("`~ab\t\"'#<>[]\u202e\x1b 中"), max_size=80)


@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_no_text_closes_its_fence(texts: list[str]) -> None:
    shown = fenced(list(enumerate(texts, 1)), "python").split("\n")
    fence = re.match(r"`+", shown[0])
    assert fence is not None
    assert shown[-1] == fence.group()
    assert all(fence.group() not in line for line in shown[1:-1])
    assert "\x1b" not in "".join(shown) and "\u202e" not in "".join(shown)


@given(TEXTS)
def test_a_code_span_stays_one_span_on_one_line(text: str) -> None:
    shown = code(text)
    ticks = re.match(r"`+", shown)
    assert ticks is not None and "\n" not in shown
    inner = shown[len(ticks.group()) : -len(ticks.group())]
    assert all(len(run) != len(ticks.group()) for run in re.findall(r"`+", inner))


def test_prose_from_a_repository_is_no_markup() -> None:
    assert plain("see [x](http://evil) `a`\n<b>") == "see (x)(http://evil) 'a' &lt;b>"


def test_lines_keep_their_numbers_and_gaps_are_shown() -> None:
    assert fenced([(9, "a"), (10, "b"), (14, "c")]) == "```\n 9 a\n10 b\n   ...\n14 c\n```"


@given(st.lists(st.text("abc ", max_size=40), min_size=1, max_size=40), st.integers(1, 500), st.integers(20, 400))
def test_an_excerpt_holds_true_lines_within_its_length(lines: list[str], first: int, chars: int) -> None:
    shown = excerpt("\n".join(lines), first, [first + 5], chars)
    assert shown
    assert all(lines[number - first] == text for number, text in shown)
    assert sum(len(text.strip()) for _, text in shown[1:]) <= chars
    assert [number for number, _ in shown] == sorted({number for number, _ in shown})


@pytest.mark.parametrize(
    ("rank", "again", "chars"),
    [(1, False, 500), (2, False, 400), (3, False, 200), (2, True, 200), (10, False, 200), (11, True, 60),
     (30, False, 60), (31, False, 40), (500, True, 40)],
)  # fmt: skip
def test_later_results_show_less(rank: int, again: bool, chars: int) -> None:
    assert search_chars(rank, again=again) == chars


def test_an_excerpt_shows_the_head_and_what_matched() -> None:
    lines = [f"line {n}" for n in range(100)]
    shown = [number for number, _ in excerpt("\n".join(lines), 1, [60], 100)]
    assert 1 in shown and 60 in shown


def test_lines_around_stay_in_the_file() -> None:
    assert around(["a", "b", "c"], 1) == [(1, "a"), (2, "b"), (3, "c")]
    assert around(["a", "b", "c", "d"], 4, 1) == [(3, "c"), (4, "d")]


def test_tokens_are_estimated_on_the_long_side() -> None:
    assert estimate("") == 0
    assert estimate("a" * 7) == 2
    assert estimate("認証を行う") == 5


@given(st.integers(0, 100_000))
def test_a_cursor_names_its_offset_for_the_same_question_only(offset: int) -> None:
    arguments = {"query": "x", "limit": 10, "cursor": None, "max_tokens": 4000}
    cursor = make_cursor(offset, arguments)
    assert read_cursor(cursor, {**arguments, "cursor": cursor, "limit": 5, "max_tokens": 500}) == offset


@pytest.mark.parametrize(("rank", "told"), [(1, True), (10, True), (11, False)])
def test_the_first_results_tell_more_than_the_data_of_all(rank: int, told: bool) -> None:
    item = ResultItem(
        rank=rank, path="a.py", start_line=1, end_line=1, language="python", kind="function", symbol="f",
        signature="", score=0.5, snippet="def f(): pass", more=((9, 12, "g"),), why=Why(modalities={"text": 2}),
    )  # fmt: skip
    entry = search_entry(item, rank, "", several=False)
    assert ("Also in this file: 9-12 `g`" in entry.block) is told
    assert ("python" in entry.block.replace("```python", "")) is told
    assert entry.data["more"] and entry.data["language"] == "python"
