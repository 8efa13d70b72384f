"""The check finds what is wrong, and nothing where nothing is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.contract.batches import make_batch
from tests.contract.suite import build

from fourfold.store.local.store import LocalStore


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    store = LocalStore(tmp_path / "index")
    build(store, {f"{n}.py": f"def f{n}\n" * n for n in range(6)})
    with store.writer() as writer:
        writer.put(make_batch({"1.py": "def changed", "empty.py": ""}))
        writer.remove(["2.py"])
    return store


def test_a_whole_index_has_no_faults(store: LocalStore, tmp_path: Path) -> None:
    assert store.faults() == []
    assert LocalStore(tmp_path / "none").faults() == []


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        ("DELETE FROM chunks WHERE file = 4", "1 file has other chunks"),
        ("UPDATE files SET chunks = 9 WHERE path = '3.py'", "1 file has other chunks"),
        ("UPDATE segments SET dead = zeroblob(length(dead))", "2 files are known"),
        ("DELETE FROM files WHERE path = '3.py'", "chunks belong to no file"),
        ("DELETE FROM texts WHERE id = 3", "a file has lost its text"),
        ("INSERT INTO texts VALUES (999, x'00', x'00')", "one of the texts belongs to no file"),
    ],
)
def test_harm_is_found(store: LocalStore, harm: str, words: str) -> None:
    connection = sqlite3.connect(store.directory / "index.sqlite")
    connection.execute(harm)
    connection.execute("INSERT INTO generations SELECT max(number) + 1, max(number) + 1, 0 FROM generations")
    connection.commit()
    connection.close()
    assert any(words in fault for fault in store.faults()), store.faults()


def test_rotten_array_is_found(store: LocalStore) -> None:
    for path in (store.directory / "segments").iterdir():
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
    assert len([fault for fault in LocalStore(store.directory).faults() if "checksum" in fault]) == 2
