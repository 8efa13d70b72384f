"""NestJS: controllers and their methods, the global prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.model.route import ANY, Mount, RawRoute
from fourfold.syntax.routes.annotations import annotations_of, argument_of, classes_of, members_of, texts_of
from fourfold.syntax.routes.calls import text_of
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.values import Values

_VERBS = {verb.title(): verb for verb in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")} | {"All": ANY}
_GLOBAL_PREFIX = re.compile(r"\.setGlobalPrefix\(\s*['\"`]([^'\"`]*)['\"`]")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of NestJS."""
    return "@Controller" in text or "setGlobalPrefix" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    found = _GLOBAL_PREFIX.search(source.text)
    if found:
        yield Mount("", "*", found.group(1), source.text.count("\n", 0, found.start()) + 1, "nestjs")
    values = Values(source.root)
    for klass in classes_of(source.root):
        controller = next((mark for mark in annotations_of(klass) if mark.name == "Controller"), None)
        if controller is None:
            continue
        prefixes = texts_of(argument_of(controller, "path", ""), values) or [""]
        for member, marks in members_of(klass):
            for mark in marks:
                if mark.name not in _VERBS:
                    continue
                for path in texts_of(argument_of(mark, ""), values) or [""]:
                    for prefix in prefixes:
                        yield RawRoute(
                            _VERBS[mark.name],
                            join_paths(prefix, path),
                            text_of(member.child_by_field_name("name")),
                            mark.node.start_point.row + 1,
                            "nestjs",
                        )
