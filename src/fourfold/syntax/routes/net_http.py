"""net/http of Go (patterns with a method too) and gorilla/mux."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from fourfold.model.route import ANY
from fourfold.syntax.routes.calls import CALL_TYPES, Call, read_call
from fourfold.syntax.routes.golang import GoWalker
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Scope, handler_name

if TYPE_CHECKING:
    from tree_sitter import Node

_PATTERN = re.compile(r"^(?:([A-Z]+)[ \t]+)?([\w.-]*/.*|\$\{.*)$")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of net/http."""
    return ("HandleFunc(" in text or ".Handle(" in text) and "go-chi/chi" not in text and "gin-gonic" not in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(GoWalker):
    framework = "net/http"
    groups: ClassVar[dict[str, int]] = {"PathPrefix": 0, "Subrouter": -1, "Path": 0, "Host": -1}
    makers = frozenset({"NewServeMux", "NewRouter"})
    router_types = ("http.ServeMux", "mux.Router")

    def __init__(self, source: RouteSource) -> None:
        super().__init__(source)
        self._methods: dict[int, list[str]] = {}

    def on_call(self, call: Call, scope: Scope) -> None:
        if call.name == "Methods" and call.receiver is not None:
            self._note_methods(call, call.receiver)
        elif call.name in ("HandleFunc", "Handle") and len(call.args) == 2 and call.receiver is not None:
            self._route(call, scope)
        elif call.name not in self.groups:
            self.handed_over(call, scope)

    def _note_methods(self, call: Call, receiver: Node) -> None:
        methods = [text for one in call.args if (text := _method(self.values.text(one)))]
        while receiver.type in CALL_TYPES:
            self._methods[receiver.id] = methods
            inner = read_call(receiver)
            if inner is None or inner.receiver is None:
                return
            receiver = inner.receiver

    def _route(self, call: Call, scope: Scope) -> None:
        text = self.values.literal(call.args[0])
        found = _PATTERN.match(text) if text is not None else None
        place = self.place(call.receiver, scope)
        if found is None or place is None:
            return
        method, path = found.groups()
        for one in self._methods.get(call.node.id) or [method or ANY]:
            self.route(one, path, handler_name(call.args[1]), call.line, place)


def _method(text: str | None) -> str:
    """``GET`` of ``"GET"`` and of ``${http.MethodGet}``."""
    return (text or "").strip("${}").removeprefix("http.Method").upper()
