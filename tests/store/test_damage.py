"""Damage, age and foreign files: said in one sentence, told apart from being busy, repaired by a wipe."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest
from tests.contract.batches import make_batch
from tests.contract.suite import build, shown

from fourfold.model.errors import FourfoldError, IndexDamaged, IndexUnavailable, LockHeld, NewerFormat
from fourfold.store.contract import FORMAT_VERSION
from fourfold.store.local import database
from fourfold.store.local import store as store_module
from fourfold.store.local.errors import OlderFormat, SnapshotExpired
from fourfold.store.local.store import LocalStore

FILES = {f"{n}.py": f"def f{n}\n" + "filler\n" * 200 for n in range(12)}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with LocalStore(tmp_path / "index") as store:
        build(store, FILES)
    return tmp_path / "index"


def set_format(place: Path, version: int) -> None:
    connection = sqlite3.connect(place / "index.sqlite")
    connection.execute(f"PRAGMA user_version={version}")
    connection.close()


def rebuilt(place: Path) -> None:
    """A wipe and a put make the index whole again."""
    with LocalStore(place) as store:
        with store.writer() as writer:
            writer.wipe()
            writer.put(make_batch({"a.py": "def a"}))
            writer.finish()
        assert store.needs_rebuild == ""
        assert shown(store.snapshot()) == {"a.py": "def a"}


def test_newer_format_is_refused_and_left_alone(place: Path) -> None:
    set_format(place, FORMAT_VERSION + 1)
    before = (place / "index.sqlite").read_bytes()
    with LocalStore(place) as store:
        with pytest.raises(NewerFormat, match=str(FORMAT_VERSION + 1)):
            store.snapshot()
        with pytest.raises(NewerFormat):
            store.needs_rebuild  # noqa: B018
        with store.writer() as writer:
            for write in (writer.wipe, lambda: writer.put(make_batch({"a.py": "def a"})), writer.finish):
                with pytest.raises(NewerFormat):
                    write()
    assert (place / "index.sqlite").read_bytes() == before
    with LocalStore(place) as store:
        store.clear()
        build(store, {"a.py": "def a"})


def test_older_format_is_reported_and_wiped(place: Path) -> None:
    connection = sqlite3.connect(place / "index.sqlite")
    connection.execute("DROP TABLE symbols")
    connection.close()
    set_format(place, FORMAT_VERSION - 1 or -1)
    with LocalStore(place) as store:
        assert "older format" in store.needs_rebuild
        with pytest.raises(OlderFormat):
            store.snapshot()
        with store.writer() as writer, pytest.raises(OlderFormat):
            writer.put(make_batch({"a.py": "def a"}))
    rebuilt(place)


def not_a_database(place: Path) -> None:
    (place / "index.sqlite").write_bytes(b"this is not SQLite" * 500)


def another_database(place: Path) -> None:
    (place / "index.sqlite").unlink()
    connection = sqlite3.connect(place / "index.sqlite")
    connection.execute("CREATE TABLE accounts (id)")
    connection.commit()
    connection.close()


def emptied_database(place: Path) -> None:
    (place / "index.sqlite").write_bytes(b"")


def missing_database(place: Path) -> None:
    (place / "index.sqlite").unlink()


def missing_table(place: Path) -> None:
    connection = sqlite3.connect(place / "index.sqlite")
    connection.execute("DROP TABLE segments")
    connection.close()


def lost_state(place: Path) -> None:
    connection = sqlite3.connect(place / "index.sqlite")
    connection.execute("DELETE FROM generations")
    connection.commit()
    connection.close()


def missing_segment(place: Path) -> None:
    for path in (place / "segments").iterdir():
        path.unlink()


def short_segment(place: Path) -> None:
    for path in (place / "segments").iterdir():
        path.write_bytes(path.read_bytes()[:-7])


@pytest.mark.parametrize(
    "harm",
    [
        not_a_database,
        another_database,
        emptied_database,
        missing_database,
        missing_table,
        lost_state,
        missing_segment,
        short_segment,
    ],
)
def test_damage_is_named_and_wiped(place: Path, harm: object) -> None:
    assert callable(harm)
    harm(place)
    with LocalStore(place) as store:
        with pytest.raises(IndexDamaged) as caught:
            store.snapshot()
        assert str(place) in str(caught.value)
        assert "fourfold index" in caught.value.hint
        assert "damaged" in store.needs_rebuild
    rebuilt(place)


def test_scrambled_pages_raise_ours_or_nothing(place: Path) -> None:
    whole = (place / "index.sqlite").read_bytes()
    chance = random.Random(4)
    noticed = 0
    for _ in range(30):
        content = bytearray(whole)
        page = chance.randrange(1, len(whole) // 4096) * 4096
        content[page : page + 4096] = chance.randbytes(4096)
        (place / "index.sqlite").write_bytes(content)
        with LocalStore(place) as store:
            try:
                shown(store.snapshot())
                store.snapshot().info()
            except FourfoldError:
                noticed += 1
            except (AssertionError, KeyError):
                continue  # a leg of the index lost rows: the page is broken, SQLite had no way to tell
    assert noticed > 5


def test_wipe_of_a_database_with_a_broken_page_makes_a_new_one(place: Path) -> None:
    content = bytearray((place / "index.sqlite").read_bytes())
    content[-4096:] = b"\xff" * 4096
    (place / "index.sqlite").write_bytes(content)
    rebuilt(place)
    connection = sqlite3.connect(place / "index.sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    connection.close()


def test_busy_is_not_damage(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.05)
    other = sqlite3.connect(place / "index.sqlite", isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("INSERT INTO meta VALUES ('x', 'y')")
    with LocalStore(place) as store:
        with pytest.raises(LockHeld, match="busy"):
            store.snapshot()
        with pytest.raises(LockHeld):
            store.needs_rebuild  # noqa: B018
        with store.writer() as writer, pytest.raises(LockHeld):
            writer.wipe()
    other.execute("ROLLBACK")
    other.close()
    with LocalStore(place) as store:
        assert set(shown(store.snapshot())) == set(FILES)


def test_full_disk_is_not_damage(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalStore(place) as store, store.writer() as writer:
        pages = writer._connection.execute("PRAGMA page_count").fetchone()[0]
        writer._connection.execute(f"PRAGMA max_page_count={pages}")
        before = store.snapshot()
        with pytest.raises(IndexUnavailable, match="full"):
            writer.put(make_batch({"big.py": "\n".join(f"def f{n}" for n in range(9000))}))
        assert store.snapshot() is before
        writer.finish()
        assert len(list((place / "segments").iterdir())) == 1


def test_snapshot_expires_when_the_index_is_made_anew(place: Path) -> None:
    with LocalStore(place) as store, LocalStore(place) as other:
        old = other.snapshot()
        old.segments[0].array("chunk.file")
        store.clear()
        with pytest.raises(SnapshotExpired):
            old.text("1.py")
        build(store, {"a.py": "def a"})
        with pytest.raises(SnapshotExpired):
            old.text("1.py")
        assert shown(other.snapshot()) == {"a.py": "def a"}


def test_snapshot_is_taken_again_where_a_merge_won_the_race(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = store_module.Segment.open, 0

    def merged_meanwhile(path: Path) -> object:
        nonlocal calls
        calls += 1
        if calls == 1:
            with LocalStore(place) as writing:
                build(writing, {"0.py": "def new"})
            raise IndexDamaged("gone")
        return real(path)

    monkeypatch.setattr(store_module.Segment, "open", merged_meanwhile)
    with LocalStore(place) as store:
        assert store.snapshot().text("0.py") == "def new"


def test_closed_store_says_so(place: Path) -> None:
    store = LocalStore(place)
    snapshot = store.snapshot()
    store.close()
    with pytest.raises(IndexUnavailable, match="closed"):
        snapshot.text("1.py")


def test_folder_that_cannot_be_written_is_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not (place / "index.sqlite-wal").exists()
    monkeypatch.setattr(database.os, "access", lambda *_: False)
    with LocalStore(place, read_only=True) as store:
        assert set(shown(store.snapshot())) == set(FILES)
    assert sorted(path.name for path in place.iterdir()) == [
        "index.sqlite",
        "index.sqlite.crc32",
        "segments",
        "verified.json",
        "write.lock",
    ]
