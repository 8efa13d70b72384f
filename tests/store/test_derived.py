"""Derived arrays: kept for one content, dropped with it, absent where damaged."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tests.contract.batches import make_batch
from tests.contract.suite import build

from fourfold.store.local import derived as module
from fourfold.store.local.store import LocalStore

ARRAYS = {"edges": np.arange(1000, dtype="<i4").reshape(-1, 2), "rank": np.ones(7, "<f4")}


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    store = LocalStore(tmp_path / "index")
    build(store, {"a.py": "def a", "b.py": "def b"})
    return store


def kept(store: LocalStore) -> list[str]:
    folder = store.directory / "derived"
    return sorted(path.name.split("-")[0] for path in folder.iterdir()) if folder.exists() else []


def test_arrays_come_back_in_every_process(store: LocalStore) -> None:
    content = store.snapshot().content
    assert store.derived("graph", content) is None
    store.put_derived("graph", content, ARRAYS)
    for opened in (store, LocalStore(store.directory)):
        found = opened.derived("graph", content)
        assert found is not None
        assert found.keys() == ARRAYS.keys()
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(found[name], array)
            assert found[name].dtype == array.dtype
            assert not found[name].flags.writeable
    assert store.derived("other", content) is None


def test_they_belong_to_one_content(store: LocalStore) -> None:
    old = store.snapshot()
    old.put_derived("graph", ARRAYS)
    with store.writer() as writer:
        writer.set_meta({"model": "x"})  # a new generation of the same content
    assert store.snapshot().derived("graph") is not None
    build(store, {"c.py": "def c"}, finish=False)
    assert store.snapshot().derived("graph") is None
    assert store.derived("graph", old.content) is None
    assert old.derived("graph") is not None
    store.put_derived("graph", old.content, ARRAYS)
    assert store.snapshot().derived("graph") is None
    store.snapshot().put_derived("graph", ARRAYS)
    assert kept(store) == ["graph"]
    old.put_derived("graph", ARRAYS)  # a slow reader does not take away what is newer
    assert store.snapshot().derived("graph") is not None


def test_an_index_made_anew_does_not_take_them_over(store: LocalStore) -> None:
    old = store.snapshot()
    old.put_derived("graph", ARRAYS)
    store.clear()
    assert not store.directory.exists()
    build(store, {"a.py": "def a", "b.py": "def other"})
    assert store.snapshot().content == old.content
    old.put_derived("graph", ARRAYS)
    assert store.snapshot().derived("graph") is None


def test_damage_counts_as_absent(store: LocalStore) -> None:
    snapshot = store.snapshot()
    snapshot.put_derived("graph", ARRAYS)
    (path,) = (store.directory / "derived").iterdir()
    whole = path.read_bytes()
    for content in (whole[:-30] + b"\xff" * 30, whole[:50], b"", whole[:-9]):
        path.write_bytes(content)
        assert snapshot.derived("graph") is None
    snapshot.put_derived("graph", ARRAYS)
    assert snapshot.derived("graph") is not None


def test_a_refresh_sweeps_what_is_outdated_and_what_was_left(store: LocalStore) -> None:
    snapshot = store.snapshot()
    snapshot.put_derived("graph", ARRAYS)
    snapshot.put_derived("near", ARRAYS)
    folder = store.directory / "derived"
    (folder / "graph-1-2.seg.aa.tmp").write_bytes(b"left")
    (folder / "graph-1-3.seg.aa.tmp").write_bytes(b"being written")
    os.utime(folder / "graph-1-2.seg.aa.tmp", (1, 1))
    with store.writer() as writer:
        writer.finish()
    assert kept(store) == ["graph", "graph", "near"]
    with store.writer() as writer:
        writer.put(make_batch({"c.py": "def c"}))
        writer.finish()
    assert [path.name for path in folder.iterdir()] == ["graph-1-3.seg.aa.tmp"]


def test_a_folder_that_cannot_be_written_keeps_nothing(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(module, "write_segment", refuse)
    store.put_derived("graph", store.snapshot().content, ARRAYS)
    assert store.derived("graph", store.snapshot().content) is None


@pytest.mark.parametrize("name", ["", "a-b", "../x", "A", "a/b", "1"])
def test_a_name_that_could_leave_the_folder_is_refused(store: LocalStore, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        store.snapshot().put_derived(name, ARRAYS)
