"""Merging segments: the live rows of several become one segment, exactly as if it had been built from them.

Driven by :mod:`fourfold.store.local.schema`: rows keep their order (segment after segment), columns that
refer to an axis get the new row numbers, postings of dead rows and terms without postings disappear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.store.local.schema import COLUMNS, LISTS, POSTINGS
from fourfold.store.local.view import SegmentView

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class _Axis:
    """Of one segment's axis: the rows that live, and the new row of each old one (-1 where it is dead)."""

    live: NDArray[np.int64]
    renumbered: NDArray[np.int32]
    whole: bool

    def kept(self, array: NDArray[Any]) -> NDArray[Any]:
        """The live rows of `array`."""
        return array if self.whole else array[self.live]


_Axes = dict[str, _Axis]


def merge(views: Sequence[SegmentView]) -> dict[str, NDArray[Any]]:
    """The arrays of one segment that holds the live rows of `views`, in order.

    Memory: the result plus one array of it. All views must hold the same array names.
    """
    axes = _axes(views)
    names = set(views[0].segment.names)
    merged: dict[str, NDArray[Any]] = {}
    for name, column in COLUMNS.items():
        if name in names:
            parts = [axis[column.axis].kept(view.array(name)) for view, axis in zip(views, axes, strict=True)]
            if column.refers:
                parts = [axis[column.refers].renumbered[part] for part, axis in zip(parts, axes, strict=True)]
            merged[name] = np.concatenate(parts)
    for name, posting in POSTINGS.items():
        if f"{name}.terms" in names:
            merged.update(_merged_postings(name, views, [axis[posting.axis] for axis in axes]))
    for name, ragged in LISTS.items():
        if f"{name}.indptr" in names:
            merged.update(_merged_lists(name, views, [axis[ragged.axis] for axis in axes]))
    return merged


def _axes(views: Sequence[SegmentView]) -> list[_Axes]:
    """The axes of each view, numbered through."""
    bases = {"chunk": 0, "file": 0, "definition": 0}
    result = []
    for view in views:
        dead = {"file": view.dead_files, "chunk": view.dead_chunks, "definition": np.zeros(0, np.bool_)}
        if "definition.file" in view.segment.names:
            dead["definition"] = view.dead_files[view.array("definition.file")]
        axes = {}
        for name, gone in dead.items():
            live = np.flatnonzero(~gone)
            renumbered = np.full(len(gone), -1, np.int32)
            renumbered[live] = np.arange(bases[name], bases[name] + len(live), dtype=np.int32)
            bases[name] += len(live)
            axes[name] = _Axis(live, renumbered, len(live) == len(gone))
        result.append(axes)
    return result


def _merged_postings(name: str, views: Sequence[SegmentView], axes: Sequence[_Axis]) -> dict[str, NDArray[Any]]:
    """Each segment's run of a term is copied behind the runs of the segments before it: rows stay
    ascending."""
    with_counts = f"{name}.counts" in views[0].segment.names
    live = [_live_postings(name, view, axis) for view, axis in zip(views, axes, strict=True)]
    terms = np.unique(np.concatenate([part.terms for part in live]))
    places = [np.searchsorted(terms, part.terms) for part in live]
    lengths = np.zeros(len(terms), np.int64)
    for part, place in zip(live, places, strict=True):
        lengths[place] += part.lengths
    indptr = _starts(lengths)
    rows = np.empty(int(indptr[-1]), np.int32)
    counts: NDArray[Any] = np.empty(0, np.uint8)
    if with_counts:
        counts = np.empty((len(rows), *views[0].array(f"{name}.counts").shape[1:]), np.uint8)
    filled = indptr[:-1].copy()
    for part, place in zip(live, places, strict=True):
        shift = filled[place] - _starts(part.lengths)[:-1]
        target = np.repeat(shift, part.lengths) + np.arange(len(part.rows))
        rows[target] = part.rows
        if with_counts:
            counts[target] = part.counts
        filled[place] += part.lengths
    merged = {f"{name}.terms": terms, f"{name}.indptr": indptr, f"{name}.rows": rows}
    return {**merged, f"{name}.counts": counts} if with_counts else merged


@dataclass(frozen=True, slots=True)
class _Postings:
    """Live postings of one segment: per term its number of rows, then all rows (renumbered) and counts."""

    terms: NDArray[np.uint64]
    lengths: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[np.uint8] | None


def _live_postings(name: str, view: SegmentView, axis: _Axis) -> _Postings:
    terms, indptr = view.array(f"{name}.terms"), view.array(f"{name}.indptr")
    counts = view.array(f"{name}.counts") if f"{name}.counts" in view.segment.names else None
    rows = axis.renumbered[view.array(f"{name}.rows")]
    if axis.whole:
        return _Postings(terms, np.diff(indptr), rows, counts)
    live = rows >= 0
    before = _starts(live)
    lengths = before[indptr[1:]] - before[indptr[:-1]]
    kept = lengths > 0
    return _Postings(terms[kept], lengths[kept], rows[live], None if counts is None else counts[live])


def _merged_lists(name: str, views: Sequence[SegmentView], axes: Sequence[_Axis]) -> dict[str, NDArray[Any]]:
    lengths, values = [], []
    for view, axis in zip(views, axes, strict=True):
        sizes, held = np.diff(view.array(f"{name}.indptr")), view.array(f"{name}.values")
        lengths.append(axis.kept(sizes))
        values.append(held if axis.whole else held[np.repeat(axis.renumbered >= 0, sizes)])
    return {f"{name}.indptr": _starts(np.concatenate(lengths)), f"{name}.values": np.concatenate(values)}


def _starts(lengths: NDArray[Any]) -> NDArray[np.int64]:
    """Running sum from 0, one longer than `lengths`."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts
