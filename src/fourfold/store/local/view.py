"""A segment as one generation sees it: its arrays, and which of its rows live."""

from __future__ import annotations

import sys
from array import array as packed
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fourfold.store.local.segment import Segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SegmentView:
    """A segment with the tombstones of one generation. `chunks` and `files` count rows, dead ones
    included."""

    def __init__(self, segment: Segment, chunks: int, files: int, file_ids: bytes, dead: bytes) -> None:
        self.segment = segment
        self.chunks = chunks
        self.files = files
        self._file_ids = file_ids
        self._dead = dead

    @property
    def name(self) -> str:
        """The segment's file name."""
        return self.segment.path.name

    def array(self, name: str) -> NDArray[Any]:
        """An array by its name in :mod:`fourfold.store.local.schema`; KeyError where the segment lacks it."""
        return self.segment.array(name)

    @cached_property
    def file_ids(self) -> NDArray[np.int64]:
        """The database's number of each file row, shape (files,)."""
        import numpy as np

        return np.frombuffer(self._file_ids, "<i8")

    @cached_property
    def dead_files(self) -> NDArray[np.bool_]:
        """True for file rows that were replaced or removed, shape (files,)."""
        import numpy as np

        return np.frombuffer(self._dead, np.bool_)

    @cached_property
    def dead_chunks(self) -> NDArray[np.bool_]:
        """True for chunk rows of dead files, shape (chunks,)."""
        import numpy as np

        if not self.any_dead:
            return np.zeros(self.chunks, np.bool_)
        dead: NDArray[np.bool_] = self.dead_files[self.array("chunk.file")]
        return dead

    @cached_property
    def first_chunks(self) -> NDArray[np.int64]:
        """Row of the first chunk of each file row, one longer than files: file *f* has rows [f] up to [f +
        1]."""
        import numpy as np

        return np.searchsorted(self.array("chunk.file"), np.arange(self.files + 1))

    @property
    def chunks_per_file(self) -> NDArray[np.int64]:
        """Number of chunk rows of each file row, shape (files,)."""
        return self.first_chunks[1:] - self.first_chunks[:-1]

    @property
    def any_dead(self) -> bool:
        """True where at least one file row is dead."""
        return b"\1" in self._dead


def pack_ids(ids: list[int]) -> bytes:
    """Numbers as little-endian int64 bytes, as ``segments.file_ids`` stores them."""
    cells = packed("q", ids)
    if sys.byteorder == "big":
        cells.byteswap()
    return cells.tobytes()
