"""The names in a git index file: what is tracked, read in milliseconds and without git.

Format: gitformat-index(5), versions 2 to 4. An index that is split or sparse, or one with 32-byte hashes, is
left to ``git ls-files``.
"""

from __future__ import annotations

import struct

_HEADER = struct.Struct(">4sLL")
_FIXED = 62
"""Bytes of an entry before its name: ten 32-bit stat fields, a 20-byte hash, 16 bits of flags."""

_LONG_NAME = 0xFFF
_EXTENDED = 0x40
_REQUIRED_EXTENSIONS = (b"link", b"sdir")
"""Extensions that change what the entries mean: a split index, and sparse folders."""


def index_names(data: bytes) -> list[bytes] | None:
    """Names of all entries in their order, or None where this reader does not know the format."""
    if len(data) < _HEADER.size + 20:
        return None
    magic, version, count = _HEADER.unpack_from(data)
    if magic != b"DIRC" or version not in (2, 3, 4):
        return None
    try:
        names, end = _entries_v4(data, count) if version == 4 else _entries(data, count)
    except (IndexError, ValueError):
        return None
    return names if _extensions_known(data, end) else None


def _entries(data: bytes, count: int) -> tuple[list[bytes], int]:
    names: list[bytes] = []
    at = _HEADER.size
    for _ in range(count):
        high = data[at + 60]
        length = (high & 0x0F) << 8 | data[at + 61]
        start = at + _FIXED + (2 if high & _EXTENDED else 0)
        end = start + length if length < _LONG_NAME else data.index(0, start)
        names.append(data[start:end])
        # Entries are padded with 1 to 8 NULs to a multiple of eight bytes.
        at += (end - at + 8) & ~7
    return names, at


def _entries_v4(data: bytes, count: int) -> tuple[list[bytes], int]:
    """Version 4 writes how many bytes of the previous name to drop, and what follows."""
    names: list[bytes] = []
    at = _HEADER.size
    name = b""
    for _ in range(count):
        at += _FIXED + (2 if data[at + 60] & _EXTENDED else 0)
        byte = data[at]
        at += 1
        drop = byte & 0x7F
        while byte & 0x80:
            byte = data[at]
            at += 1
            drop = ((drop + 1) << 7) | (byte & 0x7F)
        end = data.index(0, at)
        if drop > len(name):
            raise ValueError("not an index entry")
        name = name[: len(name) - drop] + data[at:end]
        names.append(name)
        at = end + 1
    return names, at


def _extensions_known(data: bytes, at: int) -> bool:
    """True where the rest is well-formed: extensions that may be ignored, then the 20-byte checksum."""
    stop = len(data) - 20
    while at + 8 <= stop:
        signature = data[at : at + 4]
        if signature in _REQUIRED_EXTENSIONS:
            return False
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "big")
    return at == stop
