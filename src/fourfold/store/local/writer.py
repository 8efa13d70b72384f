"""The one writer of the local store. The caller holds the write lock for as long as the writer lives."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from fourfold.model.errors import IndexDamaged
from fourfold.store.contract import Batch, FileRecord, Snapshot, paths_of
from fourfold.store.local import rows, sweep, tables, tiers
from fourfold.store.local.arrays import check_arrays, check_family
from fourfold.store.local.database import Database, writing
from fourfold.store.local.derived import Derived
from fourfold.store.local.errors import OlderFormat, damaged, translated
from fourfold.store.local.packing import pack_name
from fourfold.store.local.segment import SUFFIX, write_segment
from fourfold.store.local.snapshot import LocalSnapshot
from fourfold.store.local.view import SegmentView, pack_ids

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REPLACE_SEGMENT = "UPDATE segments SET name = ?, chunks = ?, files = ?, file_ids = ?, dead = ? WHERE name = ?"

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def _explained(
    method: Callable[Concatenate[LocalWriter, _Given], _Result],
) -> Callable[Concatenate[LocalWriter, _Given], _Result]:
    """Turn the SQLite errors of a method into ours."""

    @wraps(method)
    def explaining(self: LocalWriter, /, *args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
        with translated(self._database.directory):
            return method(self, *args, **kwargs)

    return explaining


class LocalWriter:
    """Publishes generations. Each method is one transaction: a killed process leaves the one before it.

    `snapshot` gives the newest generation of the same store, `condemned` why an incarnation of its database must
    not live on (or an empty text); `derived` is swept with the rest.
    """

    def __init__(
        self,
        database: Database,
        snapshot: Callable[[], LocalSnapshot],
        *,
        condemned: Callable[[int], str] = lambda _: "",
        derived: Derived | None = None,
    ) -> None:
        self._database = database
        self._snapshot = snapshot
        self._condemned = condemned
        self._derived = derived
        self._folder = sweep.segment_folder(database.directory)
        self._opened: sqlite3.Connection | None = None

    @_explained
    def put(self, batch: Batch) -> int:
        """Store files, replacing rows of the same paths; returns the new generation.

        Raises ValueError where the arrays break the schema, where their set differs from what is stored (a
        change of model needs `wipe`), or where a path occurs twice.
        """
        paths = paths_of(batch)
        newest = self._generation()  # also makes the database, so that no segment is ever there without one
        if not paths:
            return newest
        name = self._write_batch(batch) if batch.files else ""
        with self._publishing() as generation:
            self._bury(rows.retire(self._connection, paths, generation))
            numbers = rows.insert_files(self._connection, batch, generation)
            if name:
                self._name(name, sum(len(file.chunks) for file in batch.files), numbers)
        return generation

    @_explained
    def remove(self, paths: Iterable[str]) -> int:
        """Forget files; paths that are not stored are no error. Nothing is published where none was."""
        known = rows.live_paths(self._connection, paths)
        if not known:
            return self._generation()
        with self._publishing() as generation:
            self._bury(rows.retire(self._connection, known, generation))
        return generation

    @_explained
    def touch(self, records: Iterable[FileRecord]) -> int:
        """New stat values (and encoding) for files whose content did not change; other paths are passed
        over."""
        wanted = list(records)
        if not rows.live_paths(self._connection, (record.path for record in wanted)):
            return self._generation()
        with self._publishing(content=False) as generation:
            rows.update_stat(self._connection, wanted)
        return generation

    @_explained
    def set_meta(self, values: Mapping[str, str]) -> None:
        """Set meta values, keeping the others; publishes a generation where one differs."""
        cells = {pack_name(key): pack_name(value) for key, value in values.items()}
        stored = dict(self._connection.execute("SELECT key, value FROM meta"))
        if all(stored.get(key) == value for key, value in cells.items()):
            return
        with self._publishing(content=False):
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", cells.items())

    @_explained
    def wipe(self) -> None:
        """Forget every row and every meta value. Also makes a damaged or older index usable again.

        Readers keep their snapshot, except where the database itself had to be made anew. Raises NewerFormat.
        """
        try:
            with translated(self._database.directory):
                self._forget_rows()
        except (IndexDamaged, OlderFormat):
            self.close()
            self._database.delete_files()
        sweep.sweep_segments(self._connection, self._folder)

    @_explained
    def rewrite(
        self,
        make: Callable[[LocalSnapshot, int], Mapping[str, NDArray[np.generic]]],
        meta: Mapping[str, str],
    ) -> int:
        """Replace the segments by others of the same live rows: `make` gives the arrays of each by its number. They
        become visible together, with the meta values; until then, and where this is cut short, all is as it was.

        Raises ValueError where an array breaks the schema.
        """
        snapshot = self._snapshot()
        made = []
        for number, view in enumerate(snapshot.segments):
            view.segment.verify()
            live = ~view.dead_files
            chunks = view.chunks_per_file[live].tolist()
            name = ""
            if len(chunks):
                arrays = make(snapshot, number)
                sizes = {"file": len(chunks), "chunk": sum(chunks), "definition": len(arrays["definition.file"])}
                check_arrays(arrays, sizes, chunks)
                name = self._write(arrays)
            made.append((name, sum(chunks), view.file_ids[live].tolist(), view.name))
        cells = [(pack_name(key), pack_name(value)) for key, value in meta.items()]
        with self._publishing(durable=True) as generation:
            for name, count, file_ids, old in made:
                if name:
                    row = (name, count, len(file_ids), pack_ids(file_ids), bytes(len(file_ids)), old)
                    self._connection.execute(_REPLACE_SEGMENT, row)
                else:
                    self._connection.execute("DELETE FROM segments WHERE name = ?", (old,))
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", cells)
        return generation

    @_explained
    def finish(self, statistics: Callable[[Snapshot], Mapping[str, NDArray[np.float32]]] | None = None) -> int:
        """Merge small segments, store the statistics of the resulting content, sweep what no row names."""
        sweep.sweep_rows(self._connection, time.time())
        for group in tiers.due(self._snapshot().segments):
            self._merge(group)
        if statistics is not None:
            self._store_statistics(statistics)
        sweep.sweep_segments(self._connection, self._folder)
        if self._derived is not None:
            self._derived.sweep(*self._snapshot().content_key)
        sweep.checkpoint(self._database, self._connection)
        return self._generation()

    def close(self) -> None:
        """Close the connection. What was published stays, what was not is gone."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = self._database.connect_writer()
        return self._opened

    def _forget_rows(self) -> None:
        # Checks the pages first (50 ms for 500,000 lines of source): a broken one would outlive the rows.
        self._database.check_pages(self._connection)
        found = self._connection.execute("SELECT value FROM state WHERE key = ?", (tables.INCARNATION,)).fetchone()
        why = self._condemned(found[0]) if found else "the database has lost its state"
        if why:
            raise damaged(self._database.directory, why)
        with self._publishing(durable=True) as generation:
            rows.retire_all(self._connection, generation)
            self._connection.execute("DELETE FROM segments")
            self._connection.execute("DELETE FROM meta")

    def _newest(self) -> tuple[int, int]:
        """(newest generation, the generation that last changed content)."""
        found = self._connection.execute(
            "SELECT number, content FROM generations ORDER BY number DESC LIMIT 1"
        ).fetchone()
        if found is None:
            raise damaged(self._database.directory, "the database has lost its generations")
        return int(found[0]), int(found[1])

    def _generation(self) -> int:
        return self._newest()[0]

    @contextmanager
    def _publishing(self, *, content: bool = True, durable: bool = False) -> Iterator[int]:
        """One transaction that publishes the generation it yields; `content`: rows or segments change."""
        with writing(self._connection, durable=durable):
            newest, old = self._newest()
            generation = newest + 1
            self._connection.execute(
                "INSERT INTO generations VALUES (?, ?, ?)",
                (generation, generation if content else old, time.time()),
            )
            yield generation

    def _write_batch(self, batch: Batch) -> str:
        definitions = batch.arrays.get("definition.file")
        sizes = {
            "file": len(batch.files),
            "chunk": sum(len(file.chunks) for file in batch.files),
            "definition": 0 if definitions is None else len(definitions),
        }
        check_arrays(batch.arrays, sizes, [len(file.chunks) for file in batch.files])
        segments = self._snapshot().segments
        if segments:
            check_family(batch.arrays, segments[-1].segment)
        return self._write(batch.arrays)

    def _write(self, arrays: Mapping[str, NDArray[np.generic]]) -> str:
        self._folder.mkdir(exist_ok=True)
        name = f"{secrets.token_hex(8)}{SUFFIX}"
        write_segment(self._folder / name, arrays)
        return name

    def _name(self, name: str, chunks: int, file_ids: list[int]) -> None:
        """Make a written segment part of the generation being published."""
        self._connection.execute(
            "INSERT INTO segments (name, chunks, files, file_ids, dead) VALUES (?, ?, ?, ?, ?)",
            (name, chunks, len(file_ids), pack_ids(file_ids), bytes(len(file_ids))),
        )

    def _bury(self, ended: list[int]) -> None:
        """Set the tombstones of ended file versions."""
        if not ended:
            return
        import numpy as np

        gone = np.array(ended, np.int64)
        for number, packed, dead in self._connection.execute("SELECT id, file_ids, dead FROM segments").fetchall():
            buried = np.isin(np.frombuffer(packed, "<i8"), gone)
            if buried.any():
                tombstones = (buried | np.frombuffer(dead, np.bool_)).tobytes()
                self._connection.execute("UPDATE segments SET dead = ? WHERE id = ?", (tombstones, number))

    def _merge(self, group: list[SegmentView]) -> None:
        """Replace segments by one that holds their live rows (by none where no row lives)."""
        from fourfold.store.local.merge import merge  # late: a light path opens the store without numpy

        file_ids = [number for view in group for number in view.file_ids[~view.dead_files].tolist()]
        chunks = sum(int((~view.dead_chunks).sum()) for view in group)
        for view in group:
            view.segment.verify()  # a rotten array must not get a fresh checksum
        name = self._write(merge(group)) if file_ids else ""
        with self._publishing(durable=True):
            self._connection.executemany("DELETE FROM segments WHERE name = ?", [(view.name,) for view in group])
            if name:
                self._name(name, chunks, file_ids)

    def _store_statistics(self, statistics: Callable[[Snapshot], Mapping[str, NDArray[np.float32]]]) -> None:
        import numpy as np

        snapshot = self._snapshot()
        if self._connection.execute("SELECT 1 FROM statistics WHERE content = ?", (snapshot.content,)).fetchone():
            return
        arrays = {name: np.asarray(array, "<f4") for name, array in statistics(snapshot).items()}
        cells = [
            (snapshot.content, name, " ".join(map(str, array.shape)), array.tobytes()) for name, array in arrays.items()
        ]
        with writing(self._connection):
            self._connection.execute("DELETE FROM statistics")
            self._connection.executemany("INSERT INTO statistics VALUES (?, ?, ?, ?)", cells)
