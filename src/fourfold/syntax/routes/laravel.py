"""Laravel: ``Route::get`` and its kin, groups, resources; Lumen's ``$router``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY, Mount, RawRoute
from fourfold.syntax.routes.calls import CALL_TYPES, FUNCTION_TYPES, Call, items_of, pairs_of, read_call, text_of
from fourfold.syntax.routes.inflect import singular
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.values import Values

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = {verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "options")} | {"any": ANY}
_ROOTS = frozenset({"Route", "$router", "$app", "$api", "$group", "$this->router", "RouteFacade"})
_ACTIONS = (
    ("index", ("GET",), ""),
    ("create", ("GET",), "create"),
    ("store", ("POST",), ""),
    ("show", ("GET",), "{}"),
    ("edit", ("GET",), "{}/edit"),
    ("update", ("PUT", "PATCH"), "{}"),
    ("destroy", ("DELETE",), "{}"),
)
_SINGLETON = ("show", "edit", "update")
_FILE = re.compile(r"['\"]/?(?:\.\./)*((?:[\w-]+/)*routes/[\w/-]+\.php)['\"]")
_WITH_ROUTING = re.compile(r"->withRouting\((.*?)\)\s*->", re.DOTALL)
_API_FILE = re.compile(r"\bapi:\s*__DIR__\s*\.\s*['\"]/?(?:\.\./)*([\w/-]+\.php)['\"]")
_API_PREFIX = re.compile(r"\bapiPrefix:\s*['\"]([^'\"]*)['\"]")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Laravel."""
    return "Route::" in text or "$router->" in text or "withRouting(" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    configured = _WITH_ROUTING.search(source.text)
    if configured:
        file, prefix = _API_FILE.search(configured.group(1)), _API_PREFIX.search(configured.group(1))
        if file:
            line = source.text.count("\n", 0, configured.start()) + 1
            yield Mount("", file.group(1), prefix.group(1) if prefix else "api", line, "laravel")
    yield from _Reader(source).read(source.root, "", "")


