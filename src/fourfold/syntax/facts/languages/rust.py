"""Rust: trees of ``use``, and the custom that ``T::new`` makes a T."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.names import split_path
from fourfold.syntax.facts.rules import CAPITALISED, Rules
from fourfold.syntax.facts.source import Source, child_at

if TYPE_CHECKING:
    from tree_sitter import Node

_MAKES = re.compile(r"(?:new|default|from|with|create|open|build)(?:_\w+)?$")
_WRAPPERS = frozenset("Box Rc Arc Cell RefCell Mutex RwLock Some Ok Pin Cow Lazy OnceCell".split())
_OWN_TYPES = """
    bool char str String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 Self Vec Option Result Box Rc Arc
    HashMap HashSet BTreeMap BTreeSet
"""
_OWN_CALLS = """
    Some Ok Err None Box println print eprintln eprint format write writeln vec assert assert_eq assert_ne debug_assert
    debug_assert_eq panic todo unimplemented unreachable matches dbg drop concat include_str include_bytes env cfg line
    file stringify compile_error macro_rules derive
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    if node.type == "mod_item":
        yield Import("self::" + source.field(node, "name"))
        return
    if node.type == "extern_crate_declaration":
        yield Import(source.field(node, "name"), "", source.field(node, "alias"))
        return
    tree = node.child_by_field_name("argument")
    public = any(child.type == "visibility_modifier" for child in node.named_children)
    if tree is not None:
        for module, name, alias, row in _leaves(tree, "", source, 0):
            yield Import(module, name, alias, row + 1, reexport=public)


def _leaves(node: Node, prefix: str, source: Source, depth: int) -> Iterator[tuple[str, str, str, int]]:
    """(module, name, alias, row) of each leaf of a tree of ``use``."""
    row = node.start_point[0]
    if depth > 20:
        return
    if node.type == "scoped_use_list":
        inner = _joined(prefix, source.path(node.child_by_field_name("path")))
        held = node.child_by_field_name("list")
        for child in held.named_children if held is not None else ():
            yield from _leaves(child, inner, source, depth + 1)
    elif node.type == "use_list":
        for child in node.named_children:
            yield from _leaves(child, prefix, source, depth + 1)
    elif node.type == "use_wildcard":
        yield _joined(prefix, source.path(child_at(node, 0))), "*", "", row
    elif node.type == "use_as_clause":
        alias = source.field(node, "alias")
        yield *_split(_joined(prefix, source.path(node.child_by_field_name("path")))), alias, row
    elif node.type == "self":
        yield *_split(prefix), "", row
    elif node.type in ("identifier", "scoped_identifier", "crate"):
        yield *_split(_joined(prefix, source.path(node))), "", row


def _joined(prefix: str, path: str) -> str:
    if path == "self" and prefix:
        return prefix
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _split(path: str) -> tuple[str, str]:
    """(module, name); a single word is a module."""
    module, _, name = path.rpartition("::")
    return (module, name) if module else (path, "")


def _constructor(receiver: str, name: str) -> str:
    if receiver:
        is_type = CAPITALISED.match(split_path(receiver)[1]) is not None and "(" not in receiver
        return receiver if is_type and _MAKES.match(name) else ""
    return name if CAPITALISED.match(name) else ""


def _wrapped(node: Node, source: Source) -> Node | None:
    """``Arc::new(Foo::new())`` is, for what is called on it, a Foo."""
    if node.type != "call_expression":
        return None
    receiver, name = split_path(source.path(node.child_by_field_name("function")))
    wrapper = split_path(receiver)[1] if name == "new" else name if not receiver else ""
    arguments = node.child_by_field_name("arguments")
    return child_at(arguments, 0) if wrapper in _WRAPPERS and arguments is not None else None


RULES = Rules(
    imports=_imports,
    constructors={"struct_expression": "name"},
    callees={"call_expression": ("function",)},
    aliases=frozenset({"identifier", "field_expression"}),
    through={
        "await_expression": 0,
        "try_expression": 0,
        "reference_expression": -1,
        "parenthesized_expression": 0,
        "unary_expression": 0,
    },
    is_constructor=_constructor,
    unwrap=_wrapped,
    ignored_types=frozenset(_OWN_TYPES.split()),
    ignored_calls=frozenset(_OWN_CALLS.split()),
)
