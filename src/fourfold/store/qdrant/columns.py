"""The read-through cache of columns: a segment is fetched once, kept as a file, mapped, and read like a local one."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import IndexDamaged
from fourfold.store.local.errors import SnapshotExpired
from fourfold.store.local.proofs import Proofs
from fourfold.store.local.segment import SUFFIX, Segment, write_segment
from fourfold.store.local.sweep import GRACE_S
from fourfold.store.qdrant import blobs
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.manifest import SegmentEntry

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILE_IDS = "file.id"
"""An array of every segment of this store: the number of the file version of each file row (int64)."""
FOLDER = "segments"


class Columns:
    """The segments of one service, cached below `directory`."""

    def __init__(self, gateway: Gateway, service: str, directory: Path) -> None:
        self._gateway = gateway
        self._service = service
        self._directory = directory
        self._proofs = Proofs(directory)
        self._open: dict[str, Segment] = {}

    @property
    def folder(self) -> Path:
        """Where the cached segments are."""
        return self._directory / FOLDER

    def segment(self, entry: SegmentEntry) -> Segment:
        """A segment, mapped; fetched where it is not cached or its cached file is damaged.

        Raises SnapshotExpired where the server has it no more.
        """
        found = self._open.get(entry.name)
        if found is None:
            found = self._cached(entry.name) or self._fetched(entry)
            self._open[entry.name] = found
        return found

    def store(self, arrays: Mapping[str, NDArray[Any]], chunks: int, files: int) -> SegmentEntry:
        """Upload a new segment and keep it here; it belongs to nothing until a manifest names it."""
        name = f"{secrets.token_hex(8)}{SUFFIX}"
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / name
        write_segment(path, arrays, durable=False)
        data = path.read_bytes()
        self._vouch(name)
        blobs.upload(self._gateway, self._service, name, data)
        return SegmentEntry(name, blobs.digest_of(data), len(data), chunks, files)

    def keep(self, names: Iterable[str]) -> None:
        """Drop what is not among `names` from memory, and its old files."""
        kept = set(names)
        for name in set(self._open) - kept:
            del self._open[name]
        limit = time.time() - GRACE_S
        for path in self.folder.glob(f"*{SUFFIX}*") if self.folder.is_dir() else ():
            with contextlib.suppress(OSError):  # mapped by another process (Windows), or gone: next time
                if path.name not in kept and path.stat().st_mtime < limit:
                    path.unlink()

    def _cached(self, name: str) -> Segment | None:
        key = f"{FOLDER}/{name}"
        stamp = self._proofs.stamp(key)
        if not stamp:
            return None
        try:
            segment = Segment.open(self.folder / name)
            if self._proofs.unproven({key: stamp}):
                segment.verify()
                self._proofs.record({key: stamp})
        except IndexDamaged:
            return None
        os.utime(self.folder / name)  # in use: not to be dropped by another process
        self._vouch(name)
        return segment

    def _fetched(self, entry: SegmentEntry) -> Segment:
        data = blobs.download(self._gateway, self._service, entry.name)
        if data is None or blobs.digest_of(data) != entry.digest:
            raise SnapshotExpired(
                f"a part of the service {self._service} at {self._gateway.address} is no longer kept",
                hint="take a new snapshot",
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / entry.name
        temporary = path.with_name(f"{entry.name}.{secrets.token_hex(4)}.tmp")
        temporary.write_bytes(data)
        temporary.replace(path)
        self._vouch(entry.name)
        return Segment.open(path)

    def _vouch(self, name: str) -> None:
        key = f"{FOLDER}/{name}"
        self._proofs.record({key: self._proofs.stamp(key)})
