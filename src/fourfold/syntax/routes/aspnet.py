"""ASP.NET controllers: route templates in attributes, with their tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY, RawRoute
from fourfold.syntax.routes.annotations import annotations_of, argument_of, classes_of, members_of
from fourfold.syntax.routes.calls import Call, text_of
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.values import Values

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = {f"Http{verb.title()}": verb for verb in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")}
_CONTROLLER = re.compile(r"Controller(?:Base)?$")


def applies(text: str) -> bool:
    """Whether `text` may hold controllers of ASP.NET."""
    return "[Http" in text or "[Route(" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    values = Values(source.root)
    for klass in classes_of(source.root):
        marks = annotations_of(klass)
        prefixes = [_template(mark, values) or "" for mark in marks if mark.name == "Route"] or [""]
        area = next((values.text(mark.args[0]) for mark in marks if mark.name == "Area" and mark.args), None) or ""
        tokens = {"controller": _CONTROLLER.sub("", _name(klass)), "area": area}
        for member, marked in members_of(klass):
            tokens["action"] = _name(member)
            for route in _member(marked, prefixes, _name(member), values):
                yield RawRoute(route[0], _filled(route[1], tokens), _name(member), route[2], "aspnet")


def _member(marks: list[Call], prefixes: list[str], name: str, values: Values) -> Iterator[tuple[str, str, int]]:
    """Method, template and line of each route of one action."""
    verbs = [mark for mark in marks if mark.name in _VERBS]
    templates = [text for mark in marks if mark.name == "Route" and (text := _template(mark, values)) is not None]
    line = marks[0].node.start_point.row + 1 if marks else 0
    for mark in verbs:
        own = _template(mark, values)
        for template in [own] if own is not None else templates or [""]:
            for prefix in prefixes:
                yield _VERBS[mark.name], _below(prefix, template), mark.node.start_point.row + 1
    for template in templates if not verbs else ():
        for prefix in prefixes:
            yield ANY, _below(prefix, template), line


def _template(mark: Call, values: Values) -> str | None:
    return values.text(argument_of(mark, "template", "")) if mark.args or mark.named else None


def _below(prefix: str, template: str) -> str:
    """A template that begins with a slash replaces the controller's."""
    if template.startswith(("/", "~/")):
        return template.lstrip("~")
    return join_paths(prefix, template)


def _filled(template: str, tokens: dict[str, str]) -> str:
    for token, value in tokens.items():
        template = value.join(re.split(rf"\[{token}\]", template, flags=re.IGNORECASE))
    return template


def _name(node: Node) -> str:
    return text_of(node.child_by_field_name("name"))
