"""What is swept, when, and what never is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.contract.batches import make_batch
from tests.contract.suite import build, shown

from fourfold.store.local import sweep
from fourfold.store.local.errors import SnapshotExpired
from fourfold.store.local.store import LocalStore


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "index")


def counted(store: LocalStore, table: str) -> int:
    connection = sqlite3.connect(store.directory / "index.sqlite")
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        connection.close()


def trigram_rows(store: LocalStore) -> int:
    connection = sqlite3.connect(store.directory / "index.sqlite")
    try:
        return int(connection.execute("SELECT value FROM state WHERE key = 'trigram_rows'").fetchone()[0])
    finally:
        connection.close()


def finish_later(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finish as if the grace period had passed."""
    with monkeypatch.context() as patch:
        patch.setattr(sweep, "GRACE_S", -1.0)
        with store.writer() as writer:
            writer.finish()


def test_ended_rows_stay_for_the_grace_period(store: LocalStore) -> None:
    build(store, {"a.py": "def a", "b.py": "def b"})
    old = store.snapshot()
    build(store, {"a.py": "def new"})
    assert counted(store, "files") == 3
    assert shown(old) == {"a.py": "def a", "b.py": "def b"}


def test_ended_rows_go_and_take_what_hangs_on_them(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    build(store, {"a.py": "def a\n" * 9, "b.py": "def b"})
    build(store, {"a.py": "def new"})
    with store.writer() as writer:
        writer.remove(["b.py"])
    finish_later(store, monkeypatch)
    assert [counted(store, table) for table in ("files", "texts", "chunks", "symbols", "facts")] == [1] * 5
    assert counted(store, "generations") <= 2
    assert shown(store.snapshot()) == {"a.py": "def new"}


def test_snapshot_that_could_see_swept_rows_has_expired(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    build(store, {"a.py": "def a", "b.py": "def b"})
    old = store.snapshot()
    build(store, {"a.py": "def new"})
    middle = store.snapshot()
    with store.writer() as writer:
        writer.set_meta({"x": "y"})
    finish_later(store, monkeypatch)
    with pytest.raises(SnapshotExpired, match="no longer kept"):
        old.text("b.py")
    assert shown(middle) == {"a.py": "def new", "b.py": "def b"}


def test_text_shared_with_a_live_file_stays(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    build(store, {"a.py": "def same", "b.py": "def same"})
    assert counted(store, "texts") == 1
    with store.writer() as writer:
        writer.remove(["a.py"])
    finish_later(store, monkeypatch)
    assert shown(store.snapshot()) == {"b.py": "def same"}


def test_text_that_comes_back_within_the_grace_period_is_found(store: LocalStore) -> None:
    for text in ("def one", "def two", "def one"):
        build(store, {"a.py": text})
    assert counted(store, "texts") == 2
    assert store.snapshot().paths_with_trigrams([["def one"]]) == ["a.py"]


def test_trigrams_are_built_again_above_a_quarter_dead(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    build(store, {f"{n}.py": f"def number{n:02}" for n in range(20)})
    with store.writer() as writer:
        writer.remove([f"{n}.py" for n in range(5)])
    finish_later(store, monkeypatch)
    assert trigram_rows(store) == 20
    with store.writer() as writer:
        writer.remove(["5.py"])
    finish_later(store, monkeypatch)
    assert trigram_rows(store) == 14
    find = store.snapshot().paths_with_trigrams
    assert find([["number05"]]) == []
    assert [find([[f"number{n:02}"]]) for n in range(6, 20)] == [[f"{n}.py"] for n in range(6, 20)]


def test_rebuild_keeps_the_texts_that_older_readers_see(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    build(store, {f"{n}.py": f"def number{n}" for n in range(4)})
    with store.writer() as writer:
        writer.remove(["0.py", "1.py"])
    finish_later(store, monkeypatch)
    old = store.snapshot()
    with store.writer() as writer:
        writer.remove(["2.py"])
        writer.finish()
    assert old.paths_with_trigrams([["number2"]]) == ["2.py"]
    assert store.snapshot().paths_with_trigrams([["number2"]]) == []


def test_abandoned_segment_files_go_and_live_ones_stay(store: LocalStore) -> None:
    build(store, {"a.py": "def a"})
    folder = store.directory / "segments"
    (live,) = folder.iterdir()
    (folder / "0123.seg").write_bytes(b"left by a killed writer")
    (folder / "4567.seg.tmp").write_bytes(b"half")
    with store.writer() as writer:
        writer.finish()
    assert list(folder.iterdir()) == [live]


def test_merged_segments_go_at_once_and_their_readers_read_on(store: LocalStore) -> None:
    with store.writer() as writer:
        for n in range(6):
            writer.put(make_batch({f"{n}.py": f"def f{n}"}))
        old = store.snapshot()
        writer.finish()
    assert len(list((store.directory / "segments").iterdir())) == 1
    assert len(old.segments) == 6
    assert [view.array("chunk.file").tolist() for view in old.segments] == [[0]] * 6
    assert set(shown(old)) == set(shown(store.snapshot()))


def test_write_ahead_log_is_emptied(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "CHECKPOINT_BYTES", 0)
    with store.writer() as writer:
        writer.put(make_batch({"a.py": "def a"}))
        log = store.directory / "index.sqlite-wal"
        assert log.stat().st_size > 0
        writer.finish()
        assert log.stat().st_size == 0


def test_many_generations_leave_a_small_index(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "GRACE_S", -1.0)
    with store.writer() as writer:
        for n in range(40):
            writer.put(make_batch({"a.py": f"def f{n}", f"{n % 7}.py": f"def g{n}"}))
            writer.finish()
    assert counted(store, "files") == counted(store, "texts") == 8
    assert len(store.snapshot().segments) <= 5
    assert trigram_rows(store) <= 8 / 0.75 + 2
    assert len(shown(store.snapshot())) == 8
    assert store.faults() == []
