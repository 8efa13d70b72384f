"""Rows of the database as the nouns of the contract: which columns are read, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fourfold.model.symbol import Symbol
from fourfold.store.contract import ChunkRow, FileRecord, SymbolRow
from fourfold.store.local.packing import unpack_path

SYMBOL_CELLS = (
    "s.name, s.qualified, s.kind, s.start_line, s.end_line, s.parent, s.signature, s.chunk, f.id, f.path, f.language"
)
FILE_CELL = 8
"""Where the file's number stands among :data:`SYMBOL_CELLS`."""
NAMED_CELLS = "s.start_line, s.end_line, s.kind, s.qualified, s.parent, s.signature, s.name, s.chunk"
"""The columns that make a Named, in the order of its fields."""
CHUNK_CELLS = "f.path, f.language, c.start_line, c.end_line, c.kind, c.symbol, c.parent, c.signature"


def record_of(cells: Sequence[Any]) -> FileRecord:
    """The record of a row of ``files``."""
    if "\0" in cells[0] or not isinstance(cells[4], int):  # rare, and thousands are read before a search
        path, size, mtime_ns, ctime_ns, inode, *rest = cells
        return FileRecord(unpack_path(path), size, mtime_ns, ctime_ns, int(inode), *rest)
    return FileRecord._make(cells)


def symbol_row(cells: Sequence[Any], base: int) -> SymbolRow:
    """The symbol of a row of :data:`SYMBOL_CELLS`; `base` is the number of its file's first chunk."""
    *made, chunk, _, path, language = cells
    return SymbolRow(Symbol(*made), unpack_path(path), language, base + chunk if chunk >= 0 else -1)


def chunk_row(number: int, path: str, *cells: Any) -> ChunkRow:
    """The chunk of a row of :data:`CHUNK_CELLS`."""
    return ChunkRow(number, unpack_path(path), *cells)
