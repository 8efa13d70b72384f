"""From the matches of a query to definitions, imports and the docstring.

What the queries capture, per match:

- ``@definition.<kind>``: a whole definition; ``@scope``: something that encloses definitions without being
one (a Rust ``impl``). Name and body are the node's own fields ``name`` and ``body`` unless captured: -
``@name``, or ``@qualified`` (a name that carries its owner: ``Foo::bar``, ``M.run``), or ``@declarator`` (a C
declarator that wraps the name); ``@receiver``: the owner's name, for Go; - ``@head``: where the signature
begins, past decorators; ``@body``: where it ends; - ``@import``: an import statement; ``@doc``: the file's
docstring.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fourfold.model.chunk import TYPE_KINDS
from fourfold.syntax.declarators import unwrap
from fourfold.syntax.definitions import Definition, nest, telling
from fourfold.syntax.signature import signature_of
from fourfold.syntax.tree import Match

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, "list[Node]"]

_SEPARATOR = re.compile(r"::|\.|:")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")
_WHITESPACE = re.compile(r"\s+")
_NO_OWNERS = frozenset({"module", "exports", "prototype", "this", "window", "globalThis", "self"})
"""What stands before a dot without owning what follows (``exports.run``, ``Stack.prototype.push``)."""

_QUOTES = " \"'`:"
"""What surrounds a name without being part of it: quotes of test names, the colon of a Ruby symbol."""

_EXPORT = re.compile(rb"export\s+(?:default\s+|declare\s+)?$")
_EXPORT_BYTES = 24

MAX_NAME_CHARS = 200
"""Longer names (a grammar gone astray in broken source) are cut."""


@dataclass(slots=True)
class Harvest:
    """What the query found: outermost definitions, import statements as text, the docstring as text, the bytes where
    names of definitions begin."""

    definitions: list[Definition]
    imports: list[str]
    doc: str
    named: frozenset[int] = frozenset()


def harvest(matches: list[Match], source: bytes, *, clauses: bool = False) -> Harvest:
    """Sort the matches of a query over `source` into nested definitions, imports and the docstring.

    `clauses`: neighbours of one name (a signature and its equations) are one definition.
    """
    found: dict[int, Definition] = {}
    imports: dict[int, str] = {}
    doc = ""
    for _, captures in matches:
        if "import" in captures:
            node = captures["import"][0]
            imports[node.start_byte] = _text(node, source)
        elif "doc" in captures:
            doc = doc or _text(captures["doc"][0], source)
        else:
            _add(found, captures, source)
    named = frozenset(found)
    _drop_imported(found, imports, source)
    return Harvest(nest(list(found.values()), clauses=clauses), list(imports.values()), doc, named)


class _Named(NamedTuple):
    """What a match defines: its kind, its node, the node of its name, and whether that name carries an
    owner."""

    kind: str
    node: Node
    name: Node
    qualified: bool = False


def _add(found: dict[int, Definition], captures: Captures, source: bytes) -> None:
    named = _named(captures)
    new = _definition(named, captures, source) if named else None
    if named and new:
        key = named.name.start_byte
        found[key] = _better(found[key], new) if key in found else new


def _better(old: Definition, new: Definition) -> Definition:
    """One name, one definition: of several patterns the widest node (it has the decorators), the most telling
    kind."""
    wider = (new.start_byte, -new.end_byte) < (old.start_byte, -old.end_byte)
    wide, other = (new, old) if wider else (old, new)
    wide.body_row = max(wide.body_row, other.body_row)
    if telling(other.kind) > telling(wide.kind):
        wide.kind = other.kind
        wide.signature = other.signature
    return wide


def _named(captures: Captures) -> _Named | None:
    """None where the match defines nothing: no name, a C prototype."""
    kind, node = _subject(captures)
    if node is None:
        return None
    if "declarator" in captures:
        declared = unwrap(captures["declarator"][0])
        if declared is None or (declared.is_function and kind == "variable"):
            return None
        kind = "method" if declared.is_function and kind == "field" else kind
        return _Named(kind, node, declared.name, declared.name.type == "qualified_identifier")
    if "qualified" in captures:
        return _Named(kind, node, captures["qualified"][0], True)
    name = captures["name"][0] if "name" in captures else node.child_by_field_name("name")
    return _Named(kind, node, name) if name else None


def _subject(captures: Captures) -> tuple[str, Node | None]:
    for capture, nodes in captures.items():
        if capture.startswith("definition."):
            return capture[11:], nodes[0]
        if capture == "scope":
            return "scope", nodes[0]
    return "", None


def _definition(named: _Named, captures: Captures, source: bytes) -> Definition | None:
    name, owner = _name(named, captures, source)
    if not name or name == "_":
        return None
    node = last = named.node
    body = captures["body"][0] if "body" in captures else node.child_by_field_name("body")
    start_byte = _with_export(source, node.start_byte)
    if body is not None and body.start_byte >= node.end_byte:
        last = body  # Dart: a body is the sibling after its head
    head = captures["head"][0].start_byte if "head" in captures else start_byte
    signature = signature_of(source, name, head, body.start_byte if body else -1, node.end_byte)
    start, end = node.start_point.row, last.end_point
    end_row = end.row if end.column or end.row == start else end.row - 1
    nodes = [node] if last is node else [node, last]
    is_scope = named.kind == "scope"
    place = (start, end_row, start_byte, last.end_byte)
    body_row = body.start_point.row if body is not None else -1
    return Definition(named.kind, name, owner, *place, nodes, signature, is_scope, body_row)


def _with_export(source: bytes, start: int) -> int:
    """`start`, or where an ``export`` right before it begins."""
    if source[start - 1 : start] != b" ":
        return start
    found = _EXPORT.search(source, max(0, start - _EXPORT_BYTES), start)
    return found.start() if found else start


def _name(named: _Named, captures: Captures, source: bytes) -> tuple[str, str]:
    """Bare name and, where it says so itself, the owner's name."""
    text = _text(named.name, source)
    if named.qualified:
        parts = [part for part in _SEPARATOR.split(_bare(text).strip(_QUOTES)) if part]
        owner = ".".join(part for part in parts[:-1] if part not in _NO_OWNERS)
        return (parts[-1], owner) if parts else ("", "")
    if named.kind == "scope":
        return _bare(text), ""
    if not text.isidentifier():
        text = _bare(text) if "<" in text and named.kind in TYPE_KINDS else text
        text = _WHITESPACE.sub(" ", text)
        # Only what is quoted loses its quotes: a Haskell name may end with some (foldl').
        text = (text.strip(_QUOTES) if text[:1] in _QUOTES else text.rstrip(": "))[:MAX_NAME_CHARS]
    return text, _bare(_text(captures["receiver"][0], source)) if "receiver" in captures else ""


def _bare(text: str) -> str:
    """A type's name without type arguments, pointers and blanks."""
    previous = ""
    while previous != text:
        previous, text = text, _TYPE_ARGUMENTS.sub("", text)
    return _WHITESPACE.sub("", text).strip("*&")[:MAX_NAME_CHARS]


def _drop_imported(found: dict[int, Definition], imports: dict[int, str], source: bytes) -> None:
    """A variable that only holds an imported module (``const fs = require("fs")``) defines nothing here; one that holds
    what a function makes, in which something is imported, does."""
    if not imports:
        return
    variables = [(key, one) for key, one in found.items() if one.kind == "variable"]
    for key, one in variables:
        inside = (start for start in imports if one.start_byte <= start < one.end_byte)
        if any(b"(" not in source[one.start_byte : start] for start in inside):
            del found[key]


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
