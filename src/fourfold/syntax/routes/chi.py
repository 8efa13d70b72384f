"""Chi: methods in title case, ``Route`` and ``Group`` with closures, ``With``, ``Mount``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from fourfold.model.route import ANY
from fourfold.syntax.routes.calls import Call
from fourfold.syntax.routes.golang import GoWalker
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Scope, handler_name

_VERBS = frozenset({"Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "Connect", "Trace"})
_WITH_METHOD = frozenset({"Method", "MethodFunc"})


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Chi."""
    return "go-chi/chi" in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(GoWalker):
    framework = "chi"
    groups: ClassVar[dict[str, int]] = {"With": -1, "Route": 0, "Group": -1}
    makers = frozenset({"NewRouter", "NewMux"})
    router_types = ("chi.Router", "chi.Mux")

    def on_call(self, call: Call, scope: Scope) -> None:
        place = self.place(call.receiver, scope) if call.receiver is not None else None
        last = call.args[-1] if call.args else None
        if place is not None and last is not None:
            if call.name in _VERBS and len(call.args) > 1:
                self._route(call.name.upper(), call, 0, scope)
            elif call.name in _WITH_METHOD and len(call.args) > 2:
                self._route(self.values.text(call.args[0]) or ANY, call, 1, scope)
            elif call.name in ("Handle", "HandleFunc") and len(call.args) > 1:
                self._route(ANY, call, 0, scope)
            elif call.name in ("Route", "Group") and last.type == "func_literal":
                path = self.values.text(call.args[0]) if call.name == "Route" else ""
                self.bind(last, place.below(path or ""))
            elif call.name == "Route" and len(call.args) > 1:
                self.mount(place, self.target(last), self.values.text(call.args[0]) or "", call.line)
            elif call.name == "Mount" and len(call.args) > 1:
                known = scope.place(self.target(last))
                target = known.router if known is not None else self.target(last)
                self.mount(place, target, self.values.text(call.args[0]) or "", call.line)
        if call.name not in ("Mount", "Use", "Route", "Group", *_VERBS):
            self.handed_over(call, scope)

    def _route(self, method: str, call: Call, position: int, scope: Scope) -> None:
        place = self.place(call.receiver, scope)
        path = self.values.literal(call.args[position])
        if place is not None and path is not None and path.startswith(("/", "$")):
            self.route(method, path, handler_name(call.args[-1]), call.line, place)