class _Reader:
    def __init__(self, source: RouteSource) -> None:
        self._values = Values(source.root)

    def read(self, node: Node, prefix: str, controller: str) -> Iterator[RouteFact]:
        """Routes of all statements below `node`, which stand below `prefix`."""
        if node.type in CALL_TYPES:
            calls = _chain(node)
            if calls and _root(calls[0]) in _ROOTS:
                yield from self._chain(calls, prefix, controller)
                return
        for child in node.named_children:
            yield from self.read(child, prefix, controller)

    def _chain(self, calls: list[Call], prefix: str, controller: str) -> Iterator[RouteFact]:
        for call in calls:
            if call.name == "prefix" and call.args:
                prefix = join_paths(prefix, self._values.text(call.args[0]) or "")
            elif call.name == "controller" and call.args:
                controller = _class_name(call.args[0])
            elif call.name == "group" and call.args:
                yield from self._group(call, prefix, controller)
        for call in calls:
            if call.name in _VERBS or call.name in ("match", "view", "redirect", "permanentRedirect"):
                yield from self._verb(call, prefix, controller)
            elif call.name in ("resource", "apiResource", "singleton", "apiSingleton") and len(call.args) > 1:
                yield from self._resource(call, self._values.text(call.args[0]), call.args[1], calls, prefix)
            elif call.name in ("resources", "apiResources") and call.args:
                for name, handler in pairs_of(call.args[0]).items():
                    yield from self._resource(call, name, handler, calls, prefix)

    def _group(self, call: Call, prefix: str, controller: str) -> Iterator[RouteFact]:
        if len(call.args) > 1:
            options = pairs_of(call.args[0])
            prefix = join_paths(prefix, self._values.text(options.get("prefix")) or "")
            controller = _class_name(options["controller"]) if "controller" in options else controller
        inside = call.args[-1]
        if inside.type in FUNCTION_TYPES:
            for child in inside.named_children:
                yield from self.read(child, prefix, controller)
            return
        file = _FILE.search((inside.text or b"").decode("utf-8", "replace"))
        if file:
            yield Mount("", file.group(1), prefix, call.line, "laravel")

    def _verb(self, call: Call, prefix: str, controller: str) -> Iterator[RouteFact]:
        methods, arguments = [_VERBS.get(call.name, "GET" if call.name == "view" else ANY)], call.args
        if call.name == "match" and len(arguments) > 1:
            methods = [(self._values.text(one) or "").upper() for one in items_of(arguments[0])]
            arguments = arguments[1:]
        path = self._values.text(arguments[0]) if arguments else None
        if path is None or len(arguments) < 2:
            return
        handler = self._handler(arguments[1], controller)
        for method in methods:
            yield RawRoute(method, join_paths(prefix, path) or "/", handler, call.line, "laravel")

    def _handler(self, node: Node, controller: str) -> str:
        if node.type in FUNCTION_TYPES:
            return ""
        if node.type == "array_creation_expression":
            items = items_of(node)
            named = pairs_of(node).get("uses")
            if named is not None:
                return self._values.text(named) or ""
            if len(items) > 1:
                return f"{_class_name(items[0])}@{self._values.text(items[1])}"
        text = self._values.literal(node)
        if text is not None:
            return f"{controller}@{text}" if controller and "@" not in text else text
        return _class_name(node)

    def _resource(
        self, call: Call, name: str | None, handler: Node, calls: list[Call], prefix: str
    ) -> Iterator[RouteFact]:
        if not name:
            return
        single = "ingleton" in call.name
        parts = name.strip("/").replace(".", "/").split("/") if "." in name else [name.strip("/")]
        path = "/".join(f"{part}/{{{_parameter(part)}}}" for part in parts[:-1])
        base = join_paths(join_paths(prefix, path), parts[-1])
        parameter = "" if single else f"{{{_parameter(parts[-1])}}}"
        wanted = self._wanted(call, calls, single)
        for action, methods, below in _ACTIONS:
            if action in wanted:
                whole = join_paths(base, below.format(parameter).strip("/") if "{" in below else below)
                for method in methods:
                    yield RawRoute(method, whole, f"{_class_name(handler)}@{action}", call.line, "laravel")

    def _wanted(self, call: Call, calls: list[Call], single: bool) -> set[str]:
        wanted = set(_SINGLETON) if single else {action for action, _, _ in _ACTIONS}
        if call.name.startswith("api"):
            wanted -= {"create", "edit"}
        limits = {one.name: one.args for one in calls if one.name in ("only", "except")}
        if len(call.args) > 2:
            limits |= {key: [node] for key, node in pairs_of(call.args[2]).items() if key in ("only", "except")}
        if "only" in limits:
            wanted &= self._names(limits["only"])
        if "except" in limits:
            wanted -= self._names(limits["except"])
        return wanted

    def _names(self, nodes: list[Node]) -> set[str]:
        found: set[str] = set()
        for node in nodes:
            items = items_of(node) if node.type == "array_creation_expression" else [node]
            found.update(self._values.text(one) or "" for one in items)
        return found


def _chain(node: Node) -> list[Call]:
    """The calls of a chain, first to last."""
    calls: list[Call] = []
    current: Node | None = node
    while current is not None and current.type in CALL_TYPES:
        call = read_call(current)
        if call is None:
            return []
        calls.insert(0, call)
        current = call.receiver
    return calls


def _root(call: Call) -> str:
    return text_of(call.receiver).lstrip("\\").rsplit("\\", 1)[-1]


def _class_name(node: Node) -> str:
    return text_of(node).removesuffix("::class").lstrip("\\").strip("'\"")


def _parameter(name: str) -> str:
    return singular(name.rsplit("/", 1)[-1]).replace("-", "_")
