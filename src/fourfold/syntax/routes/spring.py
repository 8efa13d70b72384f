"""Spring, in Java and Kotlin: mappings of classes and methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY, RawRoute
from fourfold.syntax.routes.annotations import annotations_of, argument_of, classes_of, members_of, texts_of
from fourfold.syntax.routes.calls import Call, text_of
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.values import Values

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = {f"{verb.title()}Mapping": verb for verb in ("GET", "POST", "PUT", "PATCH", "DELETE")}
_CLIENTS = frozenset({"FeignClient", "HttpExchange"})


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Spring."""
    return "Mapping" in text and "@" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    values = Values(source.root)
    for klass in classes_of(source.root):
        marks = annotations_of(klass)
        if any(mark.name in _CLIENTS for mark in marks):
            continue
        prefixes = [path for mark in marks if mark.name == "RequestMapping" for path in _paths(mark, values)] or [""]
        for member, marked in members_of(klass):
            for mark in marked:
                yield from _mapped(mark, prefixes, _name(member), values)


def _mapped(mark: Call, prefixes: list[str], handler: str, values: Values) -> Iterator[RouteFact]:
    if mark.name in _VERBS:
        methods = [_VERBS[mark.name]]
    elif mark.name == "RequestMapping":
        named = texts_of(argument_of(mark, "method"), values)
        methods = [text.strip("${}").rsplit(".", 1)[-1] for text in named] or [ANY]
    else:
        return
    for prefix in prefixes:
        for path in _paths(mark, values) or [""]:
            for method in methods:
                whole = join_paths(prefix, path)
                yield RawRoute(method, whole, handler, mark.node.start_point.row + 1, "spring")


def _paths(mark: Call, values: Values) -> list[str]:
    if "path" not in mark.named and "value" not in mark.named:
        return [path for one in mark.args for path in texts_of(one, values)]
    return texts_of(argument_of(mark, "path", "value"), values)


def _name(member: Node) -> str:
    return text_of(member.child_by_field_name("name"))
