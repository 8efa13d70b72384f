"""The vector cache: what it keeps, what it forgets, and what it does with a bad file."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fourfold.embed import cache as module
from fourfold.embed.cache import VectorCache, cache_key
from fourfold.embed.protocol import EmbedInput


def refuse(message: str) -> None:
    raise AssertionError(f"unexpected notice: {message}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.sqlite"


@pytest.fixture
def cache(path: Path) -> Iterator[VectorCache]:
    with VectorCache(path, notify=refuse) as opened:
        yield opened


def vectors(count: int, dimension: int = 16, seed: int = 0) -> dict[bytes, np.ndarray]:
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return {cache_key(f"model-{seed}", EmbedInput(str(number))): row for number, row in enumerate(rows)}


def test_what_was_put_is_found_by_another_process_later(path: Path) -> None:
    stored = vectors(1200)
    with VectorCache(path, notify=refuse) as first:
        kept = first.put(stored)
    with VectorCache(path, notify=refuse) as second:
        found = second.get(list(stored), 16)
        assert second.get([b"unknown"], 16) == {}
    assert set(found) == set(stored)
    for key, vector in found.items():
        assert vector.tobytes() == kept[key].tobytes()
        np.testing.assert_allclose(vector, stored[key], atol=float(np.abs(stored[key]).max()) / 250)


def test_another_dimension_is_not_found(cache: VectorCache) -> None:
    stored = vectors(2)
    cache.put(stored)
    assert cache.get(list(stored), 32) == {}


def test_keys_tell_model_and_every_field_apart() -> None:
    keys = {
        cache_key("m", EmbedInput("ab", "c", "d")),
        cache_key("m", EmbedInput("a", "bc", "d")),
        cache_key("m", EmbedInput("ab", "", "cd")),
        cache_key("m", EmbedInput("ab", "cd", "")),
        cache_key("ma", EmbedInput("b", "c", "d")),
        cache_key("n", EmbedInput("ab", "c", "d")),
        cache_key("m", EmbedInput("\ud800")),
    }
    assert len(keys) == 7


def test_rows_with_a_flipped_bit_count_as_unknown(path: Path) -> None:
    stored = vectors(3)
    with VectorCache(path, notify=refuse) as cache:
        cache.put(stored)
        victim = next(iter(stored))
        with sqlite3.connect(path) as connection:
            (blob,) = connection.execute("SELECT blob FROM vectors WHERE key = ?", (victim,)).fetchone()
            changed = blob[:10] + bytes([blob[10] ^ 1]) + blob[11:]
            connection.execute("UPDATE vectors SET blob = ? WHERE key = ?", (changed, victim))
        connection.close()
        assert set(cache.get(list(stored), 16)) == set(stored) - {victim}


def test_least_recently_used_go_first_and_the_file_stays_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr(module.time, "time", lambda: now[0])
    limit = 256 * 1024
    with VectorCache(path, notify=refuse, max_bytes=limit) as cache:
        treasured = vectors(50, seed=999)
        cache.put(treasured)
        for seed in range(60):
            now[0] += 2 * 86_400
            assert set(cache.get(list(treasured), 16)) == set(treasured)
            cache.put(vectors(100, seed=seed))
        newest, oldest = vectors(100, seed=59), vectors(100, seed=0)
        assert set(cache.get(list(newest), 16)) == set(newest)
        assert cache.get(list(oldest), 16) == {}
    assert path.stat().st_size <= 2 * limit


def overwrite(path: Path, content: bytes) -> None:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.write_bytes(content)


@pytest.mark.parametrize("content", [b"not a database, certainly", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_damaged_file_is_thrown_away_and_said(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    overwrite(path, content)
    notices: list[str] = []
    stored = vectors(3)
    with VectorCache(path, notify=notices.append) as cache:
        cache.put(stored)
        assert set(cache.get(list(stored), 16)) == set(stored)
    assert len(notices) == 1
    assert "damaged" in notices[0]
    assert "vectors.sqlite" in notices[0]


def test_damage_met_while_reading_is_thrown_away_and_said(path: Path) -> None:
    stored = vectors(2000)
    with VectorCache(path, notify=refuse) as cache:
        cache.put(stored)
    content = path.read_bytes()
    overwrite(path, content[:4096] + b"\x5a" * (len(content) - 4096))
    notices: list[str] = []
    with VectorCache(path, notify=notices.append) as cache:
        cache.get(list(stored), 16)
        cache.put(stored)
        assert set(cache.get(list(stored), 16)) == set(stored)
    assert [notice for notice in notices if "damaged" in notice] == notices != []


def test_busy_file_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Being locked is not being damaged: nothing is deleted, reading goes on, the write is skipped and said
    once."""
    monkeypatch.setattr(module, "_BUSY_S", 0.05)
    stored, more = vectors(2), vectors(2, seed=1)
    notices: list[str] = []
    with VectorCache(path, notify=notices.append) as cache:
        cache.put(stored)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert set(cache.put(more)) == set(more)
        cache.put(more)
        assert set(cache.get([*stored, *more], 16)) == set(stored)
        other.execute("ROLLBACK")
        other.close()
        cache.put(more)
        assert set(cache.get([*stored, *more], 16)) == {*stored, *more}
    assert len(notices) == 1
    assert "busy" in notices[0]


def test_file_of_a_newer_layout_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.execute("CREATE TABLE precious (x)")
    connection.close()
    notices: list[str] = []
    stored = vectors(2)
    with VectorCache(path, notify=notices.append) as cache:
        assert set(cache.put(stored)) == set(stored)
        assert cache.get(list(stored), 16) == {}
    assert len(notices) == 1
    assert "99" in notices[0]
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM precious").fetchone() == (0,)
    connection.close()


def test_place_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("in the way")
    notices: list[str] = []
    stored = vectors(2)
    with VectorCache(blocker / "vectors.sqlite", notify=notices.append) as cache:
        assert set(cache.put(stored)) == set(stored)
        assert cache.get(list(stored), 16) == {}
    assert len(notices) == 1
    assert "not used" in notices[0]


def test_several_processes_write_at_once(path: Path) -> None:
    script = """
import sys
from pathlib import Path
import numpy as np
from fourfold.embed.cache import VectorCache

def stop(message):
    sys.exit(message)

with VectorCache(Path(sys.argv[1]), notify=stop) as cache:
    for number in range(30):
        key = f"{sys.argv[2]}-{number}".encode()
        cache.put({key: np.full(16, number + 1, np.float32)})
        assert key in cache.get([key], 16)
"""
    names = ("a", "b", "c")
    running = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in names]
    assert [process.wait() for process in running] == [0, 0, 0]
    with VectorCache(path, notify=refuse) as cache:
        keys = [f"{name}-{number}".encode() for name in names for number in range(30)]
        assert len(cache.get(keys, 16)) == 90
