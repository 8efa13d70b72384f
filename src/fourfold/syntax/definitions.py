"""Definitions of a file, nested as they stand in it.

The query of a language captures, per match: ``@definition.<kind>`` (the whole definition), ``@scope``
(something that encloses definitions without being one: a Rust ``impl``), ``@name`` or ``@qualified`` (a name
that carries its owner: ``Foo::bar``, ``M.run``), and where useful ``@head`` (where the signature begins, past
decorators), ``@body`` (where it ends) and ``@receiver`` (the owner's name, for Go). ``@import`` marks import
statements, ``@doc`` the file's docstring.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fourfold.model.chunk import TYPE_KINDS
from fourfold.model.symbol import Symbol
from fourfold.syntax.signature import signature_of
from fourfold.syntax.tree import Match

if TYPE_CHECKING:
    from tree_sitter import Node

VALUE_KINDS: frozenset[str] = frozenset({"variable", "constant", "field"})
"""Kinds that hold a value; inside a function they are locals and no symbols."""

_CODE_KINDS: frozenset[str] = frozenset({"function", "method", "test"})
_SEPARATOR = re.compile(r"::|\.|:")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")
_WHITESPACE = re.compile(r"\s+")
_NO_OWNERS = frozenset({"module", "exports", "prototype", "this", "window", "globalThis", "self"})
"""What stands before a dot without owning what stands after it (``exports.run``, ``Stack.prototype.push``).
"""

MAX_NAME_CHARS = 200
"""Longer names (a grammar gone astray in broken source) are cut."""


@dataclass(slots=True)
class Definition:
    """One definition. Rows count from 0, both included; `qualified` is filled while nesting. `is_scope`: no
    symbol.
    """

    kind: str
    name: str
    owner: str
    start_row: int
    end_row: int
    start_byte: int
    end_byte: int
    node: Node
    signature: str
    is_scope: bool = False
    qualified: str = ""
    parent: str = ""
    children: list[Definition] = field(default_factory=list)

    @property
    def is_container(self) -> bool:
        """True where definitions inside are members with chunks of their own."""
        return self.is_scope or self.kind in TYPE_KINDS


@dataclass(slots=True)
class Harvest:
    """What the query found: outermost definitions, import statements as text, the docstring as text."""

    definitions: list[Definition]
    imports: list[str]
    doc: str


def harvest(matches: list[Match], source: bytes) -> Harvest:
    """Sort the matches of a query into nested definitions, imports and the docstring."""
    found: dict[int, Definition] = {}
    imports: dict[int, str] = {}
    doc = ""
    for _, captures in matches:
        if "name" in captures or "qualified" in captures:
            definition = _definition(captures, source)
            if definition is not None:
                _keep_outer(found, captures, definition)
        elif "import" in captures:
            node = captures["import"][0]
            imports[node.start_byte] = _text(node, source)
        elif "doc" in captures and not doc:
            doc = _text(captures["doc"][0], source)
    return Harvest(_nest(list(found.values())), list(imports.values()), doc)


def symbols(definitions: list[Definition]) -> list[Symbol]:
    """All named definitions, outer before inner, in file order."""
    result: list[Symbol] = []
    stack = list(reversed(definitions))
    while stack:
        one = stack.pop()
        if not one.is_scope:
            lines = (one.start_row + 1, one.end_row + 1)
            result.append(Symbol(one.name, one.qualified, one.kind, *lines, one.parent, one.signature))
        stack.extend(reversed(one.children))
    return result


def _keep_outer(found: dict[int, Definition], captures: dict[str, list[Node]], new: Definition) -> None:
    """One name, one definition: the wider node wins (it has the decorators), and code wins over value."""
    key = (captures.get("name") or captures["qualified"])[0].start_byte
    old = found.get(key)
    if old is None:
        found[key] = new
        return
    wide = new if (new.start_byte, -new.end_byte) < (old.start_byte, -old.end_byte) else old
    if wide.kind in VALUE_KINDS:
        other = old if wide is new else new
        wide.kind = other.kind
        wide.signature = other.signature if other.kind not in VALUE_KINDS else wide.signature
    found[key] = wide


def _definition(captures: dict[str, list[Node]], source: bytes) -> Definition | None:
    kind, node = _subject(captures)
    if node is None:
        return None
    name, owner = _name(captures, source)
    if not name:
        return None
    start, end = node.start_point, node.end_point
    end_row = end.row if end.column or end.row == start.row else end.row - 1
    head = captures.get("head", [node])[0]
    body = captures["body"][0] if "body" in captures else None
    signature = signature_of(source, head.start_byte, body.start_byte if body else -1, node.end_byte)
    scope = kind == "scope"
    return Definition(
        kind, name, owner, start.row, end_row, node.start_byte, node.end_byte, node, signature, is_scope=scope
    )


def _subject(captures: dict[str, list[Node]]) -> tuple[str, Node | None]:
    for capture, nodes in captures.items():
        if capture.startswith("definition."):
            return capture[11:], nodes[0]
        if capture == "scope":
            return "scope", nodes[0]
    return "", None


def _name(captures: dict[str, list[Node]], source: bytes) -> tuple[str, str]:
    """Bare name and, where it says so itself, the owner's name."""
    if "qualified" in captures:
        text = _bare(_text(captures["qualified"][0], source))
        parts = [part for part in _SEPARATOR.split(text) if part]
        owner = ".".join(part for part in parts[:-1] if part not in _NO_OWNERS)
        return (parts[-1], owner) if parts else ("", "")
    name = _WHITESPACE.sub(" ", _text(captures["name"][0], source)).strip()[:MAX_NAME_CHARS]
    owner = _bare(_text(captures["receiver"][0], source)) if "receiver" in captures else ""
    return name, owner


def _bare(text: str) -> str:
    """A type's name without type arguments, pointers and blanks."""
    previous = ""
    while previous != text:
        previous, text = text, _TYPE_ARGUMENTS.sub("", text)
    return _WHITESPACE.sub("", text).strip("*&")[:MAX_NAME_CHARS]


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _nest(flat: list[Definition]) -> list[Definition]:
    """Order by position and put each definition into the innermost one around it."""
    flat.sort(key=lambda one: (one.start_byte, -one.end_byte))
    top: list[Definition] = []
    stack: list[Definition] = []
    for one in flat:
        while stack and stack[-1].end_byte < one.end_byte:
            stack.pop()
        around = stack[-1] if stack else None
        if not _place(one, around):
            continue
        (around.children if around else top).append(one)
        stack.append(one)
    return top


def _place(one: Definition, around: Definition | None) -> bool:
    """Give `one` its names and its final kind; False where it is a local variable and no symbol."""
    if one.kind in VALUE_KINDS and around is not None:
        if around.kind in _CODE_KINDS or around.kind in VALUE_KINDS:
            return False
        if around.kind != "module" and one.kind == "variable":
            one.kind = "field"
    if one.kind == "variable" and one.name.isupper():
        one.kind = "constant"
    outer = around.qualified if around else ""
    one.parent = ".".join(part for part in (outer, one.owner) if part)
    one.qualified = one.name if not one.parent else f"{one.parent}.{one.name}"
    if one.is_scope:
        one.qualified = one.name if not outer else f"{outer}.{one.name}"
    if one.kind == "function" and (one.owner or (around and around.is_container and around.kind != "module")):
        one.kind = "method"
    return True
