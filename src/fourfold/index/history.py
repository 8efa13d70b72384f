"""The index of a history: commits, the files they touched, and their words, in a SQLite file beside the code's index.

It is made when it is first asked for and follows the commit that is checked out: only commits that are new to it are
read, those that are no longer reachable (a rewritten history, another branch) are set aside and come back for nothing.
Every batch is committed as it comes, so an interrupted reading goes on where it was.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fourfold.model.errors import IndexUnavailable
from fourfold.model.report import Progress
from fourfold.model.text import TOKENIZER_VERSION, words
from fourfold.source import history as git
from fourfold.source.secrets import POLICY_VERSION, redact, without_tokens
from fourfold.store.local.lock import WriteLock, cannot_write
from fourfold.store.terms import raw_terms, stem_terms

FOLDER = "history"
"""Below the folder of the code's index: with a lock of its own, neither waits for the other."""
FILE_NAME = "history.sqlite"
FORMAT_VERSION = 1
APPLICATION_ID = 0x46464869

BATCH = 2000
"""Commits of one git process and one transaction: about a second of work."""
MAX_BODY_CHARS = 8000
"""What is kept of a message's body. Longer ones are generated change logs."""
MAX_FILES = 1000
"""Files of a commit that are recorded, the first by path; how many there were is known."""
MAX_WORD_FILES = 100
"""Files of a commit whose names are searchable words: a mass rename would drown its own message."""
DEAD_SHARE = 0.25
MIN_DEAD = 1000
"""Commits set aside are dropped and the words built anew where both are exceeded."""

BUSY_TIMEOUT_S = 30.0

ProgressCallback = Callable[[Progress], None]

_TABLES = """
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE commits (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, date INTEGER NOT NULL, author TEXT NOT NULL,
    email TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, paths TEXT NOT NULL, files INTEGER NOT NULL,
    live INTEGER NOT NULL);
CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE touched (path INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (path, entry)) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(subject, body, files, content='',
    tokenize="unicode61 remove_diacritics 0 tokenchars '_'");
"""
"""`commits.paths` lists ids of paths; `touched` is the same the other way round (entry: id of a commit). `words` holds
terms, not text: what :func:`term_text` makes of it."""


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """What an update did: commits read, set aside and back again, and how many are searchable now."""

    added: int = 0
    removed: int = 0
    commits: int = 0
    seconds: float = 0.0


def update(
    root: Path,
    directory: Path,
    *,
    redact_secrets: bool = True,
    progress: ProgressCallback | None = None,
    wait_s: float = 0.0,
) -> HistoryReport:
    """Make the index in `directory` equal to the history of what is checked out in `root`.

    Raises IndexUnavailable where there is no git, no repository, no commit, or where git fails; LockHeld where another
    process does the same and there is something to do. A file that SQLite cannot read is made anew.
    """
    started = time.monotonic()
    source = git.repository(root)
    now = git.tip(root)
    prefix = git.below_top(root, source)
    wanted = {"identity": f"{TOKENIZER_VERSION} {POLICY_VERSION} {int(redact_secrets)} {prefix}"}
    wanted |= {"tip": now, "depth": git.depth_mark(source), "complete": "1"}
    state = state_of(directory)
    if state.items() >= wanted.items():
        return HistoryReport(commits=int(state["commits"]), seconds=time.monotonic() - started)
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise cannot_write(directory, error) from error
    lock = WriteLock(directory)
    lock.acquire("history", wait_s)
    try:
        try:
            report = _Update(root, directory, wanted, prefix, redact_secrets, progress, started).run()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            _delete_files(directory)
            report = _Update(root, directory, wanted, prefix, redact_secrets, progress, started).run()
    except sqlite3.OperationalError as error:
        raise _refused(directory, error) from error
    finally:
        lock.release()
    return report


def state_of(directory: Path) -> dict[str, str]:
    """What the index says of itself: identity, tip, depth, commits; empty where there is none or it cannot be read."""
    try:
        with reading(directory) as connection:
            return dict(connection.execute("SELECT key, value FROM state"))
    except (IndexUnavailable, sqlite3.DatabaseError):
        return {}


