"""``fourfold clear`` clears exactly the indexes that cannot be read, as their errors say."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfold.engine import Index
from fourfold.interfaces.cli.main import run


def emptied(database: Path) -> None:
    database.write_bytes(b"")


def removed(database: Path) -> None:
    database.unlink()


def noise(database: Path) -> None:
    database.write_bytes(bytes(range(256)) * 100)


def newer(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    data = database.read_bytes()
    Path(f"{database}.crc32").write_text(f"{zlib.crc32(data):08x} {len(data)}\n")


@pytest.mark.parametrize("harm", [emptied, removed, noise, newer])
def test_what_cannot_be_read_can_be_cleared(
    harm: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text("def alpha():\n    return 1\n")
    with Index.open(root, root=root) as index:
        index.refresh()
        location = index.location
    harm(location / "index.sqlite")
    assert run(["--root", str(root), "clear"]) == 0
    assert "deleted" in capsys.readouterr().out
    assert not (location / "index.sqlite").exists()
    assert run(["--root", str(root), "search", "alpha"]) == 0
    assert "a.py" in capsys.readouterr().out
