"""The Qdrant store: one service of a collection."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import IndexUnavailable
from fourfold.store.contract import FORMAT_VERSION
from fourfold.store.qdrant import lease, table
from fourfold.store.qdrant import manifest as manifests
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.layout import Layout
from fourfold.store.qdrant.manifest import Manifest
from fourfold.store.qdrant.place import Place
from fourfold.store.qdrant.points import Is, Where
from fourfold.store.qdrant.snapshot import QdrantSnapshot
from fourfold.store.qdrant.writer import QdrantWriter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.check import Tell


CACHE_FOLDER = "qdrant"
"""Below the folder of the index: what is fetched from the server. A local index may live beside it."""


class QdrantStore:
    """The index of `service` in the collection behind `gateway`; what is fetched is cached below `directory`.

    `layout` says what a missing collection is made with. Nothing is read or made before it is asked for; safe to share
    between threads. With `read_only`, `writer` and `clear` raise IndexUnavailable.
    """

    def __init__(
        self,
        gateway: Gateway,
        service: str,
        directory: Path,
        layout: Callable[[], Layout],
        *,
        read_only: bool = False,
    ) -> None:
        self.directory = Path(directory)
        self.read_only = read_only
        self._place = Place(gateway, service, self.directory / CACHE_FOLDER, layout, read_only)
        self._guard = threading.Lock()
        self._newest: QdrantSnapshot | None = None

    @property
    def place(self) -> Place:
        """Where this service is."""
        return self._place

    @property
    def exists(self) -> bool:
        """True where the server has an index of this service."""
        return self._manifest() is not None

    @property
    def owner(self) -> str:
        """Who is writing now, in words; empty where nobody is."""
        held = lease.holder(self._place.gateway, self._place.service)
        return held.words if held is not None else ""

    @property
    def needs_rebuild(self) -> str:
        """Why the index must be wiped before it can be used; empty where it need not. Raises NewerFormat."""
        found = self._manifest()
        if found is not None and found.format < FORMAT_VERSION:
            return f"the index {self._place.words} has the older format {found.format}"
        return ""

    def faults(self, tell: Tell = lambda done, total: None) -> list[str]:
        """Every fault that can be found, one clause each. Reads the columns whole and counts the points; `tell` hears
        of the progress (segments done, in all)."""
        snapshot = self.snapshot()
        found = []
        for done, view in enumerate(snapshot.segments):
            tell(done, len(snapshot.segments))
            try:
                view.segment.verify()
            except IndexUnavailable as error:
                found.append(error.message)
        info = snapshot.info()
        where = table.visible(self._place.service, snapshot.manifest)
        for kind, expected in (("file", info.files), ("chunk", info.chunks), ("skipped", info.skipped)):
            counted = self._place.gateway.count(where.plus(Is("point", kind)))
            if counted != expected:
                found.append(f"{self._place.words} has {counted} points of kind {kind} instead of {expected}")
        return found

    def condemn(self, what: str) -> None:
        """Forget what is cached here: the next snapshot fetches it again. (Damage of the cache is the only one that can
        be met; the server checks its own.) `what` says it in a sentence."""
        with self._guard:
            self._newest = None
            self._forget_cache()

    def derived(self, name: str, content: int) -> Mapping[str, NDArray[Any]] | None:
        """The arrays kept as `name` for the newest generation, None where `content` is not its content number."""
        newest = self.snapshot()
        return newest.derived(name) if newest.content == content else None

    def put_derived(self, name: str, content: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep `arrays` as `name` for the newest generation; nothing where `content` is not its content number."""
        newest = self.snapshot()
        if newest.content == content:
            newest.put_derived(name, arrays)

    def snapshot(self) -> QdrantSnapshot:
        """The newest generation; the same object while it is unchanged. Empty (generation 0) where there is none.

        Raises NewerFormat, BackendUnavailable, IndexUnavailable.
        """
        with self._guard:
            found = self._manifest() or Manifest(incarnation=0)
            known = self._newest
            if known is None or known.manifest.key != found.key:
                rows = known.__dict__.get("table") if known is not None else None
                self._newest = QdrantSnapshot(self._place, found, current=self._manifest, known=rows)
            elif known.manifest.stamp != found.stamp:
                known.renew(found)
            assert self._newest is not None
            return self._newest

    @contextmanager
    def writer(self, *, wait_s: float = 0.0, purpose: str = "index") -> Iterator[QdrantWriter]:
        """Take the lease. Raises LockHeld naming its holder after `wait_s` seconds, IndexUnavailable if read-only.

        Makes the collection where there is none.
        """
        self._check_writable()
        gateway = self._place.gateway
        gateway.create(self._place.layout())
        held = lease.Lease(gateway, self._place.service, purpose)
        held.acquire(wait_s)
        try:
            newest = self._manifest()
            if newest is None:
                newest = Manifest.fresh()
                gateway.put([manifests.to_point(self._place.service, newest)])
            if not held.clean:
                newest = newest.taken_over()
            yield QdrantWriter(self._place, held, newest, self.snapshot)
        except BaseException:
            held.release(clean=False)
            raise
        held.release()

    def clear(self) -> None:
        """Delete the service from the collection, whatever its state, and what is cached here.

        Raises LockHeld at once where a writer is active.
        """
        self._check_writable()
        if self._place.gateway.exists():
            held = lease.Lease(self._place.gateway, self._place.service, "clear")
            held.acquire(0.0)
            try:
                gone = Where((Is("service", self._place.service),), (Is("point", "lease"),))
                self._place.gateway.delete(gone)
            finally:
                held.release()
        with self._guard:
            self._newest = None
            self._forget_cache()
        with contextlib.suppress(OSError):  # something else is kept there
            self.directory.rmdir()

    def close(self) -> None:
        """Close the connections; snapshots of this store can then read no more rows."""
        self._newest = None
        self._place.gateway.close()

    def __enter__(self) -> QdrantStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _manifest(self) -> Manifest | None:
        found = self._place.gateway.get([manifests.manifest_id(self._place.service)], manifests.KEYS)
        return manifests.from_payload(found[0].payload, self._place.gateway.address) if found else None

    def _check_writable(self) -> None:
        if self.read_only:
            raise IndexUnavailable(
                f"the index {self._place.words} is opened read only", hint="unset qdrant.read_only to write to it"
            )

    def _forget_cache(self) -> None:
        self._place.columns.keep(())
        shutil.rmtree(self._place.directory, ignore_errors=True)
