"""Lua: a required module is what its variable holds; ``new`` makes what it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, child_at, children

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_CALLS = """
    require dofile loadfile print pairs ipairs type tostring tonumber setmetatable getmetatable rawget rawset rawequal
    rawlen select unpack pcall xpcall error assert next collectgarbage load
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    arguments = node.child_by_field_name("arguments")
    strings = children(arguments, "string") if arguments is not None else []
    if not strings:
        return
    module = source.string(strings[0])
    around = node.parent
    member = ""
    if around is not None and around.type == "dot_index_expression":  # require("m").run
        member = source.field(around, "field")
        around = around.parent
    statement = around.parent if around is not None and around.type == "expression_list" else None
    local = ""
    if statement is not None and statement.type == "assignment_statement":
        names = children(statement, "variable_list")
        local = source.text(child_at(names[0], 0)) if names else ""
    known = member or module.rpartition(".")[2]
    yield Import(module, member, local if local != known and local.isidentifier() else "")


def _constructor(receiver: str, name: str) -> str:
    return receiver if name == "new" and "(" not in receiver else ""


RULES = Rules(
    imports=_imports,
    callees={"function_call": ("name",)},
    aliases=frozenset({"identifier", "dot_index_expression"}),
    is_constructor=_constructor,
    ignored_calls=frozenset(_OWN_CALLS.split()),
)
