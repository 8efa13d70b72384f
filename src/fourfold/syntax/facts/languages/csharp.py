"""C#: a using opens a whole namespace; tasks are seen through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, child_at

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    var void bool byte sbyte char decimal double float int uint long ulong short ushort string object dynamic nint nuint
    String Object Int32 Int64 Boolean Double List IList IEnumerable Dictionary IDictionary HashSet Func Action
    Exception Type Task ValueTask ReadOnlySpan Span Array
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    alias = source.field(node, "name")
    target = child_at(node, -1)
    module = source.path(target)
    shared = source.text(node).startswith("global")
    if alias:
        yield Import(module, "", alias, reexport=shared)
    else:
        yield Import(module, "*", reexport=shared)


RULES = Rules(
    imports=_imports,
    constructors={"object_creation_expression": "type", "cast_expression": "type", "as_expression": "right"},
    callees={"invocation_expression": ("function",)},
    aliases=frozenset({"identifier", "member_access_expression"}),
    through={"await_expression": 0, "parenthesized_expression": 0},
    selves=frozenset({"this"}),
    ignored_types=frozenset(_OWN_TYPES.split()),
    ignored_calls=frozenset({"nameof", "typeof", "sizeof", "default"}),
)
