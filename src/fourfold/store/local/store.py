"""The local store: an index in one directory."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourfold.model.errors import IndexDamaged, UsageError
from fourfold.store.local import lock, sweep, tables
from fourfold.store.local.database import Database, EmptyDatabase
from fourfold.store.local.errors import OlderFormat, SnapshotExpired, damaged
from fourfold.store.local.segment import Segment
from fourfold.store.local.snapshot import LocalSnapshot
from fourfold.store.local.view import SegmentView
from fourfold.store.local.writer import LocalWriter

_ATTEMPTS = 5
"""How often a snapshot is taken anew where a merge deleted a segment between reading its name and mapping
it."""


class LocalStore:
    """The index in `directory`. Nothing is read or made before it is asked for; safe to share between
    threads.

    With `read_only`, `writer` and `clear` raise UsageError.
    """

    def __init__(self, directory: Path, *, read_only: bool = False) -> None:
        self.directory = Path(directory)
        self.read_only = read_only
        self._database = Database(self.directory)
        self._guard = threading.Lock()
        self._newest: LocalSnapshot | None = None

    @property
    def exists(self) -> bool:
        """True where there is an index (of any format, whole or damaged)."""
        return self._database.path.exists()

    @property
    def owner(self) -> str:
        """Who is writing now, in words; empty where nobody is."""
        return lock.owner(self.directory)

    @property
    def needs_rebuild(self) -> str:
        """Why the index must be wiped before it can be used (older format, damage); empty where it need not.

        Raises NewerFormat, and LockHeld where the database is busy: neither is a reason to rebuild.
        """
        try:
            self.snapshot()
        except (OlderFormat, IndexDamaged) as error:
            return error.message
        return ""

    def faults(self) -> list[str]:
        """Every fault that can be found, one clause each. Reads the whole index; raises what `snapshot`
        raises."""
        from fourfold.store.local.check import faults

        return list(faults(self._database, self.snapshot())) if self.exists else []

    def snapshot(self) -> LocalSnapshot:
        """The newest generation; the same object while it is unchanged. Empty (generation 0) where there is
        no index.

        Raises NewerFormat, OlderFormat, IndexDamaged, and IndexUnavailable where it cannot be read.
        """
        with self._guard:
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    self._newest = self._take_snapshot(self._newest)
                    return self._newest
                except (IndexDamaged, SnapshotExpired):
                    self._newest = None
                    if attempt == _ATTEMPTS:
                        raise
        raise AssertionError("unreachable")

    @contextmanager
    def writer(self, *, wait_s: float = 0.0, purpose: str = "index") -> Iterator[LocalWriter]:
        """Take the write lock. Raises LockHeld naming the owner after `wait_s` seconds, UsageError if
        read-only."""
        with self._locked(purpose, wait_s):
            writer = LocalWriter(self._database, self.snapshot)
            try:
                yield writer
            finally:
                writer.close()

    def clear(self) -> None:
        """Delete the index, whatever its state, and its folder where nothing else is in it.

        Raises LockHeld at once where a writer is active.
        """
        if not self.directory.exists():
            return
        with self._locked("clear", 0.0):
            self._newest = None
            self._database.delete_files()
            shutil.rmtree(sweep.segment_folder(self.directory), ignore_errors=True)
            (self.directory / lock.FILE_NAME).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # something else is kept there
            self.directory.rmdir()

    def close(self) -> None:
        """Close the database; snapshots of this store can then read no more rows."""
        self._newest = None
        self._database.close()

    def __enter__(self) -> LocalStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _locked(self, purpose: str, wait_s: float) -> Iterator[None]:
        if self.read_only:
            raise UsageError(f"the index in {self.directory} was opened read-only")
        held = lock.WriteLock(self.directory)
        held.acquire(purpose, wait_s)
        try:
            yield
        finally:
            held.release()

    def _take_snapshot(self, known: LocalSnapshot | None) -> LocalSnapshot:
        """The newest generation, which is `known` where nothing was published since."""
        try:
            with self._database.reading() as rows:
                if self._database.format_of(rows) == 0:
                    return self._empty(known)
                incarnation, generation = rows.execute(
                    "SELECT (SELECT value FROM state WHERE key = ?), max(number) FROM generations",
                    (tables.INCARNATION,),
                ).fetchone()
                if incarnation is None or generation is None:
                    raise damaged(self.directory, "the database has lost its state")
                if known is not None and known.key == (incarnation, generation):
                    return known
                content = rows.execute("SELECT content FROM generations WHERE number = ?", (generation,)).fetchone()[0]
                meta = dict(rows.execute("SELECT key, value FROM meta"))
                listed = rows.execute("SELECT name, chunks, files, file_ids, dead FROM segments ORDER BY id").fetchall()
        except FileNotFoundError:
            return self._empty(known)
        mapped = {view.name: view.segment for view in known.segments} if known is not None else {}
        folder = sweep.segment_folder(self.directory)
        segments = [SegmentView(mapped.get(name) or Segment.open(folder / name), *cells) for name, *cells in listed]
        return LocalSnapshot(
            self._database,
            incarnation=incarnation,
            generation=generation,
            content=content,
            meta=meta,
            segments=segments,
        )

    def _empty(self, known: LocalSnapshot | None) -> LocalSnapshot:
        """What a reader sees where nothing was ever published."""
        if known is not None and known.key == (0, 0):
            return known
        if sweep.segment_folder(self.directory).is_dir():
            raise damaged(self.directory, "the database is missing or empty, but segments are there")
        nothing = EmptyDatabase(self.directory)
        return LocalSnapshot(nothing, incarnation=0, generation=0, content=0, meta={}, segments=[])
