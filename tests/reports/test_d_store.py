"""Field reports on crashes and concurrency. (Kills at random moments: tests/store/test_processes.py.)"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contract.batches import make_batch
from tests.contract.suite import build, shown

from fourfold.model.errors import IndexDamaged, LockHeld
from fourfold.store.contract import Batch
from fourfold.store.local import database, rows
from fourfold.store.local.store import LocalStore


class Killed(BaseException):
    """Stands for the process going away."""


def test_d1_a_batch_that_was_cut_off_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> None:
        raise Killed

    with LocalStore(tmp_path) as store:
        build(store, {"a.py": "def a"})
        before = store.snapshot().info()
        with monkeypatch.context() as patch, pytest.raises(Killed), store.writer() as writer:
            patch.setattr(rows, "_symbol_rows", die)
            writer.put(make_batch({f"{n}.py": f"def f{n}" for n in range(50)}))
        after = store.snapshot().info()
        assert (after.generation, after.files, after.chunks) == (before.generation, 1, before.chunks)
        assert shown(store.snapshot()) == {"a.py": "def a"}


def test_d2_torn_index_is_noticed_once_rebuilt_and_does_not_come_back(tmp_path: Path) -> None:
    with LocalStore(tmp_path) as store:
        build(store, {"a.py": "def a"})
    (tmp_path / "index.sqlite").write_bytes((tmp_path / "index.sqlite").read_bytes()[:5000])
    with LocalStore(tmp_path) as store:
        assert "damaged" in store.needs_rebuild
        with store.writer() as writer:
            writer.wipe()
            writer.put(make_batch({"a.py": "def a"}))
            writer.finish()
        assert store.needs_rebuild == ""
    with LocalStore(tmp_path) as again:
        assert shown(again.snapshot()) == {"a.py": "def a"}


def test_d2_write_ahead_log_of_a_killed_writer_is_recovered(tmp_path: Path) -> None:
    """A copy of the files as they lie while a writer is at work is what a kill leaves behind."""
    place, copy = tmp_path / "index", tmp_path / "copy"
    with LocalStore(place) as store, store.writer() as writer:
        writer.put(make_batch({"a.py": "def a"}))
        writer.put(make_batch({"b.py": "def b"}))
        assert (place / "index.sqlite-wal").stat().st_size > 0
        (copy / "segments").mkdir(parents=True)
        for path in place.rglob("*"):
            if path.is_file():
                (copy / path.relative_to(place)).write_bytes(path.read_bytes())
    log = copy / "index.sqlite-wal"
    log.write_bytes(log.read_bytes()[:-100])  # the last transaction is torn
    with LocalStore(copy) as store:
        assert shown(store.snapshot()) == {"a.py": "def a"}
        build(store, {"b.py": "def b"})
        assert shown(store.snapshot()) == {"a.py": "def a", "b.py": "def b"}


def test_d3_busy_is_never_taken_for_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.05)
    with LocalStore(tmp_path) as store:
        build(store, {"a.py": "def a"})
    other = sqlite3.connect(tmp_path / "index.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with LocalStore(tmp_path) as store:
        assert shown(store.snapshot()) == {"a.py": "def a"}
        with store.writer() as writer:
            for write in (
                lambda: writer.put(make_batch({"b.py": "def b"})),
                lambda: writer.remove(["a.py"]),
                writer.wipe,
            ):
                with pytest.raises(LockHeld, match="busy") as caught:
                    write()
                assert not isinstance(caught.value, IndexDamaged)
        other.execute("ROLLBACK")
        other.close()
        assert store.needs_rebuild == ""
        assert shown(store.snapshot()) == {"a.py": "def a"}


def test_d4_readers_need_no_lock_and_quarantine_nothing(tmp_path: Path) -> None:
    with LocalStore(tmp_path) as first, LocalStore(tmp_path) as second:
        build(first, {"a.py": "def a"})
        with first.writer() as writer:
            before = sorted(path.name for path in tmp_path.rglob("*"))
            assert shown(second.snapshot()) == {"a.py": "def a"}
            assert sorted(path.name for path in tmp_path.rglob("*")) == before
            writer.put(make_batch({"b.py": "def b"}))
            assert shown(second.snapshot()) == {"a.py": "def a", "b.py": "def b"}


def test_d5_second_indexer_waits_then_hears_who_holds_the_lock(tmp_path: Path) -> None:
    with LocalStore(tmp_path) as store, store.writer(purpose="watch"):
        with pytest.raises(LockHeld) as caught, LocalStore(tmp_path).writer(wait_s=0.1):
            raise AssertionError("two indexers at once")
        assert "watch" in str(caught.value)
        assert "process" in str(caught.value)
        assert "watch" in LocalStore(tmp_path).owner


def test_d12_no_loadable_extension_is_needed(tmp_path: Path) -> None:
    """Some Python builds lack ``enable_load_extension``: everything must work on a connection without it."""
    script = (
        "import sqlite3, sys\n"
        "from pathlib import Path\n"
        "class Plain(sqlite3.Connection):\n"
        "    enable_load_extension = load_extension = property()\n"
        "real = sqlite3.connect\n"
        "sqlite3.connect = lambda *args, **options: real(*args, factory=Plain, **options)\n"
        "from fourfold.store.local.store import LocalStore\n"
        "from tests.contract.batches import make_batch\n"
        "from tests.contract.suite import build, shown\n"
        "store = LocalStore(Path(sys.argv[1]))\n"
        "build(store, {'a.py': 'def alpha', 'b.py': 'x'})\n"
        "assert shown(store.snapshot()) == {'a.py': 'def alpha', 'b.py': 'x'}\n"
        "assert store.snapshot().paths_with_trigrams([['alpha']]) == ['a.py']\n"
        "store.close()\n"
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, cwd=root)


def test_d12_missing_trigram_index_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fourfold.model.errors import BackendUnavailable
    from fourfold.store.local import trigrams

    for statement in (
        "CREATE VIRTUAL TABLE t USING fts5(body, tokenize='no_such_tokenizer')",
        "CREATE VIRTUAL TABLE t USING no_such_fts5(body)",
    ):
        monkeypatch.setattr(trigrams, "TABLE", statement)
        with LocalStore(tmp_path) as store, store.writer() as writer:
            with pytest.raises(BackendUnavailable, match="trigram"):
                writer.put(Batch())
            assert store.snapshot().generation == 0
