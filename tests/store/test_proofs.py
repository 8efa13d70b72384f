"""Every file of the index is checked once, whoever damaged it is found out, and a proof spares the check."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.contract.batches import make_batch
from tests.contract.suite import build, shown

from fourfold.model.errors import IndexDamaged
from fourfold.store.local import checksum, proofs, segment
from fourfold.store.local.checksum import Checksum
from fourfold.store.local.database import Database
from fourfold.store.local.store import LocalStore

FILES = {f"{n}.py": f"def f{n}\n" + f"filler {n}\n" * 300 for n in range(12)}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with LocalStore(tmp_path / "index") as store:
        build(store, FILES)
    return tmp_path / "index"


@contextmanager
def counted_checks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The checks made inside: "segment", "sum" and "pages" (of the database)."""
    seen: list[str] = []
    pages, verify, holds = Database.check_pages, segment.Segment.verify, Checksum.holds

    def check(self: Database, connection: sqlite3.Connection) -> None:
        seen.append("pages")
        pages(self, connection)

    def verified(self: segment.Segment) -> None:
        seen.append("segment")
        verify(self)

    def compared(self: Checksum) -> bool | None:
        found = holds(self)
        seen.extend(["sum"] if found is not None else [])
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Checksum, "holds", compared)
        patch.setattr(Database, "check_pages", check)
        patch.setattr(segment.Segment, "verify", verified)
        yield seen


def segment_of(place: Path) -> Path:
    (path,) = (place / "segments").iterdir()
    return path


def flip(path: Path, at: int, length: int = 1) -> None:
    """Flip bytes in place."""
    content = bytearray(path.read_bytes())
    content[at : at + length] = bytes(byte ^ 0xFF for byte in content[at : at + length])
    with path.open("r+b") as file:
        file.write(content)


def wiped(place: Path) -> None:
    with LocalStore(place) as store:
        assert store.needs_rebuild
        with store.writer() as writer:
            writer.wipe()
            writer.put(make_batch({"a.py": "def a"}))
            writer.finish()
        assert store.needs_rebuild == ""
        assert shown(store.snapshot()) == {"a.py": "def a"}
    with LocalStore(place) as store:
        assert store.needs_rebuild == ""
        assert store.faults() == []


def test_an_index_is_checked_once_and_not_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted_checks(monkeypatch) as checks:
        for _ in range(2):
            with LocalStore(place) as store:
                store.snapshot()
        assert checks == []
        (place / "verified.json").unlink()
        for _ in range(2):
            with LocalStore(place) as store:
                store.snapshot()
                store.snapshot()
        assert sorted(checks) == ["segment", "sum"]
        (place / "verified.json").unlink()
        (place / "index.sqlite.crc32").unlink()
        checks.clear()
        for _ in range(2):
            with LocalStore(place) as store:
                store.snapshot()
        assert sorted(checks) == ["pages", "segment"]


