"""A batch as points: one for each file, one for each chunk, with their vectors; and back."""

from __future__ import annotations

import base64
import json
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fourfold.model.symbol import Symbol
from fourfold.store.contract import FileRecord, IndexedFile
from fourfold.store.local.packing import pack_name, pack_path, pack_text, unpack_text
from fourfold.store.qdrant import grams, words
from fourfold.store.qdrant.layout import CODE, CONTENT, LIVE, WORDS
from fourfold.store.qdrant.manifest import Means
from fourfold.store.qdrant.points import Point, Sparse, point_id

if TYPE_CHECKING:
    from numpy.typing import NDArray

DECIMALS = 6
"""Decimals of a component that are sent: a hundred times finer than the int8 that it was."""
_SMALLEST_NORM = 1e-6
"""A shorter vector has no direction: its chunk is not found by meaning, here as in the local store."""


def file_id(service: str, incarnation: int, number: int) -> str:
    """The id of a file version's point."""
    return point_id(service, incarnation, "file", number)


def chunk_id(service: str, incarnation: int, number: int, ordinal: int) -> str:
    """The id of a chunk's point: the `ordinal`-th of a file version."""
    return point_id(service, incarnation, "chunk", number, ordinal)


class Encoder:
    """Makes the points of one service in the generation `valid_from`."""

    def __init__(self, service: str, incarnation: int, valid_from: int) -> None:
        self._service = service
        self._incarnation = incarnation
        self._valid_from = valid_from

    def skipped(self, record: FileRecord, number: int) -> Point:
        """The point of a file that was not indexed."""
        payload = self._common("skipped", record, number) | {"record": pack_record(record)}
        return Point(file_id(self._service, self._incarnation, number), payload)

    def files(
        self, files: Sequence[IndexedFile], first: int, arrays: dict[str, NDArray[Any]], means: Means
    ) -> Iterator[Point]:
        """The points of indexed files, numbered from `first`, and of their chunks."""
        file_vectors = words.file_words(arrays, means)
        chunk_vectors = _dense(arrays)
        for vectors, sparse in zip(chunk_vectors, words.chunk_words(arrays, means), strict=True):
            if sparse.indices:
                vectors[WORDS] = sparse
        row = 0
        for number, (file, sparse) in enumerate(zip(files, file_vectors, strict=True), first):
            owned = chunk_vectors[row : row + len(file.chunks)]
            row += len(file.chunks)
            yield self._file(file, number, sparse)
            yield from self._chunks(file, number, owned)

    def _file(self, file: IndexedFile, number: int, sparse: Sparse) -> Point:
        payload = self._common("file", file.record, number) | {
            "record": pack_record(file.record),
            "text": _pack(pack_text(file.text)[1]),
            "facts": _pack(file.facts),
            "chunks": _packed_json([_chunk_cells(chunk) for chunk in file.chunks]),
            "symbols": _packed_json([symbol_cells(symbol) for symbol in file.symbols]),
            "symbol_count": len(file.symbols),
            "grams": grams.grams(file.text),
        }
        if not file.chunks and file.symbols:
            payload |= _defined(list(enumerate(file.symbols)))
        vectors: dict[str, list[float] | Sparse] = {WORDS: sparse} if sparse.indices else {}
        return Point(file_id(self._service, self._incarnation, number), payload, vectors)

    def _chunks(
        self, file: IndexedFile, number: int, vectors: Sequence[dict[str, list[float] | Sparse]]
    ) -> Iterator[Point]:
        defined = symbols_by_chunk(file)
        for ordinal, (chunk, held) in enumerate(zip(file.chunks, vectors, strict=True)):
            payload = self._common("chunk", file.record, number) | {
                "ordinal": ordinal,
                "kind": chunk.kind,
                "symbol": pack_name(chunk.symbol),
                "row": json.dumps(_chunk_cells(chunk)),
            }
            if defined[ordinal]:
                payload |= _defined(defined[ordinal])
            yield Point(chunk_id(self._service, self._incarnation, number, ordinal), payload, held)

    def _common(self, point: str, record: FileRecord, number: int) -> dict[str, Any]:
        return {
            "point": point,
            "service": self._service,
            "path": pack_path(record.path),
            "language": record.language,
            "file": number,
            "valid_from": self._valid_from,
            "valid_to": LIVE,
            "changed": self._valid_from,
        }


def symbols_by_chunk(file: IndexedFile) -> list[list[tuple[int, Symbol]]]:
    """(ordinal, symbol) of the symbols whose first line each chunk holds."""
    starts = [chunk.start_line for chunk in file.chunks]
    found: list[list[tuple[int, Symbol]]] = [[] for _ in starts]
    for ordinal, symbol in enumerate(file.symbols if starts else ()):
        found[max(0, bisect_right(starts, symbol.start_line) - 1)].append((ordinal, symbol))
    return found


def _defined(symbols: list[tuple[int, Symbol]]) -> dict[str, Any]:
    """The names that a point is found by, and its symbols whole."""
    names = {pack_name(name).casefold() for _, s in symbols for name in (s.name, s.qualified_name)}
    return {"names": sorted(names), "defines": json.dumps([[at, *symbol_cells(s)] for at, s in symbols])}


def symbol_cells(symbol: Symbol) -> list[Any]:
    """A symbol as JSON keeps it: what every store keeps of it (its details are among the file's facts)."""
    s = symbol
    return [s.name, s.qualified_name, s.kind, s.start_line, s.end_line, s.parent, s.signature]


def _chunk_cells(chunk: Any) -> list[Any]:
    return [chunk.start_line, chunk.end_line, chunk.kind, chunk.symbol, chunk.parent, chunk.signature]


def pack_record(record: FileRecord) -> str:
    """A record as ASCII JSON: numbers of any size and lone surrogates survive."""
    return json.dumps(record)


def unpack_record(text: str) -> FileRecord:
    """The record that :func:`pack_record` made."""
    return FileRecord(*json.loads(text))


def _packed_json(value: object) -> str:
    return _pack(zlib.compress(json.dumps(value).encode("ascii"), 1))


def unpacked_json(cell: str) -> Any:
    """What a payload value of packed JSON holds."""
    return json.loads(zlib.decompress(base64.b64decode(cell)))


def _pack(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def unpacked_bytes(cell: str) -> bytes:
    """The bytes of a payload value."""
    return base64.b64decode(cell)


def unpacked_text(cell: str) -> str:
    """The text of a payload value."""
    return unpack_text(base64.b64decode(cell))


def _dense(arrays: dict[str, NDArray[Any]]) -> list[dict[str, list[float] | Sparse]]:
    """The dense vectors of each chunk row: unit vectors of content plus path, and of content; none without length."""
    import numpy as np

    vector, files = arrays["chunk.vector"], arrays["chunk.file"]
    if not vector.shape[1]:
        return [{} for _ in files]
    content = vector.astype(np.float32) * arrays["chunk.scale"][:, None]
    path = arrays["file.path_vector"].astype(np.float32) * arrays["file.path_scale"][:, None]
    both = content + path[files]
    made: list[dict[str, list[float] | Sparse]] = [{} for _ in files]
    for name, matrix in ((CODE, both), (CONTENT, content)):
        norms = np.linalg.norm(matrix, axis=1)
        # As short decimals: a float32 written as the nearest double takes twice as many digits.
        unit = (matrix / np.maximum(norms, _SMALLEST_NORM)[:, None]).astype(np.float64).round(DECIMALS).tolist()
        for row in np.flatnonzero(norms > _SMALLEST_NORM).tolist():
            made[row][name] = unit[row]
    return made
