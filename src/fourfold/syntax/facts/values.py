"""What the expression given to a variable says of its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.syntax.facts.names import bare_type, split_path
from fourfold.syntax.facts.source import child_at

if TYPE_CHECKING:
    from tree_sitter import Node

    from fourfold.syntax.facts.rules import Rules
    from fourfold.syntax.facts.source import Source

_MAX_DEPTH = 6
"""Parentheses, awaits and casts looked through."""


def value_type(node: Node, source: Source, rules: Rules) -> tuple[str, str] | None:
    """(type, source) as a :class:`~fourfold.model.reference.Binding` has them; None where nothing is said."""
    for _ in range(_MAX_DEPTH):
        if rules.special is not None:
            told = rules.special(node, source)
            if told is not None:
                return told
        inner = rules.unwrap(node, source) if rules.unwrap is not None else None
        if inner is not None:
            node = inner
            continue
        kind = node.type
        if kind in rules.through:
            inner = child_at(node, rules.through[kind])
            if inner is None:
                return None
            node = inner
            continue
        if kind in rules.constructors:
            return _constructed(node, source, rules.constructors[kind])
        if kind in rules.callees:
            return _called(node, source, rules)
        if kind in rules.aliases:
            path = source.path(node)
            made_of = path.partition("()")[0]
            return (path, "alias") if path and path[0] not in '".' and made_of not in rules.ignored_calls else None
        return None
    return None


def _constructed(node: Node, source: Source, place: str | int) -> tuple[str, str] | None:
    held = node.child_by_field_name(place) if isinstance(place, str) else child_at(node, place)
    name = bare_type(source.text(held)) if held is not None else ""
    return (name, "constructor") if name else None


def _called(node: Node, source: Source, rules: Rules) -> tuple[str, str] | None:
    fields = rules.callees[node.type]
    parts = [node.child_by_field_name(name) for name in fields] if fields else [child_at(node, 0)]
    path = ".".join(source.path(part) for part in parts if part is not None)
    path = path.removesuffix("[]")
    receiver, name = split_path(path)
    if not name or (not receiver and name in rules.ignored_calls):
        return None
    made = rules.is_constructor(receiver, name) if rules.is_constructor else ""
    return (made, "constructor") if made else (path, "call")
