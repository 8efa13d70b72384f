"""Python: imports, and what an assignment says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules, capitalised
from fourfold.syntax.facts.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_BUILTIN_TYPES = """
    int str bytes bool float complex object None list dict set frozenset tuple type Any Optional Union List Dict Set
    Tuple Type Callable Iterable Iterator Sequence Mapping MutableMapping Literal ClassVar Final Generator Awaitable
    Coroutine AsyncIterator AsyncIterable Annotated Self NoReturn Never Generic Protocol TypeVar FrozenSet Collection
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    """``import a.b as c``: the module a.b; ``from . import x as y``: the name x of "."."""
    if node.type == "import_statement":
        for named in node.children_by_field_name("name"):
            module, alias = _named(named, source)
            yield Import(module, "", alias)
        return
    module = "".join(source.field(node, "module_name").split())
    for named in node.children_by_field_name("name"):
        name, alias = _named(named, source)
        row = named.start_point[0] + 1
        yield Import(module, name, "" if alias == name else alias, row, reexport=bool(alias) and alias == name)
    if any(child.type == "wildcard_import" for child in node.named_children):
        yield Import(module, "*")


def _named(node: Node, source: Source) -> tuple[str, str]:
    """(name, alias) of one imported thing."""
    if node.type == "aliased_import":
        return source.field(node, "name"), source.field(node, "alias")
    return "".join(source.text(node).split()), ""


RULES = Rules(
    imports=_imports,
    callees={"call": ("function",)},
    aliases=frozenset({"identifier", "attribute"}),
    through={"await": 0, "conditional_expression": 0, "boolean_operator": -1, "parenthesized_expression": 0},
    is_constructor=capitalised,
    selves=frozenset({"self", "cls"}),
    ignored_types=frozenset(_BUILTIN_TYPES.split()),
    ignored_calls=frozenset({"super"}),
    exports="__all__",
)
