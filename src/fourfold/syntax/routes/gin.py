"""Gin (and Echo, which writes the same): upper-case methods, groups in variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from fourfold.model.route import ANY
from fourfold.syntax.routes.calls import Call, items_of, text_of
from fourfold.syntax.routes.golang import GoWalker
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Scope, handler_name

_VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Gin or Echo."""
    return "gin-gonic/gin" in text or "labstack/echo" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(GoWalker):
    framework = "gin"
    groups: ClassVar[dict[str, int]] = {"Group": 0, "Use": -1}
    makers = frozenset({"Default"})
    router_types = ("gin.RouterGroup", "gin.Engine", "gin.IRouter", "gin.IRoutes", "echo.Group", "echo.Echo")

    def on_call(self, call: Call, scope: Scope) -> None:
        if (
            call.receiver is not None
            and len(call.args) > 1
            and (call.name in _VERBS or call.name in ("Any", "Handle", "Match"))
        ):
            self._route(call, scope)
        elif call.name not in self.groups and call.name not in _VERBS:
            self.handed_over(call, scope)

    def _route(self, call: Call, scope: Scope) -> None:
        place = self.place(call.receiver, scope)
        methods, arguments = [call.name if call.name in _VERBS else ANY], call.args
        if call.name == "Handle":
            methods, arguments = [self.values.text(call.args[0]) or ANY], call.args[1:]
        elif call.name == "Match":
            methods = [text_of(one).strip('"') for one in items_of(call.args[0].named_children[-1])]
            arguments = call.args[1:]
        path = self.values.text(arguments[0]) if len(arguments) > 1 else None
        for method in methods if path is not None and place is not None else ():
            if place is not None and path is not None:
                self.route(method, path, handler_name(arguments[-1]), call.line, place)
