"""A content-addressed cache of numbers in one SQLite file: what a slow model has judged is not judged again.

A key names the model, the question and the text. The cache is a convenience and never a reason to fail: where the file
is damaged, busy, full or not writable, nothing is found and nothing is kept. Any number of processes may use it.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

MAX_ROWS = 1_000_000
"""About 60 MB; a fifth of the rows, those kept longest ago, go when there are more."""
_BUSY_S = 2.0
_VARIABLES = 500
_SCHEMA = "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, score REAL NOT NULL, kept INTEGER NOT NULL)"


def score_key(model: str, question: str, text: str) -> bytes:
    """BLAKE2b-128 of the three, each with its length (no two run together)."""
    state = hashlib.blake2b(digest_size=16)
    for part in (model, question, text):
        encoded = part.encode("utf-8", "surrogatepass")
        state.update(len(encoded).to_bytes(8, "little"))
        state.update(encoded)
    return state.digest()


class ScoreCache:
    """Scores by key. `path` None keeps them in memory for as long as the object lives."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._failed = False

    def get(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """The scores of the keys that are known."""
        found: dict[bytes, float] = {}
        with self._lock, contextlib.suppress(sqlite3.Error):
            connection = self._open()
            if connection is not None:
                for start in range(0, len(keys), _VARIABLES):
                    some = keys[start : start + _VARIABLES]
                    marks = ",".join("?" * len(some))
                    found |= connection.execute(f"SELECT key, score FROM scores WHERE key IN ({marks})", some)
        return {key: float(value) for key, value in found.items()}

    def put(self, scores: Mapping[bytes, float]) -> None:
        """Keep scores."""
        now = int(time.time())
        with self._lock, contextlib.suppress(sqlite3.Error):
            connection = self._open()
            if connection is not None and scores:
                with connection:
                    rows = [(key, score, now) for key, score in scores.items()]
                    connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?)", rows)
                    (count,) = connection.execute("SELECT count(*) FROM scores").fetchone()
                    if count > MAX_ROWS:
                        oldest = "SELECT key FROM scores ORDER BY kept, key LIMIT ?"
                        connection.execute(f"DELETE FROM scores WHERE key IN ({oldest})", (MAX_ROWS // 5,))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> sqlite3.Connection | None:
        """The connection, None where the file cannot be used."""
        if self._connection is None and not self._failed:
            try:
                if self._path is not None:
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                place = ":memory:" if self._path is None else str(self._path)
                self._connection = sqlite3.connect(place, timeout=_BUSY_S, check_same_thread=False)
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute(_SCHEMA)
            except (sqlite3.Error, OSError):
                self._failed = True
                if self._connection is not None:
                    self._connection.close()
                    self._connection = None
        return self._connection
