"""Arrays computed from one content of the index and kept beside its segments: a cache that can always be made again.

A file ``NAME-INCARNATION-CONTENT.seg`` speaks of exactly one content, so that nothing has to be invalidated. Readers
write it without the write lock: it is renamed into place whole. What is damaged or missing counts as absent, and a
folder that cannot be written is no error.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import IndexUnavailable
from fourfold.store.local.proofs import Proofs
from fourfold.store.local.segment import SUFFIX, Segment, write_segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = "derived"
BYTES = "bytes"
"""The one array of what is kept as bytes."""

ABANDONED_S = 3600.0
"""A temporary file of this age was left by a killed process: nobody takes an hour to write one."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FILE = re.compile(rf"([a-z][a-z0-9_]*)-(\d+)-(\d+){re.escape(SUFFIX)}")


class Derived:
    """The derived arrays of the index in `directory`."""

    def __init__(self, directory: Path, proofs: Proofs) -> None:
        self.folder = directory / FOLDER
        self._proofs = proofs

    def read(self, name: str, incarnation: int, content: int) -> Mapping[str, NDArray[Any]] | None:
        """The arrays kept as `name` for this content (read-only views of a mapped file), or None."""
        segment = self._open(name, incarnation, content)
        return {array: segment.array(array) for array in segment.names} if segment is not None else None

    def read_bytes(self, name: str, incarnation: int, content: int) -> bytes | None:
        """The array :data:`BYTES` of what is kept as `name` for this content, or None."""
        segment = self._open(name, incarnation, content)
        return segment.raw(BYTES) if segment is not None and BYTES in segment.names else None

    def _open(self, name: str, incarnation: int, content: int) -> Segment | None:
        """What is kept as `name` for this content, checked; None where nothing whole is."""
        file_name = _file_name(name, incarnation, content)
        key = f"{FOLDER}/{file_name}"
        stamp = self._proofs.stamp(key)
        if not stamp:
            return None
        try:
            segment = Segment.open(self.folder / file_name)
            if self._proofs.unproven({key: stamp}):
                segment.verify()
                self._proofs.record({key: stamp})
        except IndexUnavailable:  # damaged, or not to be read: it is made again
            return None
        return segment

    def write(self, name: str, incarnation: int, content: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep arrays as `name` for this content, and drop those of other incarnations and of older contents.

        Raises ValueError for a name that is not lower-case letters, digits and underscores.
        """
        path = self.folder / _file_name(name, incarnation, content)
        with contextlib.suppress(OSError):  # a cache that cannot be written or is full
            self.folder.mkdir(exist_ok=True)
            write_segment(path, arrays, durable=False)
            self._drop(lambda found: found[0] == name and (found[1] != incarnation or found[2] < content))

    def sweep(self, incarnation: int, content: int) -> None:
        """Delete what speaks of another content than this one."""
        with contextlib.suppress(OSError):
            self._drop(lambda found: found[1:] != (incarnation, content))

    def _drop(self, unwanted: Callable[[tuple[str, int, int]], bool]) -> None:
        if not self.folder.is_dir():
            return
        for path in self.folder.iterdir():
            with contextlib.suppress(OSError):  # Windows does not delete a file that a reader has mapped: next time
                match = _FILE.fullmatch(path.name)
                if match is None:
                    old = time.time() - path.stat().st_mtime > ABANDONED_S
                else:
                    old = unwanted((match[1], int(match[2]), int(match[3])))
                if old:
                    path.unlink()


def _file_name(name: str, incarnation: int, content: int) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for derived arrays")
    return f"{name}-{incarnation}-{content}{SUFFIX}"
