"""ASP.NET minimal APIs: ``MapGet`` and its kin, groups, extension methods that map a module's endpoints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY
from fourfold.syntax.routes.calls import CALL_TYPES, Call, read_call, text_of
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Place, Scope, Walker, handler_name

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = {f"Map{verb.title()}": verb for verb in ("GET", "POST", "PUT", "PATCH", "DELETE")} | {
    "Map": ANY,
    "MapForwarder": ANY,
}
_OTHERS = frozenset(
    "MapGroup MapHub MapControllers MapRazorPages MapFallback MapFallbackToFile MapControllerRoute "
    "MapDefaultControllerRoute MapBlazorHub MapRazorComponents MapGrpcService MapReverseProxy MapMetrics MapMethods "
    "MapWhen MapOpenApi MapStaticAssets".split()
)


def applies(text: str) -> bool:
    """Whether `text` may hold minimal APIs."""
    return ".Map" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(Walker):
    framework = "aspnet"

    def on_call(self, call: Call, scope: Scope) -> None:
        if call.receiver is None or not call.name.startswith("Map"):
            return
        place = self.place(call.receiver, scope)
        if place is None:
            return
        path = self.values.text(call.args[0]) if call.args else None
        if call.name in _VERBS and len(call.args) > 1 and path is not None:
            self.route(_VERBS[call.name], path, handler_name(call.args[1]), call.line, place)
        elif call.name == "MapHealthChecks" and path is not None:
            self.route(ANY, path, "", call.line, place)
        elif call.name == "MapMethods" and len(call.args) > 2 and path is not None:
            methods = [text for one in _strings(call.args[1]) if (text := self.values.literal(one))]
            for method in methods or [ANY]:
                self.route(method.upper(), path, handler_name(call.args[2]), call.line, place)
        elif call.name not in _VERBS and call.name not in _OTHERS:
            self.mount(place, call.name, "", call.line)

    def on_assign(self, name: str, value: Node, scope: Scope) -> None:
        call = read_call(value) if value.type in CALL_TYPES else None
        if call is None:
            return
        place = self.place(value, scope)
        if place is not None and (call.name != "Build" or name):
            scope.places[name] = Place(scope.full_name(name)) if call.name == "Build" else place

    def place(self, node: Node | None, scope: Scope) -> Place | None:
        """The group that an expression yields; conventions (``RequireAuthorization()``) yield what they are called
        on."""
        if node is None:
            return None
        if node.type in CALL_TYPES:
            call = read_call(node)
            if call is None or call.receiver is None:
                return None
            below = self.place(call.receiver, scope)
            if call.name != "MapGroup" or below is None:
                return below
            return below.below(self.values.text(call.args[0]) or "" if call.args else "")
        name = text_of(node)
        return scope.place(name) or Place(scope.full_name(name))


def _strings(node: Node) -> list[Node]:
    found, stack = [], [node]
    while stack:
        one = stack.pop()
        if one.type == "string_literal":
            found.append(one)
        else:
            stack += reversed(one.named_children)
    return found
