"""Go: packages by path, results of which the first counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.names import bare_type
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, child_at

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN = """
    bool string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 float64 complex64
    complex128 error any comparable
"""
_BUILTIN = "append cap clear close complex copy delete imag len make max min new panic print println real recover"


def _imports(node: Node, source: Source) -> Iterator[Import]:
    module = source.string(node.child_by_field_name("path"))
    name = source.field(node, "name")
    yield Import(module, "*" if name == "." else "", "" if name == "." else name)


def _type(text: str) -> str:
    """The first of several results; ``(s *Server, err error)`` names them."""
    if text.startswith("("):
        text = text[1:].rstrip(")").partition(",")[0].strip()
        text = text.rpartition(" ")[2] if "func" not in text else ""
    return bare_type(text)


def _new(node: Node, source: Source) -> tuple[str, str] | None:
    """``new(T)`` makes a T."""
    if node.type != "call_expression" or source.field(node, "function") != "new":
        return None
    arguments = node.child_by_field_name("arguments")
    made = bare_type(source.text(child_at(arguments, 0))) if arguments is not None else ""
    return (made, "constructor") if made else None


RULES = Rules(
    imports=_imports,
    constructors={
        "composite_literal": "type",
        "type_assertion_expression": "type",
        "type_conversion_expression": "type",
    },
    callees={"call_expression": ("function",)},
    aliases=frozenset({"identifier", "selector_expression"}),
    through={"unary_expression": 0, "parenthesized_expression": 0},
    special=_new,
    selves=frozenset(),
    ignored_types=frozenset(_OWN.split()),
    ignored_calls=frozenset((_BUILTIN + _OWN).split()),
    type_name=_type,
)
