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
_CLAUSE_KINDS = frozenset({"function", "method", "variable", "macro"})
_CLAUSE_GAP = 2
"""Blank or comment rows between clauses of one function."""

_SEPARATOR = re.compile(r"::|\.|:")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")
_WHITESPACE = re.compile(r"\s+")
_NO_OWNERS = frozenset({"module", "exports", "prototype", "this", "window", "globalThis", "self"})
"""What stands before a dot without owning what stands after it (``exports.run``, ``Stack.prototype.push``).
"""

_QUOTES = " \"'`:"
"""What surrounds a name without being part of it: quotes of test names, the colon of a Ruby symbol."""

_FINAL_KINDS = {"procedure": "function"}
"""Kinds of queries that are named otherwise outside: a procedure is a function that never becomes a
method."""

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
    nodes: list[Node]
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


def harvest(matches: list[Match], source: bytes, *, clauses: bool = False) -> Harvest:
    """Sort the matches of a query into nested definitions, imports and the docstring.

    `clauses`: neighbours of one name (a signature and its equations) are one definition.
    """
    found: dict[int, Definition] = {}
    imports: dict[int, str] = {}
    doc = ""
    for _, captures in matches:
        if "name" in captures or "qualified" in captures:
            definition = _definition(captures, source)
            if definition is not None:
                _keep_best(found, captures, definition)
        elif "import" in captures:
            node = captures["import"][0]
            imports[node.start_byte] = _text(node, source)
        elif "doc" in captures and not doc:
            doc = _text(captures["doc"][0], source)
    _drop_imported(found, imports)
    return Harvest(_nest(list(found.values()), clauses), list(imports.values()), doc)


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


def _keep_best(found: dict[int, Definition], captures: dict[str, list[Node]], new: Definition) -> None:
    """One name, one definition: of several patterns on it the widest node (it has the decorators) and the
    most telling kind."""
    key = (captures.get("name") or captures["qualified"])[0].start_byte
    old = found.get(key)
    if old is None:
        found[key] = new
        return
    wide, other = (
        (new, old) if (new.start_byte, -new.end_byte) < (old.start_byte, -old.end_byte) else (old, new)
    )
    if _telling(other.kind) > _telling(wide.kind):
        wide.kind = other.kind
        wide.signature = other.signature
    found[key] = wide


def _telling(kind: str) -> int:
    """How much a kind says: patterns overlap, the general one (``class``, ``type``) yields to the special
    one."""
    if kind in VALUE_KINDS:
        return 0
    return 1 if kind in ("type", "class", "function") else 2


def _definition(captures: dict[str, list[Node]], source: bytes) -> Definition | None:
    kind, node = _subject(captures)
    if node is None:
        return None
    name, owner = _name(captures, source)
    if not name:
        return None
    head = captures["head"][0] if "head" in captures else node
    body = captures["body"][0] if "body" in captures else None
    beyond = (
        body is not None and body.start_byte >= node.end_byte
    )  # Dart: a body is the sibling after its head
    last = body if body is not None and beyond else node
    start, end = node.start_point, last.end_point
    end_row = end.row if end.column or end.row == start.row else end.row - 1
    signature = signature_of(source, name, head.start_byte, body.start_byte if body else -1, node.end_byte)
    scope = kind == "scope"
    name = _bare(name) if scope else name
    nodes = [node, last] if beyond else [node]
    return Definition(
        kind,
        name,
        owner,
        start.row,
        end_row,
        node.start_byte,
        last.end_byte,
        nodes,
        signature,
        is_scope=scope,
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
    name = _WHITESPACE.sub(" ", _text(captures["name"][0], source)).strip(_QUOTES)[:MAX_NAME_CHARS]
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


def _drop_imported(found: dict[int, Definition], imports: dict[int, str]) -> None:
    """A variable that only holds an imported module (``const fs = require("fs")``) defines nothing here."""
    for start in imports:
        for key, one in list(found.items()) if found else ():
            if one.kind == "variable" and one.start_byte <= start < one.end_byte:
                del found[key]


def _nest(flat: list[Definition], clauses: bool) -> list[Definition]:
    """Order by position and put each definition into the innermost one around it."""
    flat.sort(key=lambda one: (one.start_byte, -one.end_byte))
    top: list[Definition] = []
    stack: list[Definition] = []
    for one in flat:
        while stack and stack[-1].end_byte < one.end_byte:
            stack.pop()
        if stack and stack[-1].kind == "type" and one.kind in TYPE_KINDS:
            stack.pop()  # typedef struct node { ... } node_t: two names of one thing
        around = stack[-1] if stack else None
        if not _place(one, around):
            continue
        siblings = around.children if around else top
        if clauses and siblings and _absorbs(siblings[-1], one):
            stack.append(siblings[-1])
            continue
        siblings.append(one)
        stack.append(one)
    return top


def _absorbs(before: Definition, one: Definition) -> bool:
    """Make `before` end with `one` where both are clauses of one function; False where they are not."""
    mergeable = {before.kind, one.kind} <= _CLAUSE_KINDS and before.name == one.name
    if not mergeable or one.start_row > before.end_row + _CLAUSE_GAP:
        return False
    if _telling(one.kind) > _telling(before.kind):
        before.kind = one.kind
    before.end_row, before.end_byte = one.end_row, one.end_byte
    before.nodes += one.nodes
    return True


def _place(one: Definition, around: Definition | None) -> bool:
    """Give `one` its names and its final kind; False where it is a local variable and no symbol."""
    if one.kind in VALUE_KINDS and around is not None:
        if around.kind in _CODE_KINDS or (around.kind in VALUE_KINDS and one.kind != "field"):
            return False
        if around.kind != "module" and one.kind == "variable":
            one.kind = "field"
    if one.kind == "variable" and len(one.name) > 1 and one.name.isupper():
        one.kind = "constant"
    outer = _prefix(around)
    own = "" if one.is_scope else one.owner
    one.parent = ".".join(part for part in (outer, own) if part)
    one.qualified = f"{one.parent}.{one.name}" if one.parent else one.name
    inside_type = around is not None and around.is_container and around.kind != "module"
    if one.kind == "function" and (one.owner or inside_type):
        one.kind = "method"
    one.kind = _FINAL_KINDS.get(one.kind, one.kind)
    return True


def _prefix(around: Definition | None) -> str:
    """What stands before the names inside `around`. A record's fields belong to its type, not to its
    constructor."""
    if around is None:
        return ""
    return around.parent if around.kind in VALUE_KINDS else around.qualified
