"""Kotlin: imports with aliases, calls that make what they are named after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules, capitalised
from fourfold.syntax.facts.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    String Int Long Boolean Double Float Short Byte Char Unit Any Nothing Number CharSequence List Map Set Collection
    MutableList MutableMap MutableSet Array Iterable Sequence Pair Comparable Function Exception Throwable JvmStatic
    JvmOverloads JvmName Suppress Override Deprecated
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    path, alias = "", ""
    for child in node.named_children:
        if child.type == "qualified_identifier":
            path = source.path(child)
        elif child.type == "identifier":
            path, alias = (path, source.text(child)) if path else (source.text(child), "")
    if source.text(node).rstrip().endswith("*"):
        yield Import(path.rstrip(".*"), "*")
    elif path:
        module, _, name = path.rpartition(".")
        yield Import(module, name, alias)


RULES = Rules(
    imports=_imports,
    callees={"call_expression": ()},
    aliases=frozenset({"identifier", "navigation_expression"}),
    through={"parenthesized_expression": 0},
    is_constructor=capitalised,
    selves=frozenset({"this"}),
    ignored_types=frozenset(_OWN_TYPES.split()),
)
