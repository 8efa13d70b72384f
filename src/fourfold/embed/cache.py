"""A content-addressed cache of vectors in one SQLite file: what a slow model made once is not made again.

A key names the model and what it read, so that a branch switched back and forth, a second worktree or a
rebuilt index finds its vectors again. The static model needs no cache: it makes a vector faster than SQLite
finds one.

The cache is a convenience and never a reason to fail. Any number of processes may use it. A *damaged* file is
thrown away and made anew; one that is busy, full or not writable is left alone, and the run goes on without
it. Either is told through `notify`.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np

from fourfold.embed.quantise import from_int8, to_int8

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.embed.protocol import EmbedInput

Notify = Callable[[str], None]
"""Takes one sentence for the person who runs Fourfold."""

MAX_BYTES = 512 * 2**20
"""Default size limit of the file's used pages: about 1.5 million vectors of 256 components."""

_KEEP = 0.8
"""A sweep deletes what was used least recently until the file is this full, so that it need not run at each
batch."""

_TOUCH_AFTER_S = 86_400
"""A row's time of use is exact to a day: a read seldom needs a write."""

_BUSY_S = 10.0
"""Seconds to wait for another process that writes."""

_VARIABLES = 500
"""Keys per statement: SQLite allows 999 variables in its oldest builds."""

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_LAYOUT = 1
"""Version of the file, in its ``user_version``; a file of another version is left alone."""

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS vectors (
    key BLOB PRIMARY KEY,
    blob BLOB NOT NULL,
    used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS vectors_used ON vectors (used);
PRAGMA user_version = {_LAYOUT};
COMMIT;
"""

_SELECT = "SELECT key, blob, used FROM vectors WHERE key IN ({})"


def cache_key(identity_key: str, item: EmbedInput) -> bytes:
    """BLAKE2b-128 of the model's identity key and each field with its length (no two inputs run together)."""
    state = hashlib.blake2b(digest_size=16)
    for field in (identity_key, item.path, item.symbol, item.text):
        encoded = field.encode("utf-8", "surrogatepass")
        state.update(len(encoded).to_bytes(8, "little"))
        state.update(encoded)
    return state.digest()


class VectorCache:
    """Vectors by key, int8 with one scale each; the least recently used go when `max_bytes` are exceeded."""

    def __init__(self, path: Path, *, notify: Notify, max_bytes: int = MAX_BYTES) -> None:
        """Open or create the file at `path`. Never raises: an unusable file is reported and ignored."""
        self._path = path
        self._max_bytes = max_bytes
        self._notify = notify
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._busy_told = False
        self._open()

    def get(self, keys: Sequence[bytes], dimension: int) -> dict[bytes, NDArray[np.float32]]:
        """Vectors of the keys that are known, float32 (dimension,); a damaged row counts as unknown."""
        found: dict[bytes, NDArray[np.float32]] = {}

        def read(connection: sqlite3.Connection) -> None:
            now = int(time.time())
            stale: list[tuple[int, bytes]] = []
            for start in range(0, len(keys), _VARIABLES):
                some = keys[start : start + _VARIABLES]
                marks = ",".join("?" * len(some))
                for key, blob, used in connection.execute(_SELECT.format(marks), some):
                    vector = _unpack(blob, dimension)
                    if vector is not None:
                        found[key] = vector
                        if now - used > _TOUCH_AFTER_S:
                            stale.append((now, key))
            if stale:
                with connection:
                    connection.executemany("UPDATE vectors SET used = ? WHERE key = ?", stale)

        self._run(read)
        return found

    def put(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> dict[bytes, NDArray[np.float32]]:
        """Store finite float32 vectors (d,) in one transaction; then sweep if the file has grown too large.

        Returns them as a later `get` gives them: quantised.
        """
        if not vectors:
            return {}
        codes, scales = to_int8(np.stack(list(vectors.values())))
        now = int(time.time())
        rows = [(key, _pack(codes[row], scales[row]), now) for row, key in enumerate(vectors)]

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            _sweep(connection, self._max_bytes)

        self._run(write)
        return dict(zip(vectors, from_int8(codes, scales), strict=True))

    def close(self) -> None:
        """Close the file; the cache finds and keeps nothing afterwards."""
        with self._lock:
            self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, work: Callable[[sqlite3.Connection], None]) -> None:
        with self._lock:
            if self._connection is None:
                return
            try:
                work(self._connection)
            except sqlite3.DatabaseError as error:
                self._fail(error)

    def _fail(self, error: sqlite3.DatabaseError) -> None:
        """Damaged: start anew. Busy: skip this piece of work. Anything else: go on without the cache."""
        code = _code(error)
        if code in _DAMAGED:
            self._disconnect()
            self._notify(f"The vector cache {self._path.name} was damaged ({error}); it starts empty.")
            _delete(self._path)
            self._open(again=True)
        elif code not in _BUSY:
            self._give_up(error)
        elif not self._busy_told:
            self._busy_told = True
            self._notify(f"The vector cache {self._path.name} is busy; some vectors are not kept.")

    def _open(self, *, again: bool = False) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self._path, timeout=_BUSY_S, check_same_thread=False)
            _prepare(self._connection)
        except sqlite3.DatabaseError as error:
            if again or _code(error) not in _DAMAGED:
                self._give_up(error)
            else:
                self._fail(error)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self._disconnect()
        self._notify(f"The vector cache {self._path.name} is not used: {error}.")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _prepare(connection: sqlite3.Connection) -> None:
    """Create the table where it is missing; OperationalError where the file has another layout."""
    _switch_to_wal(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if layout not in (0, _LAYOUT):
        raise sqlite3.OperationalError(f"its layout is {layout}, this version knows {_LAYOUT}")
    if layout == 0:
        connection.executescript(_SCHEMA)


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Write-ahead logging, so that readers never wait. SQLite's own time-out does not cover this switch."""
    deadline = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if _code(error) not in _BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _sweep(connection: sqlite3.Connection, max_bytes: int) -> None:
    """Delete what was used least recently where the used pages exceed `max_bytes`."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    used = (pages - free) * size
    if used <= max_bytes:
        return
    (rows,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
    surplus = rows - int(rows * _KEEP * max_bytes / used)
    with connection:
        connection.execute(
            "DELETE FROM vectors WHERE key IN (SELECT key FROM vectors ORDER BY used, key LIMIT ?)",
            (surplus,),
        )


def _pack(codes: NDArray[np.int8], scale: np.float32) -> bytes:
    """CRC-32 of the rest (4 bytes), scale (float32), codes: all little-endian."""
    body = np.array(scale, "<f4").tobytes() + codes.tobytes()
    return zlib.crc32(body).to_bytes(4, "little") + body


def _unpack(blob: object, dimension: int) -> NDArray[np.float32] | None:
    """The vector of a packed row, None where the row is damaged or of another dimension."""
    if not isinstance(blob, bytes) or len(blob) != 8 + dimension:
        return None
    if zlib.crc32(blob[4:]) != int.from_bytes(blob[:4], "little"):
        return None
    scale = np.frombuffer(blob, "<f4", 1, 4).astype(np.float32)
    row: NDArray[np.float32] = from_int8(np.frombuffer(blob, np.int8, dimension, 8)[None, :], scale)[0]
    return row


def _code(error: sqlite3.DatabaseError) -> int:
    """SQLite's primary result code, 0 for an error that SQLite did not raise."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _delete(path: Path) -> None:
    """Delete the file and its companions; a file that another process holds open on Windows stays."""
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
