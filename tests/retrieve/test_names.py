"""Names like the one asked for: by beginning, part, words, with typing errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.retrieve.names import FUZZY, PREFIX, SUBSTRING, WORDS, NameIndex, edit_distance

NAMES = NameIndex(["parse_config", "parseConfig", "parse_the_config", "Config", "reparse", "get", "loader", "LoaderX"])


def test_beginnings_come_first_the_shortest_first() -> None:
    assert NAMES.like("pars", 10)[:2] == [("parseConfig", PREFIX), ("parse_config", PREFIX)]
    assert ("reparse", SUBSTRING) in NAMES.like("parse", 10)


def test_words_in_any_order() -> None:
    assert ("parse_the_config", WORDS) in NAMES.like("config parse", 10)


def test_the_name_itself_is_not_like_itself() -> None:
    assert all(name.casefold() != "loader" for name, _ in NAMES.like("Loader", 10))
    assert ("LoaderX", PREFIX) in NAMES.like("loader", 10)


@pytest.mark.parametrize("asked", ["loadr", "lodaer", "looader", "koader"])
def test_a_typing_error(asked: str) -> None:
    assert NAMES.like(asked, 5)[0] == ("loader", FUZZY)


@pytest.mark.parametrize("asked", ["gte", "", "zzzzzzzz", "\n"])
def test_short_strange_and_empty_names_are_like_nothing(asked: str) -> None:
    assert NAMES.like(asked, 5) == []


def test_the_limit_holds() -> None:
    index = NameIndex([f"name{number}" for number in range(50)])
    assert len(index.like("name", 7)) == 7


def test_distances() -> None:
    assert edit_distance("abc", "abc", 2) == 0
    assert edit_distance("abc", "acb", 2) == 1
    assert edit_distance("abc", "abcd", 2) == 1
    assert edit_distance("abc", "xyz", 2) == 3
    assert edit_distance("a", "abcdef", 2) == 3


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_a_distance_is_the_same_both_ways(first: str, second: str) -> None:
    assert edit_distance(first, second, 3) == edit_distance(second, first, 3)


@given(st.lists(st.text("abAB_", min_size=1, max_size=8), max_size=12), st.text("abAB_", min_size=1, max_size=8))
def test_like_gives_known_names_each_once(names: list[str], asked: str) -> None:
    found = [name for name, _ in NameIndex(names).like(asked, 100)]
    assert len(found) == len(set(found))
    assert set(found) <= set(names)
    assert {
        name for name in names if asked.casefold() in name.casefold() and name.casefold() != asked.casefold()
    } <= set(found)
