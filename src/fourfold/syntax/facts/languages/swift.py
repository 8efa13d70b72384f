"""Swift: an import opens a module; calls make what they are named after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules, capitalised
from fourfold.syntax.facts.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    String Int Bool Double Float Void Any AnyObject Character UInt Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64
    Array Dictionary Set Data Date URL Error Self Never available discardableResult objc escaping autoclosure inlinable
    Sendable MainActor testable usableFromInline frozen
"""
_KINDS = frozenset("struct class enum protocol func var let typealias".split())


def _imports(node: Node, source: Source) -> Iterator[Import]:
    path = next((source.path(child) for child in children(node, "identifier")), "")
    words = source.text(node).split()
    if _KINDS.intersection(words[:-1]):
        module, _, name = path.rpartition(".")
        yield Import(module, name)
    elif path:
        yield Import(path, "*", reexport="@_exported" in words)


def _constructor(receiver: str, name: str) -> str:
    if name == "init":
        return receiver if receiver not in ("self", "super") and "(" not in receiver else ""
    return capitalised(receiver, name)


RULES = Rules(
    imports=_imports,
    constructors={"constructor_expression": "constructed_type"},
    callees={"call_expression": ()},
    aliases=frozenset({"simple_identifier", "navigation_expression"}),
    through={"try_expression": -1, "await_expression": -1},
    is_constructor=_constructor,
    ignored_types=frozenset(_OWN_TYPES.split()),
)
