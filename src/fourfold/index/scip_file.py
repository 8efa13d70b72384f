"""The ``index.scip`` of a tree: where it is, which state it is in, what it holds."""

from __future__ import annotations

import os
import stat
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.model.record import record

if TYPE_CHECKING:
    from fourfold.graph.scip import Scip

DEFAULT = "index.scip"
"""Where the tools that make one put it."""
MAX_BYTES = 64_000_000
"""A larger index is not read: it would take more than 20 s and a gigabyte."""


@record(frozen=True, slots=True)
class ScipFile:
    """A file that may hold an index, by its state: another state, another `key`. `size` is -1 where none is there."""

    path: Path
    root: Path
    size: int
    changed_ns: int

    @property
    def key(self) -> str:
        """Letters and digits that tell one state from another."""
        return blake2b(
            f"{self.path}\0{self.size}\0{self.changed_ns}".encode(errors="replace"), digest_size=6
        ).hexdigest()

    def read(self) -> Scip:
        """What it holds. Raises :class:`fourfold.graph.scip.ScipError` where it cannot be read, lies outside of the
        root, is too large or is none."""
        from fourfold.graph.scip import ScipError, read_scip

        if self.size < 0:
            raise ScipError("there is no such file")
        if not Path(os.path.realpath(self.path)).is_relative_to(os.path.realpath(self.root)):
            raise ScipError("it lies outside of the project")
        if self.size > MAX_BYTES:
            raise ScipError(f"it is larger than {MAX_BYTES // 1_000_000} MB")
        try:
            with self.path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise ScipError(f"it cannot be read: {error.strerror}") from error
        return read_scip(data)


def scip_file(root: Path, configured: str) -> ScipFile | None:
    """The index of a tree: the one that the settings name (from the root), else ``index.scip`` where there is one;
    None where ``none`` is set or nothing is there."""
    if configured == "none":
        return None
    path = root / (configured or DEFAULT)
    try:
        found = path.stat()
    except (OSError, ValueError):
        return ScipFile(path, root, -1, 0) if configured else None
    if not stat.S_ISREG(found.st_mode):
        return ScipFile(path, root, -1, 0) if configured else None
    return ScipFile(path, root, found.st_size, found.st_mtime_ns)