@contextmanager
def reading(directory: Path) -> Iterator[sqlite3.Connection]:
    """One read transaction. Raises IndexUnavailable where there is no index, sqlite3.DatabaseError where it is
    damaged."""
    path = directory / FILE_NAME
    if not path.is_file():
        raise IndexUnavailable("the history has not been read yet", hint="run: fourfold history")
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)) as connection:
        if not _is_ours(connection):
            raise IndexUnavailable("the history was read by another version", hint="run: fourfold history")
        connection.execute("BEGIN")
        yield connection


def clear(directory: Path) -> None:
    """Delete the index. Raises LockHeld where it is being written."""
    if not directory.is_dir():
        return
    lock = WriteLock(directory)
    lock.acquire("clear", 0.0, noted=False)  # noting it would need room, where the disk may be full
    try:
        _delete_files(directory)
    finally:
        lock.release()
    with contextlib.suppress(OSError):
        shutil.rmtree(directory)


class _Update:
    """One update, under the lock."""

    def __init__(
        self,
        root: Path,
        directory: Path,
        wanted: dict[str, str],
        prefix: str,
        redact_secrets: bool,
        progress: ProgressCallback | None,
        started: float,
    ) -> None:
        self._root = root
        self._directory = directory
        self._wanted = wanted
        self._prefix = prefix
        self._redact = redact_secrets
        self._progress = progress
        self._started = started
        self._paths: dict[str, int] = {}

    def run(self) -> HistoryReport:
        with closing(self._connect()) as connection:
            self._connection = connection
            state = dict(connection.execute("SELECT key, value FROM state"))
            if state and state["identity"] != self._wanted["identity"]:
                connection.close()
                _delete_files(self._directory)
                return self.run()
            self._tell("scan", 0, 0)
            gone, come = self._difference(state)
            # Not the newest state until the end: a reader can tell that commits are missing.
            with _writing(connection):
                self._set({"identity": self._wanted["identity"], "complete": "0"})
            revived = self._revive(come)
            added = self._read([name for name in come if name not in revived])
            with _writing(connection):
                self._mark(gone, live=False)
                self._drop_dead()
                (commits,) = connection.execute("SELECT count(*) FROM commits WHERE live").fetchone()
                self._set(self._wanted | {"commits": str(commits)})
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return HistoryReport(added + len(revived), len(gone), commits, time.monotonic() - self._started)

    def _connect(self) -> sqlite3.Connection:
        path = self._directory / FILE_NAME
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            known = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            if known and not _is_ours(connection):
                raise sqlite3.DatabaseError("another format")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            if not known:
                connection.executescript(
                    f"BEGIN; {_TABLES} PRAGMA application_id={APPLICATION_ID};"
                    f"PRAGMA user_version={FORMAT_VERSION}; COMMIT;"
                )
            return connection
        except BaseException:
            connection.close()
            raise

    def _difference(self, state: dict[str, str]) -> tuple[list[str], list[str]]:
        """(commits that are no longer reachable, commits that are and may be unknown)."""
        if state.get("complete") == "1" and state["depth"] == self._wanted["depth"]:
            found = git.moved(self._root, state["tip"], self._wanted["tip"])
            if found is not None:
                return found
        all_now = git.reachable(self._root, self._wanted["tip"])
        alive = {name.hex() for (name,) in self._connection.execute("SELECT hash FROM commits WHERE live")}
        return list(alive.difference(all_now)), [name for name in all_now if name not in alive]

    def _revive(self, names: Sequence[str]) -> set[str]:
        """Those of `names` that were read before, now live."""
        known = self._connection.execute("SELECT 1 FROM commits LIMIT 1").fetchone()
        if not known:
            return set()
        find = "SELECT 1 FROM commits WHERE hash = ?"
        found = {name for name in names if self._connection.execute(find, (bytes.fromhex(name),)).fetchone()}
        with _writing(self._connection):
            self._mark(found, live=True)
        return found

    def _mark(self, names: Iterable[str], *, live: bool) -> None:
        rows = [(live, bytes.fromhex(name)) for name in names]
        self._connection.executemany("UPDATE commits SET live = ? WHERE hash = ?", rows)

    def _read(self, names: Sequence[str]) -> int:
        """Read commits batch by batch, the newest first; returns how many were stored."""
        stored = 0
        (last,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM commits").fetchone()
        numbers = {name: last + len(names) - place for place, name in enumerate(names)}  # the newest has the highest
        for start in range(0, len(names), BATCH):
            self._tell("index", start, len(names))
            batch = list(git.read_commits(self._root, names[start : start + BATCH], self._prefix))
            with _writing(self._connection):
                for commit in reversed(batch):  # FTS5 writes out what it holds whenever a number falls
                    self._store(commit, numbers[commit.hash])
            stored += len(batch)
        self._tell("index", len(names), len(names))
        return stored

    def _store(self, commit: git.Commit, entry: int) -> None:
        subject, body, files = commit.subject, commit.body[:MAX_BODY_CHARS], commit.files[:MAX_FILES]
        if self._redact:
            # Cut after, not before: half a secret is not recognised.
            subject, _, body = redact(f"{commit.subject}\n\n{commit.body}", prose=True)[0].partition("\n\n")
            body = body[:MAX_BODY_CHARS]
            files = tuple(map(without_tokens, files))
        ids = [self._path_id(path) for path in files]
        row = (
            entry,
            bytes.fromhex(commit.hash),
            *(commit.date, commit.author, commit.email, subject, body),
            *(" ".join(map(str, ids)), len(commit.files)),
        )
        insert = "INSERT INTO commits (id, hash, date, author, email, subject, body, paths, files, live)"
        self._connection.execute(f"{insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)", row)
        self._connection.executemany("INSERT OR IGNORE INTO touched VALUES (?, ?)", [(path, entry) for path in ids])
        self._add_words(entry, subject, body, files)

    def _path_id(self, path: str) -> int:
        known = self._paths.get(path)
        if known is None:
            self._connection.execute("INSERT OR IGNORE INTO paths (path) VALUES (?)", (path,))
            known = int(self._connection.execute("SELECT id FROM paths WHERE path = ?", (path,)).fetchone()[0])
            self._paths[path] = known
        return known

    def _add_words(self, entry: int, subject: str, body: str, files: Sequence[str]) -> None:
        self._connection.execute(
            "INSERT INTO words (rowid, subject, body, files) VALUES (?, ?, ?, ?)",
            (entry, term_text(subject), term_text(body), path_text(files)),
        )

    def _drop_dead(self) -> None:
        """Delete the commits set aside and build the words anew, where they are many."""
        connection = self._connection
        dead, total = connection.execute("SELECT count(*) FILTER (WHERE NOT live), count(*) FROM commits").fetchone()
        if dead < MIN_DEAD or dead < total * DEAD_SHARE:
            return
        connection.execute("DELETE FROM touched WHERE entry IN (SELECT id FROM commits WHERE NOT live)")
        connection.execute("DELETE FROM commits WHERE NOT live")
        connection.execute("DELETE FROM paths WHERE id NOT IN (SELECT path FROM touched)")
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        names = dict(connection.execute("SELECT id, path FROM paths"))
        for entry, subject, body, paths in connection.execute(
            "SELECT id, subject, body, paths FROM commits"
        ).fetchall():
            self._add_words(entry, subject, body, [names[int(path)] for path in paths.split()])

    def _set(self, values: dict[str, str]) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO state VALUES (?, ?)", values.items())

    def _tell(self, stage: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(Progress(stage, done, total, seconds=time.monotonic() - self._started))


def term_text(text: str) -> str:
    """What is indexed of a text: of every word its raw terms and the stems that differ from them."""
    return " ".join(term for word in words(text) for term in _terms(word))


def path_text(paths: Iterable[str]) -> str:
    """What is indexed of file names: each term once, whatever the number of files."""
    return " ".join(dict.fromkeys(term for path in list(paths)[:MAX_WORD_FILES] for term in _path_terms(path)))


@lru_cache(maxsize=65536)
def _terms(word: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*raw_terms(word), *stem_terms(word))))


@lru_cache(maxsize=65536)
def _path_terms(path: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for word in words(path) for term in _terms(word)))


def _is_ours(connection: sqlite3.Connection) -> bool:
    made = connection.execute("PRAGMA application_id").fetchone()[0]
    return (made, connection.execute("PRAGMA user_version").fetchone()[0]) == (APPLICATION_ID, FORMAT_VERSION)


@contextmanager
def _writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction, undone where it fails."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _delete_files(directory: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        (directory / (FILE_NAME + suffix)).unlink(missing_ok=True)


def _refused(directory: Path, error: sqlite3.Error) -> IndexUnavailable:
    return IndexUnavailable(f"the history in {directory} cannot be written: {error}", hint="see: fourfold doctor")
