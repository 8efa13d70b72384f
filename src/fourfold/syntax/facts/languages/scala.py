"""Scala: selectors of imports, calls that make what they are named after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.names import split_outside
from fourfold.syntax.facts.rules import Rules, capitalised
from fourfold.syntax.facts.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    String Int Long Boolean Double Float Short Byte Char Unit Any AnyRef AnyVal Nothing Null List Seq Map Set Option
    Either Vector Array Iterator Future Function tailrec inline
"""
_RENAMED = re.compile(r"\s+as\s+")


def _imports(node: Node, source: Source) -> Iterator[Import]:
    text = source.text(node).removeprefix("import").replace("=>", " as ")
    for part in split_outside(text, ","):
        path, brace, names = part.partition("{")
        if not brace:
            yield _one(*"".join(_RENAMED.split(path)[0].split()).rpartition(".")[::2], part)
            continue
        module = "".join(path.split()).rstrip(".")
        for selector in split_outside(names.rstrip("} \n"), ","):
            yield _one(module, _RENAMED.split(selector)[0].strip(), selector)


def _one(module: str, name: str, text: str) -> Import:
    renamed = _RENAMED.split(text.strip())
    if name in ("_", "*", "given"):
        return Import(module, "*")
    return Import(module, name, renamed[1].strip() if len(renamed) > 1 else "")


RULES = Rules(
    imports=_imports,
    constructors={"instance_expression": 0},
    callees={"call_expression": ("function",)},
    aliases=frozenset({"identifier", "field_expression"}),
    is_constructor=capitalised,
    selves=frozenset({"this", "self"}),
    ignored_types=frozenset(_OWN_TYPES.split()),
)
