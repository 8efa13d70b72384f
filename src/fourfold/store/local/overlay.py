"""Vectors of another model, laid over an index: files beside its segments, one for each, written whole or not at all.

A segment always holds the vectors of the built-in model. Those of another one lie in ``vectors/DIGEST``, DIGEST naming
the choice of model: so that they may be made after the index is there, be made anew without reading a file again, lie
beside those of a third model, and be missing without anybody noticing more than a weaker answer.

A file bears the name of its segment, which never changes and whose name is never used twice. A reader needs no lock;
the one writer holds that of :meth:`Overlay.writing`. What is damaged or missing counts as not made yet.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import IndexUnavailable
from fourfold.model.record import record
from fourfold.store.local.lock import WriteLock
from fourfold.store.local.proofs import Proofs
from fourfold.store.local.segment import SUFFIX, TEMPORARY_SUFFIX, Segment, write_segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = "vectors"
MODEL_FILE = "model.json"
_DIGEST = re.compile(r"[0-9a-f]{16}")

MADE = "made"
"""uint8 (chunks): 1 where the model gave the chunk a vector, 0 where its row is zeros."""
FILE_IDS = "file_ids"
"""int64 (files): the file version of each file row, so that a merged segment takes over what is made already."""
CHUNKS = "chunks"
"""int32 (files): how many chunk rows each file row has."""
INCARNATION = "incarnation"
"""int64 (1): the database that numbered the file versions; in another one the same numbers mean other files."""


@record(frozen=True, slots=True)
class OverlayModel:
    """Which model made the vectors: `identity` is its identity key; the rest is shown, and `settings` are those of the
    section ``embedding`` that load it again (no key, no address of a server)."""

    identity: str
    name: str
    provider: str
    dimension: int
    licence: str
    settings: Mapping[str, Any]


class Overlay:
    """The vectors of one choice of model beside the index in `directory`; `digest` is 16 hex digits."""

    def __init__(self, directory: Path, digest: str) -> None:
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"{digest!r} is no digest")
        self.digest = digest
        self.folder = directory / FOLDER / digest
        self._proofs = Proofs(directory)

    @property
    def model(self) -> OverlayModel | None:
        """The model that made what is there, None where nothing is."""
        try:
            return OverlayModel(**json.loads((self.folder / MODEL_FILE).read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    @property
    def used_at(self) -> float:
        """When it was last made or noted as used (seconds since the epoch), 0.0 where it is not there."""
        try:
            return (self.folder / MODEL_FILE).stat().st_mtime
        except OSError:
            return 0.0

    def begin(self, model: OverlayModel) -> None:
        """Note the model; what another one made under the same choice is deleted first. Raises OSError."""
        known = self.model
        if known is not None and known.identity != model.identity:
            self.delete()
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if known == model and (self.folder / MODEL_FILE).exists():
            os.utime(self.folder / MODEL_FILE)
            return
        temporary = self.folder / f"{MODEL_FILE}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}"
        temporary.write_text(json.dumps(asdict(model)), encoding="utf-8")
        temporary.replace(self.folder / MODEL_FILE)

    def read(self, name: str) -> Mapping[str, NDArray[Any]] | None:
        """The arrays made for a segment (read-only views of a mapped file), None where there are none (whole)."""
        key = f"{FOLDER}/{self.digest}/{name}"
        stamp = self._proofs.stamp(key)
        if not stamp:
            return None
        try:
            segment = Segment.open(self.folder / name)
            if self._proofs.unproven({key: stamp}):
                segment.verify()
                self._proofs.record({key: stamp})
        except IndexUnavailable:
            return None
        return {array: segment.array(array) for array in segment.names}

    def write(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep the arrays of a segment, in place of those that were there. Raises OSError."""
        write_segment(self.folder / name, arrays)

    def names(self) -> list[str]:
        """Segments that there are arrays for, sorted."""
        try:
            return sorted(entry.name for entry in self.folder.iterdir() if entry.name.endswith(SUFFIX))
        except OSError:
            return []

    def sweep(self, live: Collection[str]) -> None:
        """Delete the arrays of segments that are gone, and what a killed writer left. The caller holds the lock."""
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                if path.name != MODEL_FILE and path.name not in live:
                    with contextlib.suppress(OSError):
                        path.unlink()

    def delete(self) -> None:
        """Delete everything of it."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock of all overlays of the index. Raises LockHeld where another process makes vectors."""
        held = WriteLock(self.folder.parent)
        held.acquire("vectors", 0.0)
        try:
            yield
        finally:
            held.release()


def overlays(directory: Path) -> list[Overlay]:
    """All overlays of the index in `directory`, the one used last first."""
    try:
        names = [entry.name for entry in (directory / FOLDER).iterdir() if _DIGEST.fullmatch(entry.name)]
    except OSError:
        return []
    return sorted((Overlay(directory, name) for name in names), key=lambda overlay: -overlay.used_at)
