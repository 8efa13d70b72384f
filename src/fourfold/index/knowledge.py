"""What is kept of a parsed file besides chunks and symbols: facts for the graph, details of symbols, HTTP routes.

One opaque blob a file version in the store: the length of the first part (4 bytes, little endian), the facts as
:func:`fourfold.model.reference.encode` gives them, then details and routes as compressed JSON.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.model.reference import Facts, decode, encode
from fourfold.model.route import FileRoutes, decode_routes, encode_routes
from fourfold.model.symbol import Symbol, apply_details, encode_details

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fourfold.model.parsed import ParsedFile

_LENGTH = 4
_LEVEL = 1


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The parts of a blob. `details` are those of :func:`fourfold.model.symbol.encode_details`."""

    facts: Facts
    details: list[object]
    routes: FileRoutes

    def detailed(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """The symbols of the file with their details; as they are where the details are of another file."""
        try:
            return apply_details(symbols, self.details)
        except ValueError:
            return list(symbols)


def pack(parsed: ParsedFile) -> bytes:
    """The blob of a parsed file."""
    facts = encode(parsed.facts) if parsed.facts is not None else b""
    details = encode_details(parsed.symbols)
    found = encode_routes(parsed.routes) if parsed.routes is not None else []
    rest = b""
    if details or found:
        text = json.dumps([details, found], ensure_ascii=False, separators=(",", ":"))
        rest = zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)
    return len(facts).to_bytes(_LENGTH, "little") + facts + rest if facts or rest else b""


def unpack(path: str, blob: bytes) -> Knowledge:
    """The parts of a blob; what cannot be read is empty: it is made again with the next change of the file."""
    length = int.from_bytes(blob[:_LENGTH], "little")
    facts, details, routes = Facts(), [], FileRoutes(path)
    try:
        if length:
            facts = decode(blob[_LENGTH : _LENGTH + length])
        rest = blob[_LENGTH + length :]
        if rest:
            details, found = json.loads(zlib.decompress(rest).decode("utf-8", "surrogatepass"))
            routes = decode_routes(path, found)
    except (ValueError, TypeError, zlib.error):
        return Knowledge(facts, [], FileRoutes(path))
    return Knowledge(facts, details, routes)


def routes_of(path: str, blob: bytes) -> FileRoutes:
    """The routes of a blob alone; empty where it has none."""
    rest = blob[_LENGTH + int.from_bytes(blob[:_LENGTH], "little") :]
    if not rest:
        return FileRoutes(path)
    try:
        text = zlib.decompress(rest)
        # Most files have none: their details need not be read to know that.
        return FileRoutes(path) if text.endswith(b",[]]") else decode_routes(path, json.loads(text)[1])
    except (ValueError, TypeError, LookupError, zlib.error):
        return FileRoutes(path)


def facts_of(blob: bytes) -> Facts:
    """The facts of a blob alone; empty where it has none."""
    length = int.from_bytes(blob[:_LENGTH], "little")
    try:
        return decode(blob[_LENGTH : _LENGTH + length]) if length else Facts()
    except ValueError:
        return Facts()
