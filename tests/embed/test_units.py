"""Token vectors at unit length, kept close together."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from fourfold.embed.units import UnitVectors

ROWS = np.random.default_rng(7).integers(-127, 128, (5000, 16), dtype=np.int8)


def wanted(ids: np.ndarray) -> np.ndarray:
    rows = ROWS[ids].astype(np.float32)
    units: np.ndarray = rows / np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return units


def test_they_are_the_rows_at_unit_length_in_the_order_asked_for() -> None:
    units = UnitVectors(ROWS)
    for ids in (np.array([3, 1, 3, 4999]), np.array([1]), np.array([], np.int32), np.arange(5000)[::-1]):
        assert np.array_equal(units.of(ids), wanted(ids))


def test_a_row_of_zeros_stays_zeros() -> None:
    units = UnitVectors(np.zeros((4, 16), np.int8))
    assert not units.of(np.array([2])).any()


def test_few_tokens_take_little_room_wherever_they_stand_in_the_model() -> None:
    units = UnitVectors(np.ones((50_000, 16), np.int8))
    units.of(np.arange(0, 50_000, 25))
    assert units.room == 2048
    units.of(np.arange(50_000))
    assert units.room == 50_000


def test_threads_that_ask_at_once_all_get_the_right_rows() -> None:
    units = UnitVectors(ROWS)
    random = np.random.default_rng(8)
    asked = [random.integers(0, 5000, 60) for _ in range(400)]
    with ThreadPoolExecutor(8) as pool:
        for ids, found in zip(asked, pool.map(units.of, asked), strict=True):
            assert np.array_equal(found, wanted(ids))
