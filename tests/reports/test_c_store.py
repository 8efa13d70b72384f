"""Field reports on staleness and orphans: what the store must not keep, and must not lose."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from tests.contract.batches import make_batch
from tests.contract.suite import build, shown

from fourfold.store.contract import FORMAT_VERSION
from fourfold.store.local import sweep
from fourfold.store.local.store import LocalStore


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "index")


def test_c3_file_with_fewer_chunks_leaves_no_orphans(store: LocalStore) -> None:
    build(store, {"a.py": "def keep\n\n\ndef gone\n\n\ndef also\n\n", "b.py": "def other"})
    build(store, {"a.py": "def keep"})
    snapshot = store.snapshot()
    assert len(snapshot.chunks_of("a.py")) == 1
    assert snapshot.symbols_named("gone") == snapshot.symbols_named("also") == []
    assert snapshot.info().chunks == 2
    live = sum(int((~view.dead_chunks).sum()) for view in snapshot.segments)
    assert live == 2


def test_c5_change_of_format_or_model_rebuilds_and_leaves_no_old_rows(store: LocalStore) -> None:
    build(store, {f"{n}.py": f"def old{n}" for n in range(5)})
    connection = sqlite3.connect(store.directory / "index.sqlite")
    assert connection.execute("PRAGMA user_version").fetchone()[0] == FORMAT_VERSION
    connection.execute(f"PRAGMA user_version={FORMAT_VERSION - 1 or -1}")
    connection.close()
    with LocalStore(store.directory) as reopened:
        assert "format" in reopened.needs_rebuild
        with reopened.writer() as writer:
            writer.wipe()
            writer.put(make_batch({"0.py": "def new"}))
            writer.finish()
        assert shown(reopened.snapshot()) == {"0.py": "def new"}
        assert reopened.snapshot().info().dead_chunks == 0
        assert len(list((reopened.directory / "segments").iterdir())) == 1


def test_c6_months_of_edits_do_not_leave_dead_vectors(store: LocalStore) -> None:
    files = {f"{n}.py": f"def f{n}\n" * 12 for n in range(10)}
    build(store, files)
    with store.writer() as writer:
        for n in range(40):
            writer.put(make_batch({f"{n % 10}.py": f"def g{n}\n" * 12}))
            writer.finish()
            info = store.snapshot().info()
            assert info.dead_chunks <= 0.25 * (info.chunks + info.dead_chunks) + 5
    assert store.snapshot().info().files == 10


def test_c6_swept_rows_really_leave_the_database(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "GRACE_S", -1.0)
    with store.writer() as writer:
        for n in range(30):
            writer.put(make_batch({"a.py": f"def f{n}\n" * 30}))
            writer.finish()
    connection = sqlite3.connect(store.directory / "index.sqlite")
    for table in ("files", "texts"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 1
    connection.close()


def test_c7_all_legs_speak_of_one_generation(store: LocalStore) -> None:
    """Vectors, words, literals, symbols and chunks change in one step, and a reader never sees a mixture."""
    build(store, {"a.py": "def before\n" * 6, "b.py": "def b"})
    old = store.snapshot()
    build(store, {"a.py": "def after"})
    new = store.snapshot()
    for snapshot, name, chunks in ((old, "before", 3), (new, "after", 1)):
        (number, *_) = [row.number for row in snapshot.chunks_of("a.py")]
        assert len(snapshot.chunks_of("a.py")) == chunks
        assert {row.path for row in snapshot.symbols_named(name)} == {"a.py"}
        assert snapshot.paths_with_trigrams([[f"def {name}"]]) == ["a.py"]
        assert snapshot.text("a.py") is not None and name in str(snapshot.text("a.py"))
        at = int(np.searchsorted(snapshot.chunk_base, number, side="right")) - 1
        view = snapshot.segments[at]
        assert not view.dead_chunks[number - snapshot.chunk_base[at]]
        assert snapshot.file_paths().count("a.py") == 1
    assert old.symbols_named("after") == new.symbols_named("before") == []


def test_c18_one_batch_is_one_transaction_whatever_its_size(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """276 changed files must not rewrite the index 276 times: one segment, one generation, one commit."""
    files = {f"{n}.py": f"def f{n}" for n in range(276)}
    build(store, files)
    commits: list[str] = []
    with store.writer() as writer:
        before = writer.finish()
        writer._connection.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
        after = writer.put(make_batch({path: f"{text}\n# changed" for path, text in files.items()}))
        writer._connection.set_trace_callback(None)
        assert len(list((store.directory / "segments").iterdir())) == 2
    assert (after, commits) == (before + 1, ["COMMIT"])
