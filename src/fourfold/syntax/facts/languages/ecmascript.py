"""JavaScript and TypeScript: modules of both kinds, and what an expression says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.names import bare_type
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, child_at, children

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    string number boolean any unknown void never object Object Function Array ReadonlyArray Promise Record Partial Pick
    Omit Readonly Required Exclude Extract NonNullable ReturnType Parameters Awaited String Number Boolean Symbol
    PromiseLike Iterable Iterator IterableIterator AsyncIterable AsyncIterator Generator AsyncGenerator
    InstanceType ArrayLike Uint8Array const
"""
_IGNORED = frozenset(_OWN_TYPES.split())
_LIST = re.compile(
    r"(?:readonly\s+)?(?:\(?(?P<plain>[\w$.]+(?:<.*>)?)\)?\[\]"
    r"|(?:Readonly)?(?:Array|Set|Iterable|IterableIterator)<(?P<inner>.+)>)(?:\s*\|\s*(?:null|undefined))*$",
    re.DOTALL,
)
"""A list of things of one type, as it is written."""
_WHOLE = ("default", "export=")
"""What a module is as a whole: to ``import Foo from``, and to ``require`` (as TypeScript writes it)."""
_PATH = re.compile(r"[\w$]+(?:\.[\w$]+)*")


def _imports(node: Node, source: Source) -> Iterator[Import]:
    readers = {
        "import_statement": _import_statement,
        "export_statement": _export_statement,
        "call_expression": _loaded,
        "variable_declarator": _required,
        "assignment_expression": _assigned,
    }
    yield from readers[node.type](node, source)


def _import_statement(node: Node, source: Source) -> Iterator[Import]:
    module = source.string(node.child_by_field_name("source"))
    clauses = children(node, "import_clause")
    if not clauses:
        for required in children(node, "import_require_clause"):  # import fs = require("fs")
            name = source.text(child_at(required, 0))
            yield Import(source.string(required.child_by_field_name("source")), "", name)
        if module:
            yield Import(module)
        return
    for part in clauses[0].named_children:
        if part.type == "identifier":
            yield Import(module, "default", source.text(part))
        elif part.type == "namespace_import":
            yield Import(module, "", source.text(child_at(part, 0)))
        else:
            yield from _specifiers(part, module, source)


def _specifiers(clause: Node, module: str, source: Source, *, reexport: bool = False) -> Iterator[Import]:
    for one in children(clause, "import_specifier", "export_specifier"):
        name = source.string(one.child_by_field_name("name"))
        alias = source.string(one.child_by_field_name("alias"))
        yield Import(module, name, "" if alias == name else alias, one.start_point[0] + 1, reexport=reexport)


def _export_statement(node: Node, source: Source) -> Iterator[Import]:
    held = node.child_by_field_name("source")
    module = source.string(held)
    if held is not None:
        clauses = children(node, "export_clause", "namespace_export")
        if not clauses:
            yield Import(module, "*", reexport=True)
        elif clauses[0].type == "namespace_export":
            yield Import(module, "", source.string(child_at(clauses[0], 0)), reexport=True)
        else:
            yield from _specifiers(clauses[0], module, source, reexport=True)
        return
    for clause in children(node, "export_clause"):
        yield from (one for one in _specifiers(clause, "", source, reexport=True) if one.alias)
    if any(child.type == "default" for child in node.children):
        name = _default_name(node, source)
        if name:
            yield Import("", name, "default", reexport=True)


def _default_name(node: Node, source: Source) -> str:
    """What ``export default`` passes on, by name: an identifier, a named declaration, the first thing that a call
    wraps."""
    held = node.child_by_field_name("declaration") or node.child_by_field_name("value")
    while held is not None and held.type == "call_expression":
        arguments = held.child_by_field_name("arguments")
        held = child_at(arguments, 0) if arguments is not None else None
    if held is None:
        return ""
    return source.text(held) if held.type == "identifier" else source.field(held, "name")


