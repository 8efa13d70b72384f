"""C and C++: included files as written, names taken out of namespaces, smart pointers seen through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.names import bare_type, split_path
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, child_at, children

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    auto void bool char int long short float double unsigned signed size_t ssize_t ptrdiff_t intptr_t uintptr_t int8_t
    int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t string string_view wchar_t va_list FILE nullptr_t vector
    map set unordered_map shared_ptr unique_ptr weak_ptr optional pair tuple function
"""
_OWN_CALLS = """
    static_cast dynamic_cast const_cast reinterpret_cast sizeof decltype typeid noexcept alignof defined offsetof
    static_assert assert __attribute__
"""
_MAKERS = frozenset({"make_unique", "make_shared", "static_cast", "dynamic_cast", "static_pointer_cast"})


def _imports(node: Node, source: Source) -> Iterator[Import]:
    if node.type == "preproc_include":
        yield Import(source.field(node, "path"))
        return
    if node.type == "namespace_alias_definition":
        target = next((child for child in reversed(node.named_children)), None)
        yield Import("".join(source.text(target).split()), "", source.field(node, "name"))
        return
    text = source.text(node)
    path = "".join(source.text(child_at(node, 0)).split())
    if "namespace" in text.split(maxsplit=2)[1:2]:
        yield Import(path, "*")
    else:
        module, _, name = path.rpartition("::")
        yield Import(module, name)


def _made(node: Node, source: Source) -> tuple[str, str] | None:
    """``std::make_unique<Foo>()`` makes a Foo, a cast says what it casts to."""
    if node.type != "call_expression":
        return None
    function = node.child_by_field_name("function")
    while function is not None and function.type == "qualified_identifier":
        function = function.child_by_field_name("name")
    if function is None or function.type != "template_function":
        return None
    arguments = children(function, "template_argument_list")
    if source.field(function, "name") not in _MAKERS or not arguments:
        return None
    made = bare_type(source.text(child_at(arguments[0], 0)))
    return (made, "constructor") if made else None


def _constructor(receiver: str, name: str) -> str:
    """Only what follows a custom of both languages: a capitalised name that is no macro."""
    if not name[:1].isupper() or name.isupper() or "." in receiver or "()" in receiver:
        return ""
    return "" if split_path(receiver)[1][:1].isupper() else f"{receiver}::{name}" if receiver else name


RULES = Rules(
    imports=_imports,
    constructors={"new_expression": "type", "cast_expression": "type", "compound_literal_expression": "type"},
    callees={"call_expression": ("function",)},
    aliases=frozenset({"identifier", "field_expression"}),
    through={"parenthesized_expression": 0, "pointer_expression": -1},
    is_constructor=_constructor,
    special=_made,
    selves=frozenset({"this"}),
    ignored_types=frozenset(_OWN_TYPES.split()),
    ignored_calls=frozenset(_OWN_CALLS.split()),
)
