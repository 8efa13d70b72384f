"""Which places are listed: worth worked out by hand, neighbours joined, no file that fills the page."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rank.made import evidence

from fourfold.rank.chunks import ChunkOrder
from fourfold.rank.listing import JOINED, LINES_SHARE, PLACES_OF_A_FILE, Listed, best_places, listing

PATHS = ("a.py", "b.py", "c.py", "d.py")


def listed(chunks: list[int], files: list[float], scores: list[float], depth: int = 20) -> list[Listed]:
    """Places of files with so many chunks each and these scores."""
    order = ChunkOrder(evidence(PATHS[: len(chunks)], chunks), np.array(scores))
    ranked = sorted(range(len(files)), key=lambda position: -files[position])
    return listing(np.array(files), order, ranked, depth)


def spans(places: list[Listed]) -> list[tuple[int, int, int]]:
    """File, first and last chunk of each place."""
    return [(one.file, one.first, one.last) for one in places]


def test_the_worth_of_a_place_is_the_formula() -> None:
    """P(file) 3/4 and 1/4; P(chunk | a) 2/3 and 1/3 with one between that has none of it; P(chunk | b) 1."""
    places = listed([3, 1], [log(3), 0.0], [log(2), -50.0, 0.0, 7.0])
    assert spans(places)[:3] == [(0, 0, 0), (1, 3, 3), (0, 2, 2)]
    worths = [0.75, 0.25, 0.75 * LINES_SHARE / 3]
    assert [one.worth for one in places[:3]] == pytest.approx(worths)
    assert [one.is_best for one in places[:3]] == [True, True, False]


def test_a_second_place_of_the_file_that_is_meant_comes_before_files_that_are_not() -> None:
    sure = listed([3, 1], [9.0, 0.0], [1.0, -50.0, 1.0, 0.0])
    unsure = listed([3, 1], [0.1, 0.0], [1.0, -50.0, 1.0, 0.0])
    assert [one.file for one in sure[:3]] == [0, 0, 1]
    assert [one.file for one in unsure[:3]] == [0, 1, 0]


def test_neighbours_are_one_place_under_the_better_ones_name() -> None:
    places = listed([5], [0.0], [-9.0, 2.0, 1.5, 1.4, 1.3])
    assert spans(places)[0] == (0, 1, 3)
    assert places[0].chunk == 1
    assert places[0].last - places[0].first + 1 == JOINED
    assert spans(places)[1] == (0, 4, 4)


def test_an_unlikely_neighbour_is_a_place_of_its_own() -> None:
    places = listed([2], [0.0], [9.0, 0.0])
    assert spans(places) == [(0, 0, 0), (0, 1, 1)]


def test_files_beyond_the_depth_show_their_best_chunk_alone() -> None:
    places = listed([3, 3], [1.0, 0.9], [1.0, -50.0, 1.0] * 2, depth=1)
    assert sorted(spans(places)) == [(0, 0, 0), (0, 1, 1), (0, 2, 2), (1, 3, 3)]


def test_chunks_that_the_filters_hide_are_neither_listed_nor_joined() -> None:
    hidden = evidence(("a.py", "b.py"), [3, 2], shown=[True, False, True, False, True])
    order = ChunkOrder(hidden, np.array([1.0, 5.0, 1.0, 5.0, 0.0]))
    assert sorted(spans(listing(np.zeros(2), order, [0, 1], 20))) == [(0, 0, 0), (0, 2, 2), (1, 4, 4)]


def test_no_candidates_no_places() -> None:
    assert listing(np.zeros(0), ChunkOrder(evidence((), []), np.zeros(0)), [], 20) == []


def test_without_learned_scores_each_file_is_named_once() -> None:
    order = ChunkOrder(evidence(("a.py", "b.py"), [2, 1]), np.array([0.0, 1.0, 0.0]))
    assert best_places(np.array([1.0, 3.0]), order, [1, 0]) == [Listed(1, 2, 2, 2, 3.0), Listed(0, 1, 1, 1, 1.0)]


SCORES = st.floats(-30, 30)


@given(st.lists(st.tuples(SCORES, st.lists(SCORES, min_size=1, max_size=9)), min_size=1, max_size=4))
def test_every_file_is_listed_nothing_twice_and_the_worth_falls(made: list[tuple[float, list[float]]]) -> None:
    chunks = [len(scores) for _, scores in made]
    places = listed(chunks, [score for score, _ in made], [score for _, scores in made for score in scores])
    assert {one.file for one in places} == set(range(len(made)))
    shown = [at for one in places for at in range(one.first, one.last + 1)]
    assert len(shown) == len(set(shown))
    assert all(one.first <= one.chunk <= one.last < one.first + JOINED for one in places)
    worths = [one.worth for one in places]
    assert worths == sorted(worths, reverse=True)
    for file in range(len(made)):
        assert sum(one.last - one.first + 1 for one in places if one.file == file) <= PLACES_OF_A_FILE
    assert sum(one.worth for one in places if one.is_best) == pytest.approx(1.0)


def test_equal_files_keep_their_order_however_unlikely() -> None:
    scores = [0.0, 0.0, -800.0, -800.0]
    assert [one.file for one in listed([1, 1, 1, 1], scores, [0.0] * 4)] == [0, 1, 2, 3]
    assert exp(-800.0) == 0.0
