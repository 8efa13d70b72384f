"""Details of symbols survive their way through the store."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.symbol import MODIFIERS, STEREOTYPES, VISIBILITIES, Symbol, apply_details, encode_details

BARE = Symbol("f", "A.f", "method", 1, 2, "A", "def f()")

detailed = st.builds(
    replace,
    st.just(BARE),
    doc=st.text(max_size=20),
    decorators=st.lists(st.text(min_size=1, max_size=9), max_size=3).map(tuple),
    visibility=st.sampled_from(VISIBILITIES),
    modifiers=st.sets(st.sampled_from(MODIFIERS)).map(lambda some: tuple(one for one in MODIFIERS if one in some)),
    stereotype=st.sampled_from(STEREOTYPES),
)


@given(st.lists(detailed, max_size=6))
def test_what_was_encoded_comes_back(symbols: list[Symbol]) -> None:
    encoded = json.loads(json.dumps(encode_details(symbols)))
    assert apply_details([BARE] * len(symbols), encoded) == symbols


def test_nothing_is_stored_of_symbols_without_details() -> None:
    assert encode_details([BARE, BARE]) == []


@pytest.mark.parametrize(
    "details",
    [
        [2, "1", [], [], [], []],
        [1, "11", [], [], [], []],
        [1, "9", [], [], [], []],
        [1, "1", [0], [], [], []],
        [1, "1", [], [], [], [0, 99]],
        [1, "1", [0, "x"], [], [], []],
        [1],
    ],
)
def test_damaged_details_are_refused(details: list[object]) -> None:
    with pytest.raises(ValueError, match="details"):
        apply_details([BARE], details)
