"""FastAPI: decorators, ``add_api_route``, routers with a prefix, ``include_router``, mounted applications."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.syntax.routes.calls import Call, items_of, text_of
from fourfold.syntax.routes.python import PythonWalker
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Scope, handler_name

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = frozenset({"get", "post", "put", "patch", "delete", "options", "head", "trace"})

_DECORATED = re.compile(r"\n@[\w.]+\.(?:get|post|put|patch|delete|api_route)\(")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of FastAPI."""
    if "fastapi" in text or "APIRouter" in text or "include_router" in text:
        return True
    return "flask" not in text and bool(_DECORATED.search(text))


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(PythonWalker):
    framework = "fastapi"

    def on_decorator(self, call: Call, handler: str, scope: Scope) -> None:
        path = self.values.text(call.args[0] if call.args else call.named.get("path"))
        if call.receiver is None or path is None or not (path == "" or path.startswith(("/", "$"))):
            return
        if call.name in _VERBS:
            self.route(call.name.upper(), path, handler, call.line, self.place(call.receiver, scope))
        elif call.name == "api_route":
            for method in self.methods(call.named.get("methods"), "GET"):
                self.route(method, path, handler, call.line, self.place(call.receiver, scope))

    def on_call(self, call: Call, scope: Scope) -> None:
        if call.receiver is None:
            return
        if call.name == "include_router" and (call.args or "router" in call.named):
            target = call.args[0] if call.args else call.named["router"]
            prefix = self.values.text(call.named.get("prefix")) or ""
            self.mount(self.place(call.receiver, scope), text_of(target), prefix, call.line)
        elif call.name == "mount" and len(call.args) > 1:
            below = self.values.literal(call.args[0])
            if below is not None:
                self.mount(self.place(call.receiver, scope), text_of(call.args[1]), below, call.line)
        elif call.name == "add_api_route":
            self._added(call, scope)

    def _added(self, call: Call, scope: Scope) -> None:
        path = self.values.text(call.args[0] if call.args else call.named.get("path"))
        handler = call.args[1] if len(call.args) > 1 else call.named.get("endpoint")
        if path is not None and call.receiver is not None:
            for method in self.methods(call.named.get("methods"), "GET"):
                self.route(method, path, handler_name(handler), call.line, self.place(call.receiver, scope))

    def on_assign(self, name: str, value: Node, scope: Scope) -> None:
        call = self.call(value)
        if call is not None and call.name in ("APIRouter", "FastAPI"):
            self.declare(name, self.values.text(call.named.get("prefix")) or "")
            for listed in items_of(call.named["routes"]) if "routes" in call.named else ():
                self.walk(listed, scope)
