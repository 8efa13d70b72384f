"""Which segments are merged at the end of a refresh."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.store.local.view import SegmentView

MAX_SEGMENTS = 4
"""More small segments than this are merged: each costs a query a scan of its own (about 0.1 ms)."""

MAX_CHUNKS = 200_000
"""A merge makes no segment of more chunks than this: it bounds the memory (about 1 kB a chunk) and the
work."""

GROWTH = 4
"""A segment is left alone where it is this many times as large as all smaller ones together, so that each row
is rewritten a logarithmic number of times however long the index lives."""

DEAD_SHARE = 0.25
"""A segment of which more than this share is dead is rewritten."""


def due(segments: Sequence[SegmentView]) -> list[list[SegmentView]]:
    """Groups of segments, each to be replaced by one with their live rows. Empty where nothing is worth
    it."""
    live = {view: _live_chunks(view) for view in segments}
    rotten = [view for view in segments if _dead_share(view) > DEAD_SHARE]
    small = [view for view in segments if live[view] <= MAX_CHUNKS // 2 or view in rotten]
    if len(small) <= MAX_SEGMENTS and not rotten:
        return []
    chosen = set(rotten)
    if len(small) > MAX_SEGMENTS:
        chosen.update(_tail(small, live))
    groups = _packed([view for view in segments if view in chosen], live)
    return [group for group in groups if len(group) > 1 or group[0] in rotten]


def _tail(small: list[SegmentView], live: dict[SegmentView, int]) -> list[SegmentView]:
    """All but the largest segments that dwarf the rest."""
    ordered = sorted(small, key=lambda view: -live[view])
    rest = sum(live[view] for view in ordered)
    for at, view in enumerate(ordered):
        rest -= live[view]
        if live[view] < GROWTH * rest:
            return ordered[at:]
    return ordered[-MAX_SEGMENTS:]


def _packed(chosen: list[SegmentView], live: dict[SegmentView, int]) -> list[list[SegmentView]]:
    """Neighbours put together up to :data:`MAX_CHUNKS` live chunks a group."""
    groups: list[list[SegmentView]] = []
    room = 0
    for view in chosen:
        if not groups or live[view] > room:
            groups.append([])
            room = MAX_CHUNKS
        groups[-1].append(view)
        room -= live[view]
    return groups


def _live_chunks(view: SegmentView) -> int:
    return view.chunks - int(view.dead_chunks.sum())


def _dead_share(view: SegmentView) -> float:
    """The larger of the dead shares of chunks and of files (files may have no chunks)."""
    files = float(view.dead_files.mean()) if view.files else 1.0
    chunks = float(view.dead_chunks.mean()) if view.chunks else 0.0
    return max(files, chunks)
