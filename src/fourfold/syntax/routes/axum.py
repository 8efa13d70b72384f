"""Axum: ``Router::route`` with method routers, ``nest``, ``merge``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY
from fourfold.syntax.routes.calls import CALL_TYPES, Call
from fourfold.syntax.routes.rust import VERBS, ChainWalker
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Place, Scope, handler_name

if TYPE_CHECKING:
    from tree_sitter import Node

_STEPS = frozenset({"route", "nest", "merge", "route_service", "nest_service"})


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Axum."""
    return "axum" in text and ("Router" in text or "routing" in text)


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(ChainWalker):
    framework = "axum"

    def is_step(self, call: Call) -> bool:
        return call.name in _STEPS and bool(call.args)

    def on_step(self, call: Call, place: Place, scope: Scope) -> None:
        if call.name == "merge" and call.args:
            self._inside(call.args[0], place, scope)
            return
        path = self.values.text(call.args[0]) if len(call.args) > 1 else None
        if path is None:
            return
        if call.name == "route":
            for method, handler in self._methods(call.args[1]):
                self.route(method, path, handler, call.line, place)
        elif call.name == "route_service":
            self.route(ANY, path, handler_name(call.args[1]), call.line, place)
        elif call.name == "nest":
            self._inside(call.args[1], place.below(path), scope)

    def _inside(self, node: Node, place: Place, scope: Scope) -> None:
        """Routes of a router that is put at `place`: built right here, or named."""
        calls, _ = self._calls(node)
        if any(self.is_step(call) for call in calls):
            self.chain(node, place, scope, is_bound=True)
        else:
            target = self.target(calls[0].node if calls else node)
            known = scope.full_name(target)
            self.mount(
                Place(place.router), known if known != target else target, place.prefix, node.start_point.row + 1
            )

    def _methods(self, node: Node) -> list[tuple[str, str]]:
        """Methods and handlers of ``get(a).post(b)``."""
        if node.type not in CALL_TYPES:
            return [(ANY, handler_name(node))]
        calls, _ = self._calls(node)
        found = []
        for call in calls:
            base = call.name.removesuffix("_service")
            if base in VERBS or base == "any":
                handler = handler_name(call.args[0]) if call.args else ""
                found.append((VERBS.get(base, ANY), handler))
            elif call.name == "on" and len(call.args) > 1:
                method = (self.values.text(call.args[0]) or "").strip("${}").rsplit("::", 1)[-1]
                found.append((method or ANY, handler_name(call.args[1])))
        return found or [(ANY, "")]
