"""The local store: an index in one directory."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import FourfoldError, IndexDamaged, UsageError
from fourfold.store.local import lock, overlay, sweep, tables
from fourfold.store.local.checksum import Checksum
from fourfold.store.local.condemned import Condemned
from fourfold.store.local.database import FILE_NAME, Database, EmptyDatabase
from fourfold.store.local.derived import Derived
from fourfold.store.local.errors import CLEAR_HINT, OlderFormat, SnapshotExpired, damaged
from fourfold.store.local.proofs import Proofs
from fourfold.store.local.segment import Segment
from fourfold.store.local.snapshot import LocalSnapshot
from fourfold.store.local.view import SegmentView
from fourfold.store.local.writer import LocalWriter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.check import Tell

_ATTEMPTS = 5
"""How often a snapshot is taken anew where a merge deleted a segment between reading its name and mapping
it."""


class LocalStore:
    """The index in `directory`. Nothing is read or made before it is asked for; safe to share between
    threads.

    With `read_only`, `writer` and `clear` raise UsageError. The database is checked once by each store (its checksum
    where it is at rest, else its pages), the arrays of a segment when it is mapped, both only where no earlier check
    vouches for the file.
    """

    def __init__(self, directory: Path, *, read_only: bool = False) -> None:
        self.directory = Path(directory)
        self.read_only = read_only
        self._database = Database(self.directory)
        self._guard = threading.Lock()
        self._newest: LocalSnapshot | None = None
        self._proofs = Proofs(self.directory)
        self._checksum = Checksum(self._database.path)
        self._condemned = Condemned(self.directory)
        self._derived = Derived(self.directory, self._proofs)
        self._vouched = False
        self._wrote = False

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

    def faults(self, tell: Tell = lambda done, total: None) -> list[str]:
        """Every fault that can be found, one clause each; `tell` hears of the progress (steps done, in all). Reads the
        whole index, whatever vouches for it; raises what `snapshot` raises where it cannot be opened at all."""
        from fourfold.store.local.check import faults

        return list(faults(self._database, self._take_snapshot(None, vouch=False), tell)) if self.exists else []

    def condemn(self, what: str) -> None:
        """Note that the newest generation was found damaged in use; `what` says it in a sentence. A snapshot that meets
        damage while it reads rows notes it by itself.

        From then on `snapshot` raises IndexDamaged in every process, until a wipe has made the database anew.
        """
        with self._guard:
            if self._newest is not None:
                self._condemned.note(self._newest.key[0], what)
                self._newest = None

    def derived(self, name: str, content: int) -> Mapping[str, NDArray[Any]] | None:
        """The arrays kept as `name` for the newest generation, None where there are none or where `content` is not the
        content number of that generation. With a snapshot at hand, ask :meth:`LocalSnapshot.derived`."""
        newest = self.snapshot()
        return newest.derived(name) if newest.content == content else None

    def put_derived(self, name: str, content: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep `arrays` as `name` for the newest generation; does nothing where `content` is not its content number.

        :meth:`LocalSnapshot.put_derived` is to be preferred: an index that was made anew meanwhile may have come to
        the same number.
        """
        newest = self.snapshot()
        if newest.content == content:
            newest.put_derived(name, arrays)

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
            self._condemned.load()
            self._withdraw_checksum()
            writer = LocalWriter(self._database, self.snapshot, condemned=self._condemned.why, derived=self._derived)
            self._wrote = True
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
        with self._locked("clear", 0.0, noted=False):  # noting it would need room, where the disk may be full
            self._newest = None
            self._database.delete_files()
            shutil.rmtree(sweep.segment_folder(self.directory), ignore_errors=True)
            shutil.rmtree(self._derived.folder, ignore_errors=True)
            shutil.rmtree(self.directory / overlay.FOLDER, ignore_errors=True)
            self._vouched = False
            self._condemned.forget()
            self._proofs.forget()
            self._checksum.withdraw()
            (self.directory / lock.FILE_NAME).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # something else is kept there
            self.directory.rmdir()

    def close(self) -> None:
        """Close the database; snapshots of this store can then read no more rows."""
        self._newest = None
        self._database.close()
        if self._wrote and self._vouched:
            self._wrote = False
            self._leave()

    def __enter__(self) -> LocalStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _leave(self) -> None:
        """The last one to close has moved the log into the file: what we wrote needs no check by the next process."""
        stamp = self._proofs.stamp(FILE_NAME)
        if stamp:
            with contextlib.suppress(FourfoldError), self._locked("close", 0.0):
                self._checksum.record()
            self._vouch({FILE_NAME: stamp})

    def _withdraw_checksum(self) -> None:
        try:
            self._checksum.withdraw()
        except OSError as error:
            raise lock.cannot_write(self.directory, error) from error

    @contextmanager
    def _locked(self, purpose: str, wait_s: float, *, noted: bool = True) -> Iterator[None]:
        if self.read_only:
            raise UsageError(f"the index in {self.directory} was opened read-only")
        held = lock.WriteLock(self.directory)
        held.acquire(purpose, wait_s, noted=noted)
        try:
            yield
        finally:
            held.release()

    def _take_snapshot(self, known: LocalSnapshot | None, *, vouch: bool = True) -> LocalSnapshot:
        """The newest generation, which is `known` where nothing was published since; unchecked unless `vouch`."""
        try:
            stamp = self._proofs.stamp(FILE_NAME) if vouch and not self._vouched else ()
            with self._database.reading() as rows:
                if self._database.format_of(rows) == 0:
                    return self._empty(known)
                if stamp:
                    self._check_database(rows, stamp)
                incarnation, generation = rows.execute(
                    "SELECT (SELECT value FROM state WHERE key = ?), max(number) FROM generations",
                    (tables.INCARNATION,),
                ).fetchone()
                if incarnation is None or generation is None:
                    raise damaged(self.directory, "the database has lost its state")
                if vouch and (why := self._condemned.why(incarnation)):
                    raise IndexDamaged(why, hint=CLEAR_HINT)
                if known is not None and known.key == (incarnation, generation):
                    return known
                content = rows.execute("SELECT content FROM generations WHERE number = ?", (generation,)).fetchone()[0]
                meta = dict(rows.execute("SELECT key, value FROM meta"))
                listed = rows.execute("SELECT name, chunks, files, file_ids, dead FROM segments ORDER BY id").fetchall()
        except FileNotFoundError:
            return self._empty(known)
        mapped = {view.name: view.segment for view in known.segments} if known is not None else {}
        mapped |= self._mapped([name for name, *_ in listed if name not in mapped], vouch)
        segments = [SegmentView(mapped[name], *cells) for name, *cells in listed]
        return LocalSnapshot(
            self._database,
            incarnation=incarnation,
            generation=generation,
            content=content,
            meta=meta,
            segments=segments,
            derived=self._derived,
            condemned=self._condemned,
        )

    def _check_database(self, rows: Connection, stamp: tuple[int, ...]) -> None:
        """Look once at what a process before this one may have left: broken pages, and the note of a damage."""
        self._condemned.load()
        if self._proofs.unproven({FILE_NAME: stamp}):
            whole = self._checksum.holds()
            if whole is None:
                self._database.check_pages(rows)
            elif not whole:
                self._refuse(rows)
            self._vouch({FILE_NAME: stamp})
        self._vouched = True

    def _refuse(self, rows: Connection) -> None:
        """Condemn a database that fails its checksum: the writer that mends it withdraws the checksum first."""
        error = damaged(self.directory, f"{FILE_NAME} fails its checksum")
        found = rows.execute("SELECT value FROM state WHERE key = ?", (tables.INCARNATION,)).fetchone()
        if found is not None:
            self._condemned.note(found[0], error.message)
        raise error

    def _mapped(self, names: list[str], vouch: bool) -> dict[str, Segment]:
        """Segments by name, mapped; with `vouch`, their arrays checked where no earlier check vouches for them."""
        folder = sweep.segment_folder(self.directory)
        stamps = {f"{folder.name}/{name}": self._proofs.stamp(f"{folder.name}/{name}") for name in names}
        found = {name: Segment.open(folder / name) for name in names}
        if vouch and stamps:
            unproven = self._proofs.unproven(stamps)
            for key in unproven:
                found[key.removeprefix(f"{folder.name}/")].verify()
            self._vouch({key: stamps[key] for key in unproven})
        return found

    def _vouch(self, stamps: dict[str, tuple[int, ...]]) -> None:
        if stamps and not self.read_only:
            self._proofs.record(stamps)

    def _empty(self, known: LocalSnapshot | None) -> LocalSnapshot:
        """What a reader sees where nothing was ever published."""
        if known is not None and known.key == (0, 0):
            return known
        if sweep.segment_folder(self.directory).is_dir():
            raise damaged(self.directory, "the database is missing or empty, but segments are there")
        nothing = EmptyDatabase(self.directory)
        return LocalSnapshot(nothing, incarnation=0, generation=0, content=0, meta={}, segments=[])
