"""Ruby: files loaded by path, objects made by ``new``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, child_at, children

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_CALLS = """
    require require_relative load autoload include extend prepend attr_accessor attr_reader attr_writer private public
    protected module_function private_constant private_class_method puts print p pp raise loop lambda proc block_given?
    binding format sprintf rand sleep catch throw freeze __method__ define_method alias_method self
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    arguments = node.child_by_field_name("arguments")
    strings = children(arguments, "string") if arguments is not None else []
    path = source.string(strings[0]) if strings else ""
    verb = source.field(node, "method")
    if verb == "require_relative" and not path.startswith("."):
        path = "./" + path
    name = source.text(child_at(arguments, 0)).lstrip(":") if verb == "autoload" and arguments is not None else ""
    if path:
        yield Import(path, name)


def _constructor(receiver: str, name: str) -> str:
    return receiver if name == "new" and "(" not in receiver else ""


RULES = Rules(
    imports=_imports,
    callees={"call": ("receiver", "method")},
    aliases=frozenset({"identifier", "instance_variable"}),
    is_constructor=_constructor,
    ignored_calls=frozenset(_OWN_CALLS.split()),
    ignored_members=frozenset({"new", "freeze", "nil?"}),
)
