"""Rows of the database as the nouns of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fourfold.model.symbol import Symbol
from fourfold.store.contract import ChunkRow, FileRecord, SymbolRow
from fourfold.store.local.packing import unpack_path


def record_of(cells: Sequence[Any]) -> FileRecord:
    """The record of a row of ``files``."""
    if "\0" in cells[0] or not isinstance(cells[4], int):  # rare, and thousands are read before a search
        path, size, mtime_ns, ctime_ns, inode, *rest = cells
        return FileRecord(unpack_path(path), size, mtime_ns, ctime_ns, int(inode), *rest)
    return FileRecord._make(cells)


def symbol_row(cells: Sequence[Any], base: int) -> SymbolRow:
    """The symbol of a row; `base` is the number of its file's first chunk."""
    *made, chunk, _, path, language = cells
    return SymbolRow(Symbol(*made), unpack_path(path), language, base + chunk if chunk >= 0 else -1)


def chunk_row(number: int, path: str, *cells: Any) -> ChunkRow:
    """A chunk of a row of ``chunks`` joined to its file."""
    return ChunkRow(number, unpack_path(path), *cells)
