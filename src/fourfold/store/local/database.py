"""Connections to the SQLite file: a small pool for readers, one connection for the writer, and the format
check.

Readers open a transaction for one read and keep none in between. The file runs in WAL mode, so that readers
and the writer do not wait for each other, with ``synchronous=NORMAL``: a killed process loses nothing that
was published, a power cut may lose the newest generations but never leaves half of one. Where files are
deleted because of what a transaction says (after a merge), that one runs with ``synchronous=FULL``.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fourfold.model.errors import IndexUnavailable, NewerFormat
from fourfold.store.contract import FORMAT_VERSION
from fourfold.store.local import tables, trigrams
from fourfold.store.local.errors import OlderFormat, SnapshotExpired, damaged, is_full, translated
from fourfold.store.local.lock import keep_writers_out

FILE_NAME = "index.sqlite"
SIDE_FILES = ("-wal", "-shm", "-journal")

BUSY_TIMEOUT_S = 10.0
"""How long SQLite waits for another process's short exclusive moments (recovery, checkpoint) before it says
busy."""

_POOL_SIZE = 4
_WRITER_CACHE_KB = 32_000


class Database:
    """The SQLite file in `directory`. Opening reads nothing and creates nothing. Safe to share between
    threads."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.path = directory / FILE_NAME
        self._guard = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._identity: tuple[int, int, int] | None = None
        self._inherited: list[sqlite3.Connection] = []
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One read transaction. Raises FileNotFoundError where there is no database, else what `errors`
        says."""
        with translated(self.directory):
            connection = self._take()
            try:
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            self._give(connection)

    @contextmanager
    def reading_generation(self, incarnation: int, generation: int) -> Iterator[sqlite3.Connection]:
        """A read transaction that still holds every row of `generation`; raises :class:`SnapshotExpired` if
        not."""
        try:
            with self.reading() as connection:
                state = dict(connection.execute("SELECT key, value FROM state"))
                if state.get(tables.INCARNATION) != incarnation or state[tables.HORIZON] > generation:
                    raise _expired(self.directory, generation)
                yield connection
        except FileNotFoundError as error:
            raise _expired(self.directory, generation) from error

    def connect_writer(self) -> sqlite3.Connection:
        """The writer's connection, in autocommit; makes the file and its tables where there are none.

        The caller holds the write lock and closes the connection. Raises NewerFormat, OlderFormat and
        IndexDamaged.
        """
        with translated(self.directory):
            connection = _connect(f"{_uri(self.path)}?mode=rwc")
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute(f"PRAGMA cache_size=-{_WRITER_CACHE_KB}")
                connection.execute("PRAGMA temp_store=MEMORY")
                if self.format_of(connection) == 0:
                    _create(connection)
                return connection
            except BaseException:
                connection.close()
                raise

    def format_of(self, connection: sqlite3.Connection) -> int:
        """The format version, 0 for an empty file. Raises NewerFormat, OlderFormat, IndexDamaged."""
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version == 0:
            if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
                return 0
            # Outside of a transaction the tables may have been made since the version was read.
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        application = int(connection.execute("PRAGMA application_id").fetchone()[0])
        if application != tables.APPLICATION_ID:
            raise damaged(self.directory, f"{FILE_NAME} is not an index")
        if version > FORMAT_VERSION:
            raise NewerFormat(
                f"the index in {self.directory} has format {version}, "
                f"this version of Fourfold reads format {FORMAT_VERSION}",
                hint="upgrade fourfold, or run `fourfold clear` and index again",
            )
        if version < FORMAT_VERSION:
            raise OlderFormat(
                f"the index in {self.directory} has the older format {version}",
                hint="run `fourfold index` to rebuild it",
            )
        return version

    def check_pages(self, connection: sqlite3.Connection) -> None:
        """Raise IndexDamaged where SQLite's check of its pages fails (26 ms for 550,000 lines of source)."""
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        if found != "ok":
            raise damaged(self.directory, f"the database fails its check ({' '.join(found.split())[:200]})")

    def delete_files(self) -> None:
        """Delete the SQLite file and its side files. The caller holds the write lock and has closed its
        connection."""
        self.drop_idle()
        for suffix in ("", *SIDE_FILES):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def drop_idle(self) -> None:
        """Close the idle readers."""
        with self._guard:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        """Close every idle connection; later reads raise IndexUnavailable."""
        self._closed = True
        self.drop_idle()

    def __del__(self) -> None:
        # A store that was not closed gives its connections back; in a forked child they are the parent's.
        if self._idle and self._identity is not None and self._identity[0] == os.getpid():
            self.close()

    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise IndexUnavailable(f"the store in {self.directory} is closed", hint="open it again")
        found = self.path.stat()
        identity = (os.getpid(), found.st_dev, found.st_ino)
        with self._guard:
            if identity != self._identity:
                self._forget(identity)
            if self._idle:
                return self._idle.pop()
        return self._open_reader()

    def _forget(self, identity: tuple[int, int, int]) -> None:
        """Another file stands at the path, or this process was forked: the idle connections are of no use."""
        if self._identity is not None and self._identity[0] != identity[0]:
            # SQLite connections must not be touched in a forked child, not even to close them.
            self._inherited.extend(self._idle)
        else:
            for connection in self._idle:
                connection.close()
        self._idle = []
        self._identity = identity

    def _open_reader(self) -> sqlite3.Connection:
        options = "mode=rw"
        if not os.access(self.directory, os.W_OK):
            # Without a -wal file beside it the database is complete in itself, and a folder that cannot be
            # written cannot take the side files that a WAL reader otherwise makes.
            options = "mode=ro" if Path(f"{self.path}-wal").exists() else "mode=ro&immutable=1"
        try:
            connection = _connect(f"{_uri(self.path)}?{options}")
        except sqlite3.OperationalError as error:
            if not self.path.exists():  # deleted since it was looked at
                raise FileNotFoundError(self.path) from error
            raise
        try:
            connection.execute("PRAGMA query_only=1")
            self.format_of(connection)
        except BaseException as error:
            connection.close()
            still = self._open_still() if isinstance(error, sqlite3.OperationalError) else None
            if still is None:
                raise
            return still
        return connection

    def _open_still(self) -> sqlite3.Connection | None:
        """A reader that needs no room on the disk, None where none is to be had: the disk has room, the log holds what
        the file does not, or somebody writes. Writers are kept out as long as it is open."""
        log = Path(f"{self.path}-wal")
        if not is_full(self.directory) or (log.exists() and log.stat().st_size):
            return None
        descriptor = keep_writers_out(self.directory)
        if descriptor < 0:
            return None
        made: Any = partial(_Still, descriptor)
        connection: sqlite3.Connection = sqlite3.connect(
            f"{_uri(self.path)}?mode=ro&immutable=1",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            factory=made,
        )
        return connection

    def _give(self, connection: sqlite3.Connection) -> None:
        with self._guard:
            if not self._closed and len(self._idle) < _POOL_SIZE and not isinstance(connection, _Still):
                self._idle.append(connection)
                return
        connection.close()


