"""Reading single rows of a generation from the server: texts, chunks, symbols, facts, literals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fourfold.model.symbol import Symbol
from fourfold.store.local.packing import pack_name, pack_path, unpack_path
from fourfold.store.qdrant import encode
from fourfold.store.qdrant.gateway import Gateway
from fourfold.store.qdrant.manifest import Manifest
from fourfold.store.qdrant.points import Condition, Found, Is
from fourfold.store.qdrant.table import visible

TEXTS_AT_ONCE = 200
"""Texts asked for in one request: about 400 kB compressed."""


class Rows:
    """The rows of one generation of a service."""

    def __init__(self, gateway: Gateway, service: str, manifest: Manifest) -> None:
        self._gateway = gateway
        self._service = service
        self._manifest = manifest
        self._incarnation = manifest.incarnation

    def files(self, numbers: Sequence[int], *keys: str) -> dict[int, Found]:
        """Payload values of file versions by their number; those that are gone are missing."""
        found: dict[int, Found] = {}
        for start in range(0, len(numbers), TEXTS_AT_ONCE):
            part = numbers[start : start + TEXTS_AT_ONCE]
            ids = [encode.file_id(self._service, self._incarnation, number) for number in part]
            found.update({int(point.payload["file"]): point for point in self._gateway.get(ids, ("file", *keys))})
        return found

    def chunks(self, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Found]:
        """Rows of chunks by (file version, ordinal)."""
        ids = [encode.chunk_id(self._service, self._incarnation, number, at) for number, at in places]
        points = self._gateway.get(ids, ("file", "ordinal", "path", "language", "row"))
        return {(int(point.payload["file"]), int(point.payload["ordinal"])): point for point in points}

    def defining(self, name: str, *, ignore_case: bool) -> Iterator[tuple[str, str, int, int, int, Symbol]]:
        """(path, language, file version, chunk ordinal or -1, symbol ordinal, symbol) of every symbol of a name."""
        folded = pack_name(name).casefold()
        keys = ("path", "language", "file", "ordinal", "defines")
        for found in self._scroll(keys, Is("names", folded)):
            place = unpack_path(str(found.payload["path"])), str(found.payload["language"]), int(found.payload["file"])
            for at, *cells in json.loads(str(found.payload["defines"])):
                symbol = Symbol(*cells)
                names = symbol.name, symbol.qualified_name
                if name in names or (ignore_case and folded in [pack_name(one).casefold() for one in names]):
                    yield (*place, int(found.payload.get("ordinal", -1)), at, symbol)

    def paths_holding(self, alternatives: Sequence[Sequence[int]]) -> set[str]:
        """Paths whose text has all trigrams of an alternative."""
        found: set[str] = set()
        for needed in alternatives:
            conditions = [Is("grams", gram) for gram in needed]
            points = self._scroll(("path",), Is("point", "file"), *conditions)
            found.update(unpack_path(str(point.payload["path"])) for point in points)
        return found

    def all_files(self, *keys: str) -> Iterator[Found]:
        """Payload values of all indexed files."""
        return self._scroll(("path", "file", *keys), Is("point", "file"))

    def _scroll(self, keys: Sequence[str], *conditions: Condition) -> Iterator[Found]:
        if not self._manifest.generation:  # nothing was ever published: there may be no collection
            return iter(())
        return self._gateway.scroll(visible(self._service, self._manifest, *conditions), keys)


def path_key(path: str) -> str:
    """What paths are ordered by, here as in the local store."""
    return pack_path(path)


def symbols_of(found: Found) -> list[Symbol]:
    """The symbols of a file point read with ``symbols``."""
    cells: list[list[Any]] = encode.unpacked_json(str(found.payload["symbols"]))
    return [Symbol(*one) for one in cells]
