"""Lists of numbers in one array, and parts of an axis reduced at once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fourfold.rank.number_lists import FIRST_ROOM, NumberLists, Segments

LISTS = st.lists(st.lists(st.integers(0, 99), max_size=5), min_size=1, max_size=30)


@given(LISTS, st.data())
def test_lists_are_read_in_any_order_as_they_were_added(lists: list[list[int]], data: st.DataObject) -> None:
    kept = NumberLists()
    assert [kept.add(numbers) for numbers in lists] == list(range(len(lists)))
    asked = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=10))
    numbers, counts = kept.of(np.array(asked, dtype=np.int64))
    assert numbers.tolist() == [number for one in asked for number in lists[one]]
    assert counts.tolist() == [len(lists[one]) for one in asked]


def test_lists_outgrow_their_first_room_without_disturbing_readers() -> None:
    kept = NumberLists()
    kept.add([1, 2, 3])
    before, _ = kept.of(np.array([0]))
    for number in range(2 * FIRST_ROOM):
        kept.add([number, number])
    assert before.tolist() == [1, 2, 3]
    assert kept.of(np.array([0, 2 * FIRST_ROOM]))[0].tolist() == [1, 2, 3, 2 * FIRST_ROOM - 1, 2 * FIRST_ROOM - 1]


def test_parts_are_reduced_each_and_empty_ones_are_nothing() -> None:
    parts = Segments(np.array([2, 0, 1]))
    values = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 9.0]])
    assert parts.reduced(np.maximum, values).tolist() == [[5.0, 0.0, 2.0], [4.0, 0.0, 9.0]]
    assert parts.reduced(np.add, np.zeros((0, 3))).shape == (0, 3)
    assert Segments(np.zeros(2, np.int64)).reduced(np.add, np.zeros((1, 0))).tolist() == [[0.0, 0.0]]
