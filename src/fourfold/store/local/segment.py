"""The segment file: named arrays in one immutable, memory-mapped container.

Layout, little endian: 8 bytes magic, uint32 version, uint32 length of the table, uint32 CRC-32 of the table,
uint32 zero; the table (JSON: total size, and per array its dtype, shape, offset and CRC-32); then the arrays,
each at a multiple of 64 bytes (a cache line, and what vectorised loops like).

A file is written under a temporary name, synced and renamed, so that a name without ``.tmp`` is always whole.
A mapped segment stays readable after its file was deleted (on Windows the deletion fails and is tried again
later).
"""

from __future__ import annotations

import json
import math
import mmap
import os
import secrets
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import IndexDamaged, IndexUnavailable
from fourfold.store.local.errors import CLEAR_HINT

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC = b"FOURSEG\n"
VERSION = 1
ALIGNMENT = 64
SUFFIX = ".seg"
TEMPORARY_SUFFIX = ".tmp"

_HEADER = struct.Struct("<8sIIII")


class Segment:
    """An open segment. Arrays are read-only views of the mapped file, made when first asked for."""

    __slots__ = ("_arrays", "_map", "_table", "path")

    def __init__(self, path: Path, mapped: mmap.mmap, table: dict[str, dict[str, Any]]) -> None:
        self.path = path
        self._map = mapped
        self._table = table
        self._arrays: dict[str, NDArray[Any]] = {}

    @classmethod
    def open(cls, path: Path) -> Segment:
        """Map a segment file and check its header and size (not the arrays: see :meth:`verify`).

        Raises IndexDamaged where the file is missing, short or no segment, IndexUnavailable where it cannot
        be read.
        """
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size < _HEADER.size:
                    raise _damaged(path, "it is too short")
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError as error:
            raise _damaged(path, "it is missing") from error
        except OSError as error:
            raise IndexUnavailable(f"the segment {path} cannot be read: {error.strerror}") from error
        return cls(path, mapped, _read_table(path, mapped))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arrays, in file order."""
        return tuple(self._table)

    def array(self, name: str) -> NDArray[Any]:
        """The array called `name`. Raises KeyError where the segment has none of that name."""
        found = self._arrays.get(name)
        if found is None:
            import numpy as np

            entry = self._table[name]
            shape = tuple(entry["shape"])
            flat = np.frombuffer(self._map, np.dtype(entry["dtype"]), math.prod(shape), entry["offset"])
            found = self._arrays[name] = flat.reshape(shape)
        return found

    def raw(self, name: str) -> bytes:
        """The bytes of an array. Raises KeyError where the segment has none of that name."""
        entry = self._table[name]
        end = entry["offset"] + math.prod(entry["shape"]) * int(entry["dtype"][2:])
        return self._map[entry["offset"] : end]

    def verify(self) -> None:
        """Read every array and compare its checksum. Raises IndexDamaged naming the first that differs."""
        with memoryview(self._map) as content:
            for name, entry in self._table.items():
                end = entry["offset"] + math.prod(entry["shape"]) * int(entry["dtype"][2:])
                with content[entry["offset"] : end] as part:
                    if zlib.crc32(part) != entry["crc"]:
                        raise _damaged(self.path, f"the array {name} fails its checksum")


def write_segment(path: Path, arrays: Mapping[str, NDArray[Any]], *, durable: bool = True) -> None:
    """Write `arrays` to `path`, which names a complete file once this returns; `durable`: a synced one.

    Raises OSError.
    """
    import numpy as np

    ordered = {name: np.ascontiguousarray(array) for name, array in sorted(arrays.items())}
    entries: dict[str, dict[str, Any]] = {
        name: {
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            "offset": 0,
            "crc": zlib.crc32(array.data),
        }
        for name, array in ordered.items()
    }
    table = _laid_out(entries, {name: array.nbytes for name, array in ordered.items()})
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}")
    try:
        with temporary.open("wb") as file:
            file.write(_HEADER.pack(MAGIC, VERSION, len(table), zlib.crc32(table), 0))
            file.write(table)
            for name, array in ordered.items():
                file.write(b"\0" * (entries[name]["offset"] - file.tell()))
                file.write(array.data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Make renames in `directory` durable (a no-op where folders cannot be opened: Windows)."""
    if os.name == "nt":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _laid_out(entries: dict[str, dict[str, Any]], sizes: dict[str, int]) -> bytes:
    """Fill in the offsets and return the table. Its own length shifts the offsets: room is made once, then
    padded."""
    room = len(json.dumps({"size": 10**15, "arrays": entries})) + 15 * len(entries)
    offset = _aligned(_HEADER.size + room)
    for name, entry in entries.items():
        entry["offset"] = offset
        offset = _aligned(offset + sizes[name])
    last = max((entries[name]["offset"] + sizes[name] for name in entries), default=_HEADER.size + room)
    return json.dumps({"size": last, "arrays": entries}).ljust(room).encode("ascii")


def _aligned(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT


def _read_table(path: Path, mapped: mmap.mmap) -> dict[str, dict[str, Any]]:
    magic, version, length, checksum, _ = _HEADER.unpack_from(mapped)
    if magic != MAGIC:
        raise _damaged(path, "it is not a segment")
    if version != VERSION:
        raise _damaged(path, f"it has the unknown version {version}")
    table = mapped[_HEADER.size : _HEADER.size + length]
    if len(table) != length or zlib.crc32(table) != checksum:
        raise _damaged(path, "its header fails its checksum")
    content = json.loads(table)
    if len(mapped) != content["size"]:
        raise _damaged(path, f"it has {len(mapped)} bytes instead of {content['size']}")
    arrays: dict[str, dict[str, Any]] = content["arrays"]
    return arrays


def _damaged(path: Path, what: str) -> IndexDamaged:
    return IndexDamaged(f"the segment {path} is damaged: {what}", hint=CLEAR_HINT)