class _Still(sqlite3.Connection):
    """A connection to a file that nobody changes: closing it lets writers in again."""

    def __init__(self, descriptor: int, *arguments: Any, **options: Any) -> None:
        self._descriptor = descriptor
        super().__init__(*arguments, **options)

    def close(self) -> None:
        """Close it, once."""
        super().close()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class EmptyDatabase(Database):
    """What a snapshot of a place without an index reads from: tables without a row, made for each read."""

    @contextmanager
    def reading_generation(self, incarnation: int, generation: int) -> Iterator[sqlite3.Connection]:
        """A connection to empty tables."""
        with contextlib.closing(_connect(":memory:")) as connection:
            _create(connection)
            yield connection


@contextmanager
def writing(connection: sqlite3.Connection, *, durable: bool = False) -> Iterator[None]:
    """One write transaction on the writer's connection, rolled back on any exception.

    With `durable`, it survives a power cut before this returns: asked for where files are deleted on its
    word.
    """
    connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _expired(directory: Path, generation: int) -> SnapshotExpired:
    return SnapshotExpired(
        f"generation {generation} of the index in {directory} is no longer kept", hint="take a new snapshot"
    )


def _uri(path: Path) -> str:
    return f"file:{quote(str(path))}"


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)


def _create(connection: sqlite3.Connection) -> None:
    with writing(connection):
        for statement in tables.TABLES:
            connection.execute(statement)
        connection.execute(trigrams.TABLE)
        state = {tables.HORIZON: 0, tables.INCARNATION: secrets.randbits(62), tables.TRIGRAM_ROWS: 0}
        connection.executemany("INSERT INTO state VALUES (?, ?)", state.items())
        connection.execute("INSERT INTO generations VALUES (0, 0, ?)", (time.time(),))
        connection.execute(f"PRAGMA application_id={tables.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={FORMAT_VERSION}")
