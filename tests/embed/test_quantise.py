"""int8 rows and sign bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from fourfold.embed.quantise import from_int8, signs, to_int8

FLOATS = st.floats(-(2.0**100), 2.0**100, width=32)
ROWS = arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=70), elements=FLOATS)


@given(ROWS)
def test_error_is_at_most_half_a_step(rows: np.ndarray) -> None:
    codes, scales = to_int8(rows)
    assert codes.dtype == np.int8 and scales.dtype == np.float32
    assert codes.shape == rows.shape and scales.shape == rows.shape[:1]
    assert codes.min() >= -127
    error = np.abs(from_int8(codes, scales).astype(np.float64) - rows)
    step = scales.astype(np.float64)[:, None]
    # Denormal scales are coarse: there the row itself bounds the error.
    assert (error <= step * 0.501 + 2e-43 * 127).all()


@given(ROWS)
def test_signs_are_bits_of_positive_components(rows: np.ndarray) -> None:
    packed = signs(rows)
    assert packed.shape == (len(rows), -(-rows.shape[1] // 64))
    for row, words in zip(rows, packed.tolist(), strict=True):
        bits = [words[j // 64] >> (j % 64) & 1 for j in range(len(words) * 64)]
        assert bits[: len(row)] == (row > 0).astype(int).tolist()
        assert not any(bits[len(row) :])


def test_zero_rows_are_safe() -> None:
    rows = np.array([[0.0, -0.0], [1.0, -2.0], [1e-45, 0.0]], np.float32)
    codes, scales = to_int8(rows)
    assert codes.tolist() == [[0, 0], [64, -127], [0, 0]]
    assert scales[0] == scales[2] == 0.0
    assert not from_int8(codes, scales)[0].any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_undefined_components_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="infinite or undefined"):
        to_int8(np.array([[1.0, bad]], np.float32))


def test_empty_input() -> None:
    codes, scales = to_int8(np.zeros((0, 256), np.float32))
    assert codes.shape == (0, 256) and scales.shape == (0,)
    assert signs(np.zeros((0, 256), np.float32)).shape == (0, 4)


def test_known_bits_little_endian() -> None:
    row = np.full((1, 128), -1.0, np.float32)
    row[0, [0, 9, 64]] = 1.0
    packed = signs(row)
    assert packed.tolist() == [[(1 << 0) | (1 << 9), 1]]
    assert packed.dtype.str == "<u8"
