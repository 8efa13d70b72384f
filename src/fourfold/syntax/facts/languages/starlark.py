"""Starlark: ``load`` names a file by its label and the names that it takes from there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, children

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_CALLS = "load package glob select fail print len range enumerate zip dict list tuple struct str int bool depset"


def _imports(node: Node, source: Source) -> Iterator[Import]:
    """``load("//a:b.bzl", "x", y = "z")``: x and z of a/b.bzl, z under the name y."""
    arguments = node.child_by_field_name("arguments")
    strings = children(arguments, "string") if arguments is not None else []
    if arguments is None or not strings:
        return
    module = _path(source.string(strings[0]))
    for one in strings[1:]:
        yield Import(module, source.string(one))
    for one in children(arguments, "keyword_argument"):
        yield Import(module, source.string(one.child_by_field_name("value")), source.field(one, "name"))


def _path(label: str) -> str:
    """``//a:b.bzl`` is a/b.bzl from the root, ``:b.bzl`` a file beside this one; ``@repo//...`` is elsewhere."""
    if label.startswith("//"):
        return "/" + label[2:].replace(":", "/").lstrip("/")
    return label.removeprefix(":")


RULES = Rules(
    imports=_imports,
    callees={"call": ("function",)},
    aliases=frozenset({"identifier"}),
    ignored_calls=frozenset(_OWN_CALLS.split()),
)
