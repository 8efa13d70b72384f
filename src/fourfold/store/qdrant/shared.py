"""Arrays computed once for a content and shared: statistics of a generation, and what readers derive (the graph)."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import FourfoldError
from fourfold.store.local.derived import Derived
from fourfold.store.local.proofs import Proofs
from fourfold.store.qdrant import blobs
from fourfold.store.qdrant.manifest import Manifest
from fourfold.store.qdrant.place import Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

STATISTICS = "statistics"


def blob_name(name: str, manifest: Manifest) -> str:
    """The blob of arrays called `name` for the content of a manifest."""
    return f"{name}-{manifest.incarnation}-{manifest.content}"


class Shared:
    """The shared arrays of one content."""

    def __init__(self, place: Place, manifest: Manifest) -> None:
        self._place = place
        self._manifest = manifest
        self._local = Derived(place.directory, Proofs(place.directory))

    @cached_property
    def statistics(self) -> Mapping[str, NDArray[Any]]:
        """The statistics of this content; empty where none are stored."""
        if self._manifest.statistics != self._manifest.content:
            return {}
        return self.derived(STATISTICS) or {}

    def derived(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        """Arrays from the cache here, else from the server; None where neither has them."""
        manifest = self._manifest
        found = self._local.read(name, manifest.incarnation, manifest.content)
        if found is None:
            data = blobs.download(self._place.gateway, self._place.service, blob_name(name, manifest))
            found = unpacked(data) if data is not None else None
            if found is not None:
                self._keep(name, found)
        return found

    def put_derived(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep arrays here, and on the server where that is allowed and works: it spares others the work, no more."""
        self._keep(name, arrays)
        if not self._place.read_only:
            with contextlib.suppress(FourfoldError):
                self.upload(name, arrays)

    def upload(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Store arrays on the server."""
        blobs.upload(self._place.gateway, self._place.service, blob_name(name, self._manifest), packed(arrays))

    def _keep(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._place.directory.mkdir(parents=True, exist_ok=True)
        self._local.write(name, self._manifest.incarnation, self._manifest.content, arrays)


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Arrays as bytes (numpy's archive; no objects)."""
    import numpy as np

    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **dict(arrays))
    return buffer.getvalue()


def unpacked(data: bytes) -> dict[str, NDArray[Any]] | None:
    """The arrays of :func:`packed`; None where the bytes are none. Nothing is ever unpickled."""
    import zipfile

    import numpy as np

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (ValueError, OSError, KeyError, zipfile.BadZipFile):
        return None
