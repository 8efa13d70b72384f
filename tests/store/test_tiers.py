"""Which segments are merged."""

from __future__ import annotations

import numpy as np
import pytest

from fourfold.store.local import tiers


class FakeView:
    """Counts and tombstones, as `tiers.due` reads them."""

    def __init__(self, chunks: int, dead: int = 0) -> None:
        self.chunks = chunks
        self.files = max(chunks, 1)
        self.dead_chunks = np.arange(chunks) < dead
        self.dead_files = np.arange(self.files) < dead


def due(*views: FakeView) -> list[list[int]]:
    return [[views.index(view) for view in group] for group in tiers.due(views)]  # type: ignore[arg-type]


def test_few_segments_are_left_alone() -> None:
    assert due() == due(FakeView(10)) == due(*[FakeView(10) for _ in range(tiers.MAX_SEGMENTS)]) == []


def test_a_first_build_becomes_one_segment() -> None:
    assert due(*[FakeView(1000) for _ in range(30)]) == [list(range(30))]
    assert due(*[FakeView(size) for size in (5000, 900, 3000, 10, 2000, 7000)]) == [list(range(6))]


def test_a_dwarfing_segment_is_not_rewritten() -> None:
    assert due(FakeView(100_000), *[FakeView(10) for _ in range(4)]) == [[1, 2, 3, 4]]


def test_each_dwarfing_the_rest_still_shrinks() -> None:
    (group,) = due(*[FakeView(10 ** (5 - n)) for n in range(6)])
    assert len(group) > 1


def test_dead_rows_are_rewritten() -> None:
    assert due(FakeView(100, dead=26), FakeView(100)) == [[0]]
    assert due(FakeView(100, dead=25), FakeView(100)) == []
    assert due(FakeView(0, dead=1)) == [[0]]


def test_no_merge_beyond_the_limit_and_full_ones_do_not_count() -> None:
    full = tiers.MAX_CHUNKS // 2 + 1
    assert due(*[FakeView(full) for _ in range(9)]) == []
    groups = due(*[FakeView(tiers.MAX_CHUNKS // 10) for _ in range(25)])
    assert sum(map(len, groups)) == 25
    assert max(map(len, groups)) == 10


@pytest.mark.parametrize("added", [1, 17])
def test_rewriting_stays_logarithmic(added: int) -> None:
    segments: list[FakeView] = []
    written = 0
    for _ in range(500):
        segments.append(FakeView(added))
        for group in tiers.due(segments):  # type: ignore[arg-type]
            size = sum(view.chunks for view in group)
            segments = [view for view in segments if view not in group] + [FakeView(size)]
            written += size
        assert len(segments) <= tiers.MAX_SEGMENTS
    assert written < 12 * 500 * added
