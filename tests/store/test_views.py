"""What the local snapshot offers beyond the contract: arrays, numbers, paths and statistics."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.contract.batches import file_arrays, indexed, make_batch, skipped

from fourfold.store.local.snapshot import LocalSnapshot
from fourfold.store.local.store import LocalStore

A, B, C = "def a\n" * 9, "def b", "def c\n" * 5


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    store = LocalStore(tmp_path / "index")
    with store.writer() as writer:
        writer.put(make_batch({"a.py": A, "b.py": B}, [skipped("x.bin")]))
        writer.put(make_batch({"c.py": C, "b.py": B + "\n# changed"}))
    return store


def test_numbers_run_over_segments(store: LocalStore) -> None:
    snapshot = store.snapshot()
    assert [(view.files, view.chunks) for view in snapshot.segments] == [(2, 5), (2, 3)]
    assert (snapshot.file_base, snapshot.chunk_base) == ([0, 2, 4], [0, 5, 8])
    assert (snapshot.file_count, snapshot.chunk_count) == (4, 8)
    assert snapshot.file_paths() == ["a.py", "", "c.py", "b.py"]
    assert snapshot.file_languages() == ["python", "", "python", "python"]
    assert [row.number for path in ("a.py", "c.py", "b.py") for row in snapshot.chunks_of(path)] == [
        0,
        1,
        2,
        3,
        5,
        6,
        7,
    ]


def test_tombstones(store: LocalStore) -> None:
    first, second = store.snapshot().segments
    assert first.dead_files.tolist() == [False, True]
    assert first.dead_chunks.tolist() == [False] * 4 + [True]
    assert not second.dead_files.any()
    assert not second.dead_chunks.any()
    assert (first.any_dead, second.any_dead) == (True, False)


def test_rows_of_chunks_belong_to_their_numbers(store: LocalStore) -> None:
    snapshot = store.snapshot()
    view = snapshot.segments[1]
    wanted = file_arrays(indexed("c.py", C))
    np.testing.assert_array_equal(view.array("chunk.vector")[:2], wanted["chunk.vector"])
    assert view.first_chunks.tolist() == [0, 2, 3]
    assert view.array("chunk.file").tolist() == [0, 0, 1]


def test_an_older_snapshot_keeps_its_tombstones(store: LocalStore) -> None:
    old = store.snapshot()
    with store.writer() as writer:
        writer.remove(["a.py"])
    assert not old.segments[0].dead_files[0]
    assert store.snapshot().segments[0].dead_files.all()
    assert store.snapshot().file_paths() == ["", "", "c.py", "b.py"]
    assert old.file_paths() == ["a.py", "", "c.py", "b.py"]


def test_mapped_segments_are_shared_between_generations(store: LocalStore) -> None:
    old = store.snapshot()
    with store.writer() as writer:
        writer.set_meta({"x": "y"})
    assert store.snapshot() is not old
    assert store.snapshot().segments[0].segment is old.segments[0].segment


def test_statistics_last_as_long_as_the_content(store: LocalStore) -> None:
    wanted = np.arange(6, dtype=np.float32).reshape(2, 3)

    def count(snapshot: object) -> dict[str, np.ndarray[tuple[int, int], np.dtype[np.float32]]]:
        assert isinstance(snapshot, LocalSnapshot)
        return {"means": wanted}

    assert store.snapshot().statistic("means") is None
    with store.writer() as writer:
        writer.finish(count)
        writer.set_meta({"x": "y"})
        found = store.snapshot().statistic("means")
        assert found is not None
        np.testing.assert_array_equal(found, wanted)
        assert store.snapshot().statistic("other") is None
        writer.put(make_batch({"d.py": "def d"}))
        assert store.snapshot().statistic("means") is None


def test_records_need_no_numpy(store: LocalStore) -> None:
    script = (
        "import sys; from pathlib import Path; from fourfold.store.local.store import LocalStore\n"
        "snapshot = LocalStore(Path(sys.argv[1])).snapshot()\n"
        "assert sorted(snapshot.records()) == ['a.py', 'b.py', 'c.py', 'x.bin']\n"
        "assert snapshot.info().files == 3\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script, str(store.directory)], check=True)


def test_many_texts_at_once(store: LocalStore) -> None:
    snapshot = store.snapshot()
    with store.writer() as writer:
        writer.put(make_batch({"a.py": "def later"}))
    found = dict(snapshot.texts(["a.py", "never.py", "x.bin", "b.py"] * 90))
    assert found == {"a.py": A, "b.py": B + "\n# changed"}
    assert list(snapshot.texts([])) == []
