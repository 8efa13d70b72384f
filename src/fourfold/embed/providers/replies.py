"""Vectors out of what servers send: lists of numbers, base64 of float32, packed bits. Nothing in a reply is trusted."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray


def unusable(model: str, what: str) -> BackendUnavailable:
    """What to say of a reply that is none."""
    return BackendUnavailable(
        f"the embedding model {model} sent {what}",
        hint="check that embedding.provider, embedding.endpoint and embedding.model belong together",
    )


def in_order(model: str, items: Any) -> list[Any]:
    """The ``embedding`` of each item of an OpenAI-like ``data`` list, by its ``index`` where all items have one."""
    if not isinstance(items, list) or not all(isinstance(item, dict) and "embedding" in item for item in items):
        raise unusable(model, "a reply without vectors")
    numbers = [item.get("index") for item in items]
    if all(isinstance(number, int) for number in numbers) and sorted(numbers) == list(range(len(items))):
        items = sorted(items, key=lambda item: int(item["index"]))
    return [item["embedding"] for item in items]


def float_rows(model: str, rows: Any) -> NDArray[np.float32]:
    """Rows of numbers (or base64 of little-endian float32) as float32 (n, d); a null is NaN, (0, 0) for no rows.

    Raises BackendUnavailable where they are no numbers, or of several lengths.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise unusable(model, "a reply without vectors")
    try:
        found = [_row(row) for row in rows]
    except (TypeError, ValueError, OverflowError, binascii.Error):
        raise unusable(model, "vectors that are no numbers") from None
    return _stacked(model, found)


def bit_rows(model: str, rows: Any) -> NDArray[np.float32]:
    """Rows of packed bits (unsigned bytes, the first component in the highest bit) as float32 of 1 and -1."""
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise unusable(model, "a reply without vectors")
    try:
        packed = [np.array(row, dtype=np.int64) for row in rows]
    except (TypeError, ValueError, OverflowError):
        raise unusable(model, "vectors that are no bytes") from None
    if any(row.ndim != 1 or row.size == 0 or row.min() < 0 or row.max() > 255 for row in packed):
        raise unusable(model, "vectors that are no bytes")
    return _stacked(model, [np.unpackbits(row.astype(np.uint8)).astype(np.float32) * 2 - 1 for row in packed])


def _row(row: Any) -> NDArray[np.float32]:
    if isinstance(row, str):
        return np.frombuffer(base64.b64decode(row, validate=True), "<f4").astype(np.float32)
    with np.errstate(over="ignore"):
        found = np.array(row, dtype=np.float64).astype(np.float32)
    if found.ndim != 1 or found.size == 0:
        raise ValueError
    return found


def _stacked(model: str, rows: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    if not rows:
        return np.zeros((0, 0), np.float32)
    if len({len(row) for row in rows}) > 1:
        raise unusable(model, "vectors of several lengths")
    return np.stack(rows)
