"""``index.scip``: what a compiler knows of who is meant where, read without trusting it.

Message numbers are those of ``scip.proto`` (https://github.com/sourcegraph/scip, Apache-2.0): Index.documents 2;
Document.relative_path 1, occurrences 2, symbols 3; Occurrence.range 1, symbol 2, symbol_roles 3;
SymbolInformation.symbol 1, relationships 4; Relationship.symbol 1, is_implementation 3. The wire format is small enough
to be read here: varints, and stretches of bytes with their length (protobuf.dev/programming-guides/encoding). A package
that reads it would need classes generated from that file, for seven of its fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_OCCURRENCES = 5_000_000
"""Occurrences that are read at most: about 20 million lines of code."""
MAX_SYMBOL = 2_000
"""Characters of a symbol; longer ones are not looked at."""
_DEFINITION = 1
"""The bit of a definition in SymbolRole."""
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_NAME = re.compile(r"(?:`((?:[^`]|``)+)`|([\w$+-]+))(?:[#.:!/]|\([^()]*\)\.?)$")
"""The last descriptor of a symbol: ``Type#``, ``method().``, ``term.``, ``macro!``, ``namespace/``."""


class ScipError(ValueError):
    """The bytes are no index; the message says why in a few words."""


@dataclass(frozen=True, slots=True)
class Scip:
    """What an index says. `defined` has (path, line) of the definitions of a symbol, `used` by path (line, symbol) of
    what is no definition; lines count from 1. `implements`: (symbol, the one that it implements)."""

    defined: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    used: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    implements: list[tuple[str, str]] = field(default_factory=list)


def read_scip(data: bytes) -> Scip:
    """Read an index. Paths that are absolute or lead out of the root are left out, and so are local symbols.

    Raises :class:`ScipError` for what is no index or a too large one.
    """
    found = Scip()
    count = 0
    view = memoryview(data)
    for number, value in _fields(view):
        if number == 2 and isinstance(value, memoryview):
            count += _document(value, found)
            if count > MAX_OCCURRENCES:
                raise ScipError(f"it has more than {MAX_OCCURRENCES:,} occurrences")
    if not found.defined and not found.used:
        raise ScipError("it names no symbol of any file")
    return found


def symbol_name(symbol: str) -> str:
    """The bare name of what a symbol stands for; "" where it has none."""
    found = _NAME.search(symbol[-MAX_SYMBOL:])
    return (found[1] or found[2]).replace("``", "`") if found else ""


def _document(view: memoryview, found: Scip) -> int:
    """Take in a document; the number of its occurrences."""
    path = ""
    occurrences: list[memoryview] = []
    symbols: list[memoryview] = []
    for number, value in _fields(view):
        if not isinstance(value, memoryview):
            continue
        if number == 1:
            path = _text(value)
        elif number == 2:
            occurrences.append(value)
        elif number == 3:
            symbols.append(value)
    if not _is_inside(path):
        return len(occurrences)
    for one in occurrences:
        line, symbol, roles = _occurrence(one)
        if not symbol or symbol.startswith("local "):
            continue
        if roles & _DEFINITION:
            found.defined.setdefault(symbol, []).append((path, line))
        else:
            found.used.setdefault(path, []).append((line, symbol))
    for one in symbols:
        found.implements.extend(_implemented(one))
    return len(occurrences)


def _is_inside(path: str) -> bool:
    """Whether a path stays below the root, written as the index of this repository writes paths."""
    return bool(path) and not path.startswith("/") and "\\" not in path and ".." not in path.split("/")


def _occurrence(view: memoryview) -> tuple[int, str, int]:
    """(line from 1, symbol, roles)."""
    line, symbol, roles = 0, "", 0
    for number, value in _fields(view):
        if number == 1:
            line = (next(iter(_varints(value)), 0) if isinstance(value, memoryview) else value) + 1
        elif number == 2 and isinstance(value, memoryview) and len(value) <= MAX_SYMBOL:
            symbol = _text(value)
        elif number == 3 and isinstance(value, int):
            roles = value
    return line, symbol, roles


def _implemented(view: memoryview) -> Iterator[tuple[str, str]]:
    """The symbols that one implements."""
    symbol = ""
    others: list[str] = []
    for number, value in _fields(view):
        if not isinstance(value, memoryview) or len(value) > 2 * MAX_SYMBOL:
            continue
        if number == 1:
            symbol = _text(value)
        elif number == 4:
            parts = dict(_fields(value))
            other = parts.get(1)
            if parts.get(3) and isinstance(other, memoryview):
                others.append(_text(other))
    return ((symbol, other) for other in others if symbol)


def _text(value: memoryview) -> str:
    return bytes(value).decode("utf-8", "replace")


def _fields(view: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """(number, value) of the fields of a message: numbers, and stretches of bytes as they are."""
    at, end = 0, len(view)
    while at < end:
        key, at = _varint(view, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(view, at)
            yield key >> 3, value
            continue
        if kind == _BYTES:
            length, at = _varint(view, at)
        elif kind in (_FIXED64, _FIXED32):
            length = 8 if kind == _FIXED64 else 4
        else:
            raise ScipError("it is no SCIP index")
        if length > end - at:
            raise ScipError("it is no SCIP index, or is cut off")
        if kind == _BYTES:
            yield key >> 3, view[at : at + length]
        at += length


def _varints(view: memoryview) -> Iterator[int]:
    at = 0
    while at < len(view):
        value, at = _varint(view, at)
        yield value


def _varint(view: memoryview, at: int) -> tuple[int, int]:
    """A number and where it ends."""
    value = shift = 0
    while at < len(view) and shift < 64:
        byte = view[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise ScipError("it is no SCIP index, or is cut off")
