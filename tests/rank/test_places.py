"""A line hit, a symbol and a chunk that cover the same code are one result."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.rank.fusion import weighted_rrf
from fourfold.rank.places import UNIT_LINES, representatives

LINE, SYMBOL, CHUNK = ("a.py", 30, 30), ("a.py", 28, 60), ("a.py", 26, 60)


def test_line_symbol_and_chunk_gather_three_contributions() -> None:
    chosen = representatives([LINE, SYMBOL, CHUNK])
    merged = {"text": [chosen[LINE]], "structural": [chosen[SYMBOL]], "semantic": [chosen[CHUNK]]}
    assert merged == {"text": [CHUNK], "structural": [CHUNK], "semantic": [CHUNK]}
    fused = weighted_rrf(merged, {"text": 1.0, "structural": 1.0, "semantic": 1.0}, k=60)
    assert [(item.key, item.score) for item in fused] == [(CHUNK, pytest.approx(3 / 61))]


@pytest.mark.parametrize(
    ("places", "pairs"),
    [
        pytest.param([("a", 10, 300), ("a", 10, 25)], [(("a", 10, 300), ("a", 10, 25))], id="class and head"),
        pytest.param([("a", 10, 300), ("a", 40, 60)], [], id="class and one of its methods stay apart"),
        pytest.param([("a", 10, 30), ("a", 12, 15)], [(("a", 12, 15), ("a", 10, 30))], id="inside a unit"),
        pytest.param([("a", 10, 30), ("b", 10, 30)], [], id="another file"),
        pytest.param([("a", 10, 30), ("a", 31, 50)], [], id="neighbours"),
        pytest.param([("a", 10, 30), ("a", 9, 31)], [(("a", 10, 30), ("a", 9, 31))], id="nearly equal"),
        pytest.param([("a", 5, 5), ("a", 90, 90)], [], id="two lines and nothing around"),
        pytest.param([("a", 50, 50), ("a", 10, 300)], [(("a", 50, 50), ("a", 10, 300))], id="line in a class"),
    ],
)
def test_which_places_are_one(
    places: list[tuple[str, int, int]], pairs: list[tuple[tuple[str, int, int], tuple[str, int, int]]]
) -> None:
    expected = {place: place for place in places} | dict(pairs)
    assert representatives(places) == expected


def test_a_line_goes_to_the_smallest_place_that_holds_it() -> None:
    chosen = representatives([("a", 1, 400), ("a", 100, 130), ("a", 110, 110)])
    assert chosen[("a", 110, 110)] == ("a", 100, 130)


PLACES = st.builds(
    lambda path, start, length: (path, start, start + length),
    st.sampled_from(["a", "b"]),
    st.integers(1, 200),
    st.integers(0, 2 * UNIT_LINES),
)


@given(places=st.lists(PLACES, max_size=12), order=st.randoms(use_true_random=False))
def test_representatives_are_places_themselves_whatever_the_order(
    places: list[tuple[str, int, int]], order: random.Random
) -> None:
    chosen = representatives(places)
    shuffled = list(places)
    order.shuffle(shuffled)
    assert representatives(shuffled) == chosen
    assert set(chosen) == set(places)
    for place, unit in chosen.items():
        assert chosen[unit] == unit
        assert place[0] == unit[0]
        assert max(place[1], unit[1]) <= min(place[2], unit[2])
