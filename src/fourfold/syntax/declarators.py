"""Declarators of C and C++: the name inside ``*(*name[3])(int)``, and what it declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DEPTH = 24
_NAMES = frozenset(
    {
        "identifier",
        "field_identifier",
        "type_identifier",
        "operator_name",
        "destructor_name",
        "qualified_identifier",
        "template_function",
        "operator_cast",
        "primitive_type",
    }
)


@dataclass(frozen=True, slots=True)
class Declared:
    """The node of the name; `is_function`: the declarator gives it parameters and it is no pointer to a
    function."""

    name: Node
    is_function: bool


def unwrap(declarator: Node) -> Declared | None:
    """What `declarator` declares; None where the source is too broken to tell."""
    node: Node | None = declarator
    is_function = False
    for _ in range(_MAX_DEPTH):
        if node is None:
            return None
        kind = node.type
        if kind in _NAMES:
            return Declared(node, is_function)
        if kind == "function_declarator":
            is_function = True
        elif kind == "parenthesized_declarator":
            is_function = is_function and not _holds_pointer(node)
        node = node.child_by_field_name("declarator") or _first_declarator(node)
    return None


def _holds_pointer(node: Node) -> bool:
    return any(child.type == "pointer_declarator" for child in node.named_children)


def _first_declarator(node: Node) -> Node | None:
    """Reference and parenthesised declarators hold theirs without a field name."""
    for child in node.named_children:
        if child.type in _NAMES or child.type.endswith("declarator"):
            return child
    return None
