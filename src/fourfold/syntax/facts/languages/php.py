"""PHP: names out of namespaces, files by path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    string int bool float array mixed object callable iterable void self static parent null false true never Closure
    Exception Throwable Traversable
"""
_OWN_CALLS = (
    "isset unset empty count array_map array_filter array_merge sprintf implode explode in_array is_null compact"
)
_PATH = re.compile(r"[\"']([^\"']+)[\"']")


def _imports(node: Node, source: Source) -> Iterator[Import]:
    if node.type != "namespace_use_declaration":
        text = source.text(node)
        found = _PATH.search(text)
        if found:
            near = "__DIR__" in text or "dirname(" in text
            yield Import(("." if near and found.group(1).startswith("/") else "") + found.group(1))
        return
    prefix = "".join(source.text(one) for one in children(node, "namespace_name"))
    group = node.child_by_field_name("body")
    for clause in children(group if group is not None else node, "namespace_use_clause"):
        alias = source.field(clause, "alias")
        path = next((source.text(child) for child in clause.named_children if "name" in child.type), "")
        path = f"{prefix}\\{path}" if prefix else path
        module, _, name = path.lstrip("\\").rpartition("\\")
        yield Import(module, name, alias, clause.start_point[0] + 1) if module else Import(name, "", alias)


RULES = Rules(
    imports=_imports,
    constructors={"object_creation_expression": 0},
    callees={
        "function_call_expression": ("function",),
        "member_call_expression": ("object", "name"),
        "scoped_call_expression": ("scope", "name"),
    },
    aliases=frozenset({"variable_name", "member_access_expression"}),
    selves=frozenset({"$this", "self", "static"}),
    ignored_types=frozenset(_OWN_TYPES.split()),
    ignored_calls=frozenset(_OWN_CALLS.split()),
)