def test_a_change_of_our_own_is_not_checked_by_the_next_process(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalStore(place) as store, store.writer() as writer:
        writer.set_meta({"model": "x"})
        store.snapshot()
    with counted_checks(monkeypatch) as checks, LocalStore(place) as store:
        store.snapshot()
    assert checks == []


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_damage_behind_an_intact_header_is_found_and_wiped(place: Path, share: float) -> None:
    path = segment_of(place)
    flip(path, int(path.stat().st_size * share), 200)
    with LocalStore(place) as store:
        with pytest.raises(IndexDamaged, match="fails its checksum"):
            store.snapshot()
        assert "damaged" in store.needs_rebuild
    wiped(place)


def test_damage_is_found_where_its_time_was_put_back(place: Path) -> None:
    path = segment_of(place)
    before = path.stat()
    flip(path, before.st_size // 2, 200)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with LocalStore(place) as store, pytest.raises(IndexDamaged):
        store.snapshot()


def test_a_new_start_of_the_machine_checks_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "_boot", lambda: "another")
    with counted_checks(monkeypatch) as checks, LocalStore(place) as store:
        store.snapshot()
    assert sorted(checks) == ["segment", "sum"]


def test_without_a_boot_number_a_day_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(proofs, "_BOOT_FILE", str(tmp_path / "none"))
    assert proofs._boot.__wrapped__().startswith("day ")


@pytest.mark.parametrize("content", ["", "[]", "{", '{"boot": 1}', '{"files": {}}', "null", "\x00"])
def test_a_broken_note_proves_nothing(place: Path, content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "verified.json").write_text(content)
    with counted_checks(monkeypatch) as checks, LocalStore(place) as store:
        assert set(shown(store.snapshot())) == set(FILES)
    assert sorted(checks) == ["segment", "sum"]
    assert json.loads((place / "verified.json").read_text())["files"].keys() == {
        "index.sqlite",
        f"segments/{segment_of(place).name}",
    }


def test_a_broken_page_is_found_before_anything_is_read(place: Path) -> None:
    (place / "index.sqlite.crc32").unlink()
    size = (place / "index.sqlite").stat().st_size
    for page in range(2, size // 4096, 7):
        whole = (place / "index.sqlite").read_bytes()
        with (place / "index.sqlite").open("r+b") as file:
            file.seek(page * 4096)
            file.write(b"\xff" * 4096)
        with LocalStore(place) as store:
            assert "damaged" in store.needs_rebuild, page
        (place / "index.sqlite").write_bytes(whole)
    with LocalStore(place) as store:
        assert store.needs_rebuild == ""
    flip(place / "index.sqlite", size // 2 // 4096 * 4096, 4096)
    wiped(place)


def test_a_changed_byte_in_a_row_is_found(place: Path) -> None:
    content = (place / "index.sqlite").read_bytes()
    at = content.index(b"def f7")
    (place / "index.sqlite").write_bytes(content[:at] + b"X" + content[at + 1 :])
    with LocalStore(place) as store, pytest.raises(IndexDamaged, match="fails its checksum"):
        store.snapshot()
    with LocalStore(place) as store, store.writer():
        assert "checksum" in store.needs_rebuild  # also when the checksum has been withdrawn
    wiped(place)


def test_a_checksum_speaks_of_a_database_at_rest(place: Path) -> None:
    file = place / "index.sqlite.crc32"
    kept = file.read_text()
    with LocalStore(place) as store:
        with store.writer() as writer:
            assert not file.exists()
            writer.set_meta({"model": "x"})
            store.snapshot()
        with LocalStore(place) as reader:
            reader.snapshot()  # holds the log open
            store.close()
            assert not file.exists()
    with LocalStore(place) as store:
        assert dict(store.snapshot().meta) == {"model": "x"}
        with store.writer() as writer:
            writer.set_meta({"model": "y"})
    assert file.read_text() != kept
    assert Checksum(place / "index.sqlite").holds()


def test_a_checksum_that_another_writer_holds_back_is_not_taken(place: Path) -> None:
    with LocalStore(place) as store:
        with store.writer() as writer:
            writer.set_meta({"model": "x"})
            store.snapshot()
        with LocalStore(place).writer():
            store.close()
    assert not (place / "index.sqlite.crc32").exists()


def test_a_writer_that_begins_meanwhile_is_no_damage(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = Checksum._taken

    def changed(self: Checksum) -> str:
        self.withdraw()
        return taken(self).replace(" ", "0 ")

    monkeypatch.setattr(Checksum, "_taken", changed)
    assert Checksum(place / "index.sqlite").holds() is None


def test_a_large_database_gets_none(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checksum, "MOST_BYTES", 1000)
    with LocalStore(place) as store, store.writer() as writer:
        writer.set_meta({"model": "x"})
        store.snapshot()
    assert not (place / "index.sqlite.crc32").exists()


@pytest.mark.parametrize("content", [b"", b"\xff\n", b"1234"])
def test_a_broken_checksum_file_says_nothing(place: Path, content: bytes) -> None:
    (place / "index.sqlite.crc32").write_bytes(content)
    assert Checksum(place / "index.sqlite").holds() is None


def spoil_a_text(place: Path) -> None:
    """A text that does not unpack, in a database without a checksum: no page check sees it."""
    (place / "index.sqlite.crc32").unlink()
    connection = sqlite3.connect(place / "index.sqlite")
    connection.execute("UPDATE texts SET body = ? WHERE id = 3", (zlib.compress(b"x" * 90)[:-4] + b"abcd",))
    connection.commit()
    connection.close()


def test_what_only_a_read_can_see_is_noted_for_every_process(place: Path) -> None:
    spoil_a_text(place)
    with LocalStore(place) as store:
        snapshot = store.snapshot()
        with pytest.raises(IndexDamaged, match="cannot be unpacked"):
            snapshot.text("2.py")
        with pytest.raises(IndexDamaged, match="cannot be unpacked"):
            list(snapshot.texts(FILES))
        assert "cannot be unpacked" in store.needs_rebuild
    with LocalStore(place) as other, pytest.raises(IndexDamaged, match="cannot be unpacked"):
        other.snapshot()
    wiped(place)
    with LocalStore(place) as store:
        build(store, FILES)


def test_a_cleared_place_keeps_no_notes(place: Path) -> None:
    with LocalStore(place) as store:
        build(store, {"a.py": "def a"})
        store.condemn("it is rotten")
        store.clear()
    assert not place.exists()


def test_a_process_that_condemned_an_index_uses_the_rebuilt_one(place: Path) -> None:
    with LocalStore(place) as store:
        store.snapshot()
        store.condemn("it is rotten")
        with LocalStore(place) as other, other.writer() as writer:
            writer.wipe()
            writer.put(make_batch({"a.py": "def a"}))
        assert shown(store.snapshot()) == {"a.py": "def a"}


def test_lost_rows_are_damage_and_unknown_numbers_are_not(place: Path) -> None:
    connection = sqlite3.connect(place / "index.sqlite")
    (place / "index.sqlite.crc32").unlink()
    connection.execute("DELETE FROM chunks WHERE file = 3")
    connection.commit()
    connection.close()
    with LocalStore(place) as store:
        snapshot = store.snapshot()
        with pytest.raises(IndexDamaged, match="lost their rows"):
            snapshot.chunk_rows(range(snapshot.chunk_count))
        with pytest.raises(KeyError):
            snapshot.chunk_rows([snapshot.chunk_count])


def test_a_folder_that_cannot_be_written_is_checked_and_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    (place / "verified.json").unlink()
    monkeypatch.setattr(Path, "write_text", refuse)
    with LocalStore(place) as store:
        assert set(shown(store.snapshot())) == set(FILES)
        store.condemn("it is rotten")
        assert store.needs_rebuild == "it is rotten"
    assert not (place / "verified.json").exists()
