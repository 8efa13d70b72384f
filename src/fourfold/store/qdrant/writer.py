"""The one writer of a service. The caller holds the lease for as long as the writer lives.

Qdrant has no transaction. New points are written first, valid from a generation that nothing names yet; what they
replace is then marked as ending with it; at last one point, the manifest, names the generation, and readers see all of
it at once. A writer that dies in between leaves points that no reader's filter lets through; the next one removes
them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING

from fourfold.model.errors import LockHeld, ModelMismatch
from fourfold.store.contract import FORMAT_VERSION, Batch, FileRecord, Snapshot, paths_of
from fourfold.store.local import tiers
from fourfold.store.local.arrays import check_arrays, check_family
from fourfold.store.local.packing import pack_name, pack_path
from fourfold.store.qdrant import manifest as manifests
from fourfold.store.qdrant import reweigh, sweep, words
from fourfold.store.qdrant.columns import FILE_IDS
from fourfold.store.qdrant.encode import Encoder, file_id, pack_record
from fourfold.store.qdrant.gateway import MAX_POINTS
from fourfold.store.qdrant.manifest import Manifest
from fourfold.store.qdrant.points import In, Is, Point, Where
from fourfold.store.qdrant.shared import STATISTICS, Shared
from fourfold.store.qdrant.snapshot import QdrantSnapshot
from fourfold.store.qdrant.table import visible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.store.local.view import SegmentView
    from fourfold.store.qdrant.lease import Lease
    from fourfold.store.qdrant.place import Place

_PATHS_AT_ONCE = 500
_POINTS_HELD = 8 * MAX_POINTS
"""Points made before they are sent: bounds the memory of a large batch."""


class QdrantWriter:
    """Publishes generations. `manifest` is the newest one; `snapshot` gives the newest generation of the same store."""

    def __init__(self, place: Place, lease: Lease, manifest: Manifest, snapshot: Callable[[], QdrantSnapshot]) -> None:
        self._place = place
        self._gateway = place.gateway
        self._lease = lease
        self._manifest = manifest
        self._stamp = manifest.stamp
        self._snapshot = snapshot
        self._own = Is("service", place.service)
        sweep.remove_debris(self._gateway, self._own, manifest)

    def put(self, batch: Batch) -> int:
        """Store files, replacing rows of the same paths; returns the new generation.

        Raises ValueError where the arrays break the schema, where their set differs from what is stored, or where a
        path occurs twice; ModelMismatch where the collection takes vectors of another dimension.
        """
        paths = paths_of(batch)
        if not paths:
            return self._manifest.generation
        self._check(batch)
        self._lease.check()
        known = set(self._snapshot().table.rows)
        encoder = Encoder(self._place.service, self._manifest.incarnation, self._next)
        first = self._manifest.next_file
        changes: dict[str, object] = {"next_file": first + len(batch.files) + len(batch.skipped)}
        if batch.files:
            changes |= self._write(encoder, batch, first)
        numbered = enumerate(batch.skipped, first + len(batch.files))
        self._gateway.put([encoder.skipped(record, number) for number, record in numbered])
        self._end([path for path in paths if path in known])
        return self._publish(content=True, **changes)

    def remove(self, paths: Iterable[str]) -> int:
        """Forget files; paths that are not stored are no error. Nothing is published where none was."""
        rows = self._snapshot().table.rows
        known = [path for path in dict.fromkeys(paths) if path in rows]
        if not known:
            return self._manifest.generation
        self._end(known)
        return self._publish(content=True)

    def touch(self, records: Iterable[FileRecord]) -> int:
        """New stat values (and encoding) for files whose content did not change; other paths are passed over."""
        rows = self._snapshot().table.rows
        changes = []
        for record in records:
            row = rows.get(record.path)
            if row is None:
                continue
            new = row.record._replace(
                size=record.size,
                mtime_ns=record.mtime_ns,
                ctime_ns=record.ctime_ns,
                inode=record.inode,
                encoding=record.encoding,
            )
            payload = {"record": pack_record(new), "changed": self._next}
            changes.append((file_id(self._place.service, self._manifest.incarnation, row.number), payload))
        if not changes:
            return self._manifest.generation
        self._gateway.set_each(changes)
        return self._publish(content=False)

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Set meta values, keeping the others; publishes a generation where one differs."""
        cells = {pack_name(key): pack_name(value) for key, value in values.items()}
        meta = self._manifest.meta
        if any(meta.get(key) != value for key, value in cells.items()):
            self._publish(content=False, meta={**meta, **cells})

    def wipe(self) -> None:
        """Forget every row and every meta value; readers keep their snapshot. Brings an older format up to date."""
        self._gateway.set_payload(visible(self._place.service, self._manifest), {"valid_to": self._next})
        self._publish(content=True, meta={}, segments=(), means=None, statistics=-1, format=FORMAT_VERSION)

    def finish(self, statistics: Callable[[Snapshot], Mapping[str, NDArray[np.float32]]] | None = None) -> int:
        """Merge small segments, weigh words by the present means, store statistics, sweep what nothing names."""
        for group in tiers.due(self._snapshot().segments):
            self._merge(group)
        self._reweigh()
        if statistics is not None:
            self._store_statistics(statistics)
        self._manifest = sweep.sweep(self._place, self._manifest, time.time(), self._announce)
        return self._manifest.generation

    @property
    def manifest(self) -> Manifest:
        """What was published last."""
        return self._manifest

    @property
    def _next(self) -> int:
        """The number of the coming generation."""
        return self._manifest.following(0.0, content=True).generation

    def _check(self, batch: Batch) -> None:
        definitions = batch.arrays.get("definition.file")
        counts = [len(file.chunks) for file in batch.files]
        sizes = {
            "file": len(batch.files),
            "chunk": sum(counts),
            "definition": 0 if definitions is None else len(definitions),
        }
        if not batch.files:
            return
        check_arrays(batch.arrays, sizes, counts)
        dimension = self._gateway.dimension()
        found = int(batch.arrays["chunk.vector"].shape[1])
        if found != dimension:
            raise ModelMismatch(
                f"the collection at {self._gateway.address} takes vectors of {dimension or 'no'} dimensions, "
                f"the configured model makes {found or 'none'}",
                hint="name another collection in qdrant.collection, or the model that the collection was made with",
            )
        segments = self._snapshot().segments
        if segments:
            check_family({**batch.arrays, FILE_IDS: segments[-1].array(FILE_IDS)}, segments[-1].segment)

    def _write(self, encoder: Encoder, batch: Batch, first: int) -> dict[str, object]:
        """Send the columns and the points of a batch; returns what the manifest must say of them."""
        import numpy as np

        arrays = batch.arrays
        means = self._manifest.means or words.means_of(arrays)
        held: list[Point] = []
        for point in encoder.files(batch.files, first, arrays, means):
            held.append(point)
            if len(held) == _POINTS_HELD:
                self._gateway.put(held)
                held = []
        self._gateway.put(held)
        ids = np.arange(first, first + len(batch.files), dtype=np.int64)
        entry = self._place.columns.store(
            {**arrays, FILE_IDS: ids}, sum(len(file.chunks) for file in batch.files), len(batch.files)
        )
        return {"segments": (*self._manifest.segments, entry), "means": means}

    def _end(self, paths: list[str]) -> None:
        """Let the points of the live versions of `paths` end with the coming generation."""
        for start in range(0, len(paths), _PATHS_AT_ONCE):
            part = tuple(pack_path(path) for path in paths[start : start + _PATHS_AT_ONCE])
            alive = visible(self._place.service, self._manifest, In("path", part))
            self._gateway.set_payload(alive, {"valid_to": self._next})

    def _publish(self, *, content: bool, **changes: object) -> int:
        return self._announce(self._manifest.following(time.time(), content=content, **changes)).generation

    def _announce(self, manifest: Manifest) -> Manifest:
        """Make `manifest` the newest: one conditional write, read back."""
        self._lease.check()
        expected = Where((Is("stamp", self._stamp),))
        self._gateway.put([manifests.to_point(self._place.service, manifest)], only=expected)
        found = self._gateway.get([manifests.manifest_id(self._place.service)], manifests.KEYS)
        if not found or manifests.from_payload(found[0].payload, self._gateway.address).stamp != manifest.stamp:
            raise LockHeld(f"another writer has published {self._place.words} meanwhile", hint="try again")
        self._manifest, self._stamp = manifest, manifest.stamp
        return manifest

    def _merge(self, group: list[SegmentView]) -> None:
        """Replace segments by one that holds their live rows (by none where no row lives)."""
        import numpy as np

        from fourfold.store.local.merge import merge

        ids = np.concatenate([view.file_ids[~view.dead_files] for view in group])
        gone = {view.name for view in group}
        kept = [entry for entry in self._manifest.segments if entry.name not in gone]
        if len(ids):
            chunks = sum(int((~view.dead_chunks).sum()) for view in group)
            kept.append(self._place.columns.store({**merge(group), FILE_IDS: ids}, chunks, len(ids)))
        self._publish(content=True, segments=tuple(kept))

    def _reweigh(self) -> None:
        """Store the term saturations anew where the means that they were computed with are no longer true."""
        snapshot = self._snapshot()
        present = reweigh.present_means(snapshot.segments)
        if self._manifest.means is None or not reweigh.differ(self._manifest.means, present):
            return
        for points in reweigh.points(self._place, self._manifest, snapshot.segments, present):
            self._gateway.set_vectors(points)
            self._lease.check()
        self._publish(content=False, means=present)

    def _store_statistics(self, statistics: Callable[[Snapshot], Mapping[str, NDArray[np.float32]]]) -> None:
        import numpy as np

        if self._manifest.statistics == self._manifest.content:
            return
        snapshot = self._snapshot()
        arrays = {name: np.asarray(array, "<f4") for name, array in statistics(snapshot).items()}
        Shared(self._place, self._manifest).upload(STATISTICS, arrays)
        # No reader sees another state: the generation stays, and the statistics are those of its content.
        self._manifest = self._announce_same(statistics=self._manifest.content)

    def _announce_same(self, **changes: object) -> Manifest:
        return self._announce(replace(self._manifest, stamp=token_hex(8), **changes))  # type: ignore[arg-type]
