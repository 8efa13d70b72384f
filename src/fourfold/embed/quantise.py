"""Vectors made small: int8 rows with one scale each, and one sign bit per component. Both are
deterministic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LARGEST = 127
"""The int8 code of a row's largest component; -128 is never used, so that codes are symmetric."""

_WORD_BITS = 64


def to_int8(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric quantisation per row: float32 (n, d) to int8 codes (n, d) and float32 scales (n,).

    ``codes * scale`` differs from the row by at most half a scale (plus rounding). A row of zeros has scale 0
    and codes 0. Raises ValueError for a row with an infinite or undefined component.
    """
    largest = np.max(np.abs(rows), axis=1, initial=0.0)
    if not np.isfinite(largest).all():
        raise ValueError("a vector with an infinite or undefined component cannot be quantised")
    scales: NDArray[np.float32] = (largest / np.float32(_LARGEST)).astype(np.float32)
    # A row of denormal numbers may have a scale of 0: it counts as zero.
    divisors = np.where(scales > 0, scales, np.float32(np.inf))
    codes = np.clip(np.rint(rows / divisors[:, None]), -_LARGEST, _LARGEST).astype(np.int8)
    return codes, scales


def from_int8(codes: NDArray[np.int8], scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows that codes (n, d) and scales (n,) stand for: float32 (n, d)."""
    return np.multiply(codes, scales[:, None], dtype=np.float32)


def signs(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Sign bits of rows (n, d): little-endian uint64 (n, ceil(d / 64)).

    Bit *j* (value ``1 << j``) of word *k* is component ``64 k + j``: 1 where it is greater than zero. Bits
    beyond the last component are 0, so that they never count in a Hamming distance.
    """
    count, dimension = rows.shape
    words = -(-dimension // _WORD_BITS)
    packed = np.zeros((count, words * 8), np.uint8)
    bits = np.packbits(rows > 0, axis=1, bitorder="little")
    packed[:, : bits.shape[1]] = bits
    return packed.view("<u8").reshape(count, words)
