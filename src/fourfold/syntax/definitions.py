"""Definitions of a file, nested as they stand in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fourfold.model.chunk import TYPE_KINDS

if TYPE_CHECKING:
    from tree_sitter import Node

VALUE_KINDS: frozenset[str] = frozenset({"variable", "constant", "field"})
"""Kinds that hold a value; inside a function they are locals and no symbols."""

CODE_KINDS: frozenset[str] = frozenset({"function", "method", "test"})
"""Kinds that run."""

_CLAUSE_KINDS = frozenset({"function", "method", "variable", "macro"})
_CLAUSE_GAP = 2
"""Blank or comment rows between clauses of one function."""

_FINAL_KINDS = {"procedure": "function"}
"""Kinds of queries that are named otherwise outside: a procedure is a function that never becomes a
method."""


@dataclass(slots=True)
class Definition:
    """One definition. Rows count from 0, both included.

    `owner` is what its own name says of its owner (``Foo`` in ``Foo::bar``). `is_scope`: it only encloses
    others (a Rust ``impl``) and is no symbol. `nodes` are what it consists of, in order. `kind`, `qualified`
    and `parent` are final once :func:`nest` has run. `body_row` is where the body begins, -1 where there is none.
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
    body_row: int = -1
    qualified: str = ""
    parent: str = ""
    children: list[Definition] = field(default_factory=list)

    @property
    def is_container(self) -> bool:
        """True where definitions inside are members with chunks of their own: types, scopes, groups of
        tests."""
        if self.kind == "test":
            return any(child.kind == "test" for child in self.children)
        return self.is_type

    @property
    def is_type(self) -> bool:
        """True where functions inside are methods."""
        return self.is_scope or self.kind in TYPE_KINDS


def telling(kind: str) -> int:
    """How much a kind says. Patterns overlap: the general one (``class``, ``type``) yields to the special
    one."""
    if kind in VALUE_KINDS:
        return 0
    return 1 if kind in ("type", "class", "function") else 2


def nest(flat: list[Definition], *, clauses: bool) -> list[Definition]:
    """Order by position and put each definition into the innermost one around it; returns the outermost ones.

    `clauses`: neighbours of one name (a signature and its equations) are one definition.
    """
    flat.sort(key=lambda one: (one.start_byte, -one.end_byte))
    top: list[Definition] = []
    stack: list[Definition] = []
    for one in flat:
        while stack and (stack[-1].end_byte < one.end_byte or _declared_together(stack[-1], one)):
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


def _declared_together(before: Definition, one: Definition) -> bool:
    """True for two values of one statement: ``int a, b;``."""
    same = before.start_byte == one.start_byte and before.end_byte == one.end_byte
    return same and before.kind in VALUE_KINDS and one.kind in VALUE_KINDS


def _absorbs(before: Definition, one: Definition) -> bool:
    """Make `before` end with `one` where both are clauses of one function; False where they are not."""
    mergeable = {before.kind, one.kind} <= _CLAUSE_KINDS and before.name == one.name
    if not mergeable or one.start_row > before.end_row + _CLAUSE_GAP:
        return False
    if telling(one.kind) > telling(before.kind):
        before.kind = one.kind
    before.end_row, before.end_byte = one.end_row, one.end_byte
    before.nodes += one.nodes
    return True


def _place(one: Definition, around: Definition | None) -> bool:
    """Give `one` its names and its final kind; False where it is a local variable and no symbol."""
    kind = one.kind
    if kind == "property":  # a constructor's parameter: what it makes has it
        one.kind, one.parent = "field", around.parent if around is not None else ""
        one.qualified = f"{one.parent}.{one.name}" if one.parent else one.name
        return True
    if around is not None and kind in VALUE_KINDS:
        if around.kind in CODE_KINDS or (around.kind in VALUE_KINDS and kind not in ("field", "constant")):
            return False
        if kind == "variable" and around.kind != "module":
            one.kind = kind = "field"
    if kind == "variable" and len(one.name) > 1 and one.name.isupper():
        one.kind = "constant"
    outer = _prefix(around)
    own = "" if one.is_scope else one.owner
    one.parent = f"{outer}.{own}" if outer and own else outer or own
    one.qualified = f"{one.parent}.{one.name}" if one.parent else one.name
    if kind == "function" and (one.owner or (around and around.is_type and around.kind != "module")):
        one.kind = "method"
    elif kind in _FINAL_KINDS:
        one.kind = _FINAL_KINDS[kind]
    return True


def _prefix(around: Definition | None) -> str:
    """What stands before the names inside `around`. A record's fields belong to its type, not to its
    constructor."""
    if around is None:
        return ""
    return around.parent if around.kind in VALUE_KINDS else around.qualified
