"""The checksum of the SQLite file at rest, which tells a byte changed by something else from a change of our own.

SQLite's own check sees broken structure, not a changed byte inside a row. The checksum is written when the last writer
has left and its log is empty, under the write lock, and withdrawn before the next write: while it stands, nobody of
ours changes the file.
"""

from __future__ import annotations

import contextlib
import zlib
from pathlib import Path

SUFFIX = ".crc32"

MOST_BYTES = 64_000_000
"""A larger database gets no checksum: it would cost every small refresh more than some 25 ms (measured: 3 GB/s)."""

_BLOCK = 1 << 20


class Checksum:
    """Kept beside the database at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = Path(f"{path}-wal")
        self.file = Path(f"{path}{SUFFIX}")

    def withdraw(self) -> None:
        """To be called before anything is written. Raises OSError where it stands and cannot be removed."""
        self.file.unlink(missing_ok=True)

    def record(self) -> None:
        """Take the checksum, where the database is at rest and small enough. The caller holds the write lock."""
        with contextlib.suppress(OSError):
            at_rest = not self._log.exists() or self._log.stat().st_size == 0
            if at_rest and self._path.stat().st_size <= MOST_BYTES:
                self.file.write_text(self._taken(), encoding="ascii")

    def holds(self) -> bool | None:
        """Whether the database is the one whose checksum was taken; None where no checksum stands (any more)."""
        expected = self._expected()
        if not expected:
            return None
        with contextlib.suppress(OSError):
            if self._taken() == expected:
                return True
            # A writer that began meanwhile has withdrawn it first.
            return False if self._expected() == expected else None
        return None

    def _expected(self) -> str:
        try:
            text = self.file.read_text(encoding="ascii")
        except (OSError, ValueError):
            return ""
        return text if text.endswith("\n") else ""

    def _taken(self) -> str:
        total, size = 0, 0
        with self._path.open("rb") as file:
            while block := file.read(_BLOCK):
                total, size = zlib.crc32(block, total), size + len(block)
        return f"{total:08x} {size}\n"
