"""Dart: an import brings every name of a library, or those it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    String int double num bool dynamic void Object List Map Set Iterable Function Null Never Future Stream FutureOr
    Duration override immutable
"""
_URI = re.compile(r"[\"']([^\"']*)[\"']")
_ALIAS = re.compile(r"\bas\s+(\w+)")
_SHOW = re.compile(r"\bshow\s+([\w\s,]+?)(?:\bhide\b|;|$)")


def _imports(node: Node, source: Source) -> Iterator[Import]:
    text = source.text(node)
    uri = _URI.search(text)
    if uri is None:
        return
    module, rest = uri.group(1), text[uri.end() :]
    shared = text.lstrip().startswith("export")
    alias, shown = _ALIAS.search(rest), _SHOW.search(rest)
    if alias:
        yield Import(module, "", alias.group(1))
    elif shown:
        for name in shown.group(1).split(","):
            yield Import(module, name.strip(), reexport=shared)
    else:
        yield Import(module, "*", reexport=shared)


RULES = Rules(
    imports=_imports,
    constructors={"new_expression": 0},
    selves=frozenset({"this"}),
    ignored_types=frozenset(_OWN_TYPES.split()),
    ignored_calls=frozenset({"assert", "print"}),
)
