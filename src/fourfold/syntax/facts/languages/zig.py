"""Zig: a module is a value; what ``init`` of a type returns is of that type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.names import bare_type, split_path
from fourfold.syntax.facts.rules import CAPITALISED, Rules
from fourfold.syntax.facts.source import Source, child_at

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = (
    "void bool anytype type anyerror noreturn usize isize comptime_int comptime_float anyopaque error_union Self"
)
_IMPORT = re.compile(r"@import\(\s*\"([^\"]+)\"\s*\)((?:\.\w+)*)")
_NUMBER = re.compile(r"[iuf]\d+$|c_\w+$")
_MAKES = re.compile(r"(?:init|create|new|open)\w*$")


def _imports(node: Node, source: Source) -> Iterator[Import]:
    local = source.text(child_at(node, 0))
    found = _IMPORT.search(source.text(node))
    if found:
        module, path = found.groups()
        name = path.lstrip(".")
        known = name.rpartition(".")[2] or module.rpartition("/")[2].removesuffix(".zig")
        yield Import(module, name, "" if local == known else local)


def _type(text: str) -> str:
    """``Error!?*const T`` is, for what is called on it, a T."""
    name = bare_type(text.rpartition("!")[2])
    return "" if _NUMBER.match(name) else name


def _constructor(receiver: str, name: str) -> str:
    is_type = CAPITALISED.match(split_path(receiver)[1]) is not None and "(" not in receiver
    return receiver if is_type and _MAKES.match(name) else ""


RULES = Rules(
    imports=_imports,
    constructors={"struct_initializer": 0},
    callees={"call_expression": ("function",)},
    aliases=frozenset({"field_expression"}),
    through={"try_expression": 0},
    is_constructor=_constructor,
    type_name=_type,
    ignored_types=frozenset(_OWN_TYPES.split()),
)
