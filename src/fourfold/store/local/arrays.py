"""Checks that a batch's arrays follow the segment schema before they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fourfold.store.local.schema import COLUMNS, LISTS, POSTINGS
from fourfold.store.local.segment import Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray


def check_arrays(arrays: Mapping[str, NDArray[Any]], rows: Mapping[str, int], chunks_per_file: Sequence[int]) -> None:
    """Raise ValueError naming the first array that breaks the schema; `rows` counts the items of each
    axis."""
    import numpy as np

    if "chunk.file" not in arrays:
        raise ValueError("chunk.file is missing")
    if not np.array_equal(arrays["chunk.file"], np.repeat(np.arange(len(chunks_per_file)), chunks_per_file)):
        raise ValueError("chunk.file does not follow the order of the batch's files")
    known = set(COLUMNS)
    for name, column in COLUMNS.items():
        if name in arrays:
            _check_column(name, arrays[name], column.dtype, rows[column.axis], bool(column.width))
            if column.refers:
                _check_rows(name, arrays[name], rows[column.refers])
    for name, posting in POSTINGS.items():
        known |= {f"{name}{part}" for part in (".terms", ".indptr", ".rows", ".counts")}
        if f"{name}.terms" in arrays:
            _check_postings(name, arrays, rows[posting.axis], posting.width)
    for name, ragged in LISTS.items():
        known |= {f"{name}.indptr", f"{name}.values"}
        if f"{name}.indptr" in arrays:
            values = arrays[f"{name}.values"]
            _check_column(f"{name}.values", values, "<i4", len(values), False)
            _check_indptr(f"{name}.indptr", arrays[f"{name}.indptr"], rows[ragged.axis], len(values))
    unknown = sorted(set(arrays) - known)
    if unknown:
        raise ValueError(f"the segment schema has no array {unknown[0]}")


def check_family(arrays: Mapping[str, NDArray[Any]], segment: Segment) -> None:
    """Raise ValueError where `arrays` have other names or widths than `segment`: they could not be merged."""
    if set(arrays) != set(segment.names):
        raise ValueError(f"arrays differ from the stored ones in {sorted(set(arrays) ^ set(segment.names))}")
    for name, array in arrays.items():
        if array.shape[1:] != segment.array(name).shape[1:]:
            raise ValueError(f"{name} has rows of shape {array.shape[1:]}, stored are {segment.array(name).shape[1:]}")


def _check_column(name: str, array: NDArray[Any], dtype: str, rows: int, wide: bool) -> None:
    if array.dtype.newbyteorder("=") != _native(dtype) or array.shape[:1] != (rows,) or array.ndim != 1 + wide:
        raise ValueError(f"{name} is {array.dtype.str}{list(array.shape)}, expected {dtype} with {rows} rows")


def _check_rows(name: str, array: NDArray[Any], rows: int) -> None:
    if array.size and (int(array.min()) < 0 or int(array.max()) >= rows):
        raise ValueError(f"{name} names rows outside 0..{rows - 1}")


def _check_indptr(name: str, array: NDArray[Any], items: int, values: int) -> None:
    _check_column(name, array, "<i8", items + 1, False)
    if array[0] != 0 or array[-1] != values or bool((array[1:] < array[:-1]).any()):
        raise ValueError(f"{name} does not rise from 0 to {values}")


def _check_postings(name: str, arrays: Mapping[str, NDArray[Any]], rows: int, width: int) -> None:
    terms, found = arrays[f"{name}.terms"], arrays[f"{name}.rows"]
    _check_column(f"{name}.terms", terms, "<u8", len(terms), False)
    _check_column(f"{name}.rows", found, "<i4", len(found), False)
    _check_indptr(f"{name}.indptr", arrays[f"{name}.indptr"], len(terms), len(found))
    _check_rows(f"{name}.rows", found, rows)
    if len(terms) > 1 and not bool((terms[1:] > terms[:-1]).all()):
        raise ValueError(f"{name}.terms is not sorted and unique")
    if width:
        counts = arrays[f"{name}.counts"]
        _check_column(f"{name}.counts", counts, "|u1", len(found), counts.ndim == 2)


def _native(dtype: str) -> Any:
    import numpy as np

    return np.dtype(dtype).newbyteorder("=")