def _loaded(node: Node, source: Source) -> Iterator[Import]:
    """``import("./x")`` and a lone ``require("./x")``."""
    arguments = node.child_by_field_name("arguments")
    first = child_at(arguments, 0) if arguments is not None else None
    if first is not None and first.type == "string":
        yield Import(source.string(first))


def _required(node: Node, source: Source) -> Iterator[Import]:
    """``const x = require("m")``, ``const { a, b: c } = require("m")``, ``const d = require("m").d``."""
    value = node.child_by_field_name("value")
    target = node.child_by_field_name("name")
    member = ""
    if value is not None and value.type == "member_expression":
        member = source.field(value, "property")
        value = value.child_by_field_name("object")
    if value is None or target is None:
        return
    for loaded in _loaded(value, source):
        if target.type != "object_pattern":
            local = source.text(target)
            yield Import(loaded.module, member, "" if member == local else local)
            continue
        for part in target.named_children:
            if part.type == "shorthand_property_identifier_pattern":
                yield Import(loaded.module, source.text(part))
            elif part.type == "pair_pattern":
                yield Import(loaded.module, source.field(part, "key"), source.field(part, "value"))


def _assigned(node: Node, source: Source) -> Iterator[Import]:
    """``module.exports = Foo`` is all that the module is, ``module.exports = { a, b: c }`` and ``exports.b = c`` pass
    names on."""
    value = node.child_by_field_name("right")
    target = source.field(node, "left")
    if value is None:
        return
    if target != "module.exports":
        yield from _passed(value, target.rpartition(".")[2], source)
        return
    if value.type == "object":
        for part in children(value, "pair"):
            held = part.child_by_field_name("value")
            if held is not None:
                yield from _passed(held, source.string(part.child_by_field_name("key")), source)
        return
    for loaded in _required_by(value, source):
        yield from (Import(loaded.module, loaded.name, whole, reexport=True) for whole in _WHOLE)
        return
    if value.type in ("identifier", "member_expression"):
        name = source.text(value)
    else:
        name = source.field(value, "name") or source.field(value, "constructor")
    if not name and value.type in ("class", "function_expression", "arrow_function"):
        name = "exports"
    if name:
        yield from (Import("", name, whole, reexport=True) for whole in _WHOLE)


def _passed(value: Node, name: str, source: Source) -> Iterator[Import]:
    """What an export called `name` passes on: a loaded module, a member of one, something of this file."""
    for loaded in _required_by(value, source):
        yield Import(loaded.module, loaded.name, name, reexport=True)
        return
    text = source.text(value)
    if value.type in ("identifier", "member_expression") and text != name and _PATH.fullmatch(text):
        yield Import("", text, name, reexport=True)


def _required_by(value: Node, source: Source) -> Iterator[Import]:
    """The module that ``require("m")`` and ``require("m").name`` load."""
    member = ""
    if value.type == "member_expression":
        member = source.field(value, "property")
        value = value.child_by_field_name("object") or value
    if value.type == "call_expression" and source.field(value, "function") == "require":
        for loaded in _loaded(value, source):
            yield Import(loaded.module, member)


def _type(text: str) -> str:
    """A text in quotes is a type of one text, no name; a list of ``Thing`` is "Thing[]"."""
    text = text.strip().lstrip(": ")
    if text.startswith(('"', "'", "`")):
        return ""
    listed = _LIST.match(text)
    if listed is None:
        return bare_type(text)
    inner = bare_type(listed["plain"] or listed["inner"])
    return f"{inner}[]" if inner and inner not in _IGNORED else ""


RULES = Rules(
    imports=_imports,
    constructors={"new_expression": "constructor"},
    callees={"call_expression": ("function",)},
    aliases=frozenset({"identifier", "member_expression", "subscript_expression"}),
    through={"await_expression": 0, "parenthesized_expression": 0, "binary_expression": -1, "as_expression": 0},
    selves=frozenset({"this"}),
    ignored_types=_IGNORED,
    ignored_calls=frozenset({"require"}),
    type_name=_type,
)
