"""NestJS: controllers and their methods, the global prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from fourfold.model.route import ANY, VERSION, Mount, RawRoute
from fourfold.syntax.routes.annotations import annotations_of, argument_of, classes_of, members_of, texts_of
from fourfold.syntax.routes.calls import text_of
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.values import Values

_VERBS = {verb.title(): verb for verb in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")} | {"All": ANY}
_GLOBAL_PREFIX = re.compile(r"\.setGlobalPrefix\(\s*(?:['\"`]([^'\"`]*)['\"`]|([\w.]+(?:\(['\"\w.]*)?))")
_VERSIONING = re.compile(r"\.enableVersioning\(\s*(?:\)|\{([^{}]*)\})", re.DOTALL)
_VERSION_PREFIX = re.compile(r"\bprefix:\s*['\"]([^'\"]*)['\"]")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of NestJS."""
    return "@Controller" in text or "setGlobalPrefix" in text or "enableVersioning" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    yield from _application(source.text)
    values = Values(source.root)
    for klass in classes_of(source.root):
        controller = next((mark for mark in annotations_of(klass) if mark.name == "Controller"), None)
        if controller is None:
            continue
        prefixes = texts_of(argument_of(controller, "path", ""), values) or [""]
        own = texts_of(argument_of(controller, "version"), values) or [""]
        for member, marks in members_of(klass):
            for mark in marks:
                if mark.name not in _VERBS:
                    continue
                name = text_of(member.child_by_field_name("name"))
                versions = [
                    text for one in marks if one.name == "Version" for text in texts_of(argument_of(one, ""), values)
                ]
                paths = texts_of(argument_of(mark, "path", ""), values) or [""]
                for prefix, path, version in product(prefixes, paths, versions or own):
                    router = f"{VERSION}{version}" if version else ""
                    line = mark.node.start_point.row + 1
                    yield RawRoute(_VERBS[mark.name], join_paths(prefix, path), name, line, "nestjs", router)


def _closed(expression: str) -> str:
    return f"{expression})" if "(" in expression else expression


def _application(text: str) -> Iterator[Mount]:
    """What ``main.ts`` puts before all routes, and before those that have a version."""
    found = _GLOBAL_PREFIX.search(text)
    if found:
        prefix = found.group(1) if found.group(1) is not None else f"${{{_closed(found.group(2))}}}"
        yield Mount("", "*", prefix, text.count("\n", 0, found.start()) + 1, "nestjs")
    found = _VERSIONING.search(text)
    if found and "HEADER" not in found.group() and "MEDIA_TYPE" not in found.group():
        named = _VERSION_PREFIX.search(found.group())
        line = text.count("\n", 0, found.start()) + 1
        yield Mount("", f"{VERSION}*", named.group(1) if named else "v", line, "nestjs")
