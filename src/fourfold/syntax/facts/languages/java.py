"""Java: one name an import, or everything of a package or class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    String Object Integer Long Boolean Double Float Short Byte Character Void void var int long boolean double float
    short byte char Number CharSequence Iterable Comparable Override Deprecated SuppressWarnings FunctionalInterface
    SafeVarargs Class List Map Set Collection Iterator Exception RuntimeException Throwable
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    path = next((source.path(child) for child in node.named_children if "identifier" in child.type), "")
    if any(child.type == "asterisk" for child in node.named_children):
        yield Import(path, "*")
    elif path:
        module, _, name = path.rpartition(".")
        yield Import(module, name)


RULES = Rules(
    imports=_imports,
    constructors={"object_creation_expression": "type", "cast_expression": "type"},
    callees={"method_invocation": ("object", "name")},
    aliases=frozenset({"identifier", "field_access"}),
    through={"parenthesized_expression": 0},
    selves=frozenset({"this"}),
    ignored_types=frozenset(_OWN_TYPES.split()),
)
