"""A disk without any room: SQLite cannot make the side files that a reader needs, and what is stored is read all the
same. Acted out on a file system in memory where one may be mounted, and by its errors anywhere."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.suite import build, shown

from fourfold.model.errors import IndexUnavailable, LockHeld
from fourfold.store.local import database, lock
from fourfold.store.local.store import LocalStore

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks of files are mandatory there")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path) -> None:
    """Leave no room."""
    with (place / "fill").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as error:
            assert error.errno == errno.ENOSPC


def test_what_is_stored_is_read_and_room_made_by_clearing(small: Path) -> None:
    with LocalStore(small / "index") as store:
        build(store, {"a.py": "def a"})
    fill(small)
    with LocalStore(small / "index") as store:
        assert shown(store.snapshot()) == {"a.py": "def a"}
        assert store.faults() == []
        for _ in range(2):  # the lock is not left taken by the first try
            with pytest.raises(IndexUnavailable, match="the disk is full") as caught, store.writer():
                raise AssertionError("written without room")
            assert not isinstance(caught.value, LockHeld)
        (small / "fill").unlink()
        build(store, {"b.py": "def b"})
        assert shown(store.snapshot()) == {"a.py": "def a", "b.py": "def b"}
    fill(small)
    LocalStore(small / "index").clear()
    assert not (small / "index").exists()


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index whose readers get what SQLite says where it cannot make its side files."""
    with LocalStore(tmp_path / "index") as store:
        build(store, {"a.py": "def a"})
    real = database._connect

    class Refusing(sqlite3.Connection):
        def execute(self, *_: object) -> sqlite3.Cursor:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
            raise error

    def connect(uri: str) -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, factory=Refusing) if "mode=rw" in uri else real(uri)

    monkeypatch.setattr(database, "_connect", connect)
    return tmp_path / "index"


def test_with_room_the_error_is_told_as_it_is(failing: Path) -> None:
    with pytest.raises(IndexUnavailable, match="disk I/O error"):
        LocalStore(failing).snapshot()


def test_without_room_it_is_read_still(failing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "is_full", lambda folder: True)
    with LocalStore(failing) as store:
        assert shown(store.snapshot()) == {"a.py": "def a"}
    held = lock.keep_writers_out(failing)
    assert held >= 0  # several readers may
    os.close(held)


@pytest.mark.parametrize("why", ["a log", "a writer"])
def test_without_room_nothing_is_read_that_may_be_half(
    failing: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr(database, "is_full", lambda folder: True)
    monkeypatch.setattr("fourfold.store.local.errors.is_full", lambda folder: True)
    writer = lock.WriteLock(failing)
    if why == "a log":
        (failing / "index.sqlite-wal").write_bytes(b"x" * 100)
    else:
        writer.acquire("test", 0.0)
    try:
        with pytest.raises(IndexUnavailable, match="the disk is full"):
            LocalStore(failing).snapshot()
    finally:
        writer.release()
