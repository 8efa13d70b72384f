"""Merging gives exactly the segment that the live files would have made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.batches import Arrays, file_arrays, indexed, joined, make_batch

from fourfold.model.errors import IndexDamaged
from fourfold.store.local.merge import merge
from fourfold.store.local.segment import Segment, write_segment
from fourfold.store.local.store import LocalStore
from fourfold.store.local.view import SegmentView, pack_ids

TEXTS = ["", "def a", "x\n" * 9, "def A.b\n\n\n\ndef c", "y\ny\ny\ny"]


def view_of(path: Path, parts: list[Arrays], dead: list[bool]) -> SegmentView:
    arrays = joined(parts)
    write_segment(path, arrays)
    ids = pack_ids(list(range(len(parts))))
    return SegmentView(Segment.open(path), len(arrays["chunk.file"]), len(parts), ids, bytes(dead))


def assert_equal(found: Arrays, wanted: Arrays) -> None:
    assert set(found) == set(wanted)
    for name, array in wanted.items():
        assert found[name].dtype == array.dtype, name
        np.testing.assert_array_equal(found[name], array, err_msg=name)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=5), min_size=1, max_size=4))
def test_merged_equals_built_from_live_files(
    tmp_path_factory: pytest.TempPathFactory, plan: list[list[tuple[int, bool]]]
) -> None:
    folder = tmp_path_factory.mktemp("segments")
    views, live = [], []
    for at, files in enumerate(plan):
        parts = [file_arrays(indexed(f"{at}/{row}.py", TEXTS[text])) for row, (text, _) in enumerate(files)]
        views.append(view_of(folder / f"{at}.seg", parts, [dead for _, dead in files]))
        live += [part for part, (_, dead) in zip(parts, files, strict=True) if not dead]
    if live:
        assert_equal(merge(views), joined(live))


def test_store_merges_into_what_one_build_makes(tmp_path: Path) -> None:
    files = {f"{n}.py": f"def f{n}\n" * (n + 1) for n in range(8)}
    with LocalStore(tmp_path / "slow") as slow, LocalStore(tmp_path / "fast") as fast:
        with slow.writer() as writer:
            for path, text in files.items():
                writer.put(make_batch({path: text, "gone.py": text}))
            writer.remove(["gone.py"])
            writer.finish()
        with fast.writer() as writer:
            writer.put(make_batch(files))
        (merged,), (built,) = slow.snapshot().segments, fast.snapshot().segments
        assert not merged.any_dead
        assert_equal(
            {n: merged.array(n) for n in merged.segment.names},
            {n: built.array(n) for n in built.segment.names},
        )
        assert slow.snapshot().file_paths() == list(files)
        assert len(list((tmp_path / "slow" / "segments").iterdir())) == 1


def test_merge_does_not_launder_a_rotten_segment(tmp_path: Path) -> None:
    with LocalStore(tmp_path) as store, store.writer() as writer:
        for n in range(6):
            writer.put(make_batch({f"{n}.py": f"def f{n}"}))
        victim = next((tmp_path / "segments").iterdir())
        content = bytearray(victim.read_bytes())
        content[-1] ^= 1
        victim.write_bytes(content)
        with pytest.raises(IndexDamaged, match="checksum"):
            writer.finish()
