"""net/http of Go (patterns with a method too), gorilla/mux and httprouter."""

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

_ROUTER_VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_MARKS = ("julienschmidt/httprouter", "HandleFunc(", ".Handle(", ".HandlerFunc(", ".Handler(")
_PATTERN = re.compile(r"^(?:([A-Z]+)[ \t]+)?([\w.-]*/.*|\$\{.*)$")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of net/http."""
    return any(mark in text for mark in _MARKS) and "go-chi/chi" not in text and "gin-gonic" not in text


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(GoWalker):
    framework = "net/http"
    groups: ClassVar[dict[str, int]] = {"PathPrefix": 0, "Subrouter": -1, "Path": 0, "Host": -1, "Methods": -1}
    makers = frozenset({"NewServeMux", "NewRouter"})
    router_types = ("http.ServeMux", "mux.Router")

    def __init__(self, source: RouteSource) -> None:
        super().__init__(source)
        self._methods: dict[int, list[str]] = {}
        self._is_httprouter = "julienschmidt/httprouter" in source.text

    def on_call(self, call: Call, scope: Scope) -> None:
        if call.name == "Methods" and call.receiver is not None:
            self._note_methods(call, call.receiver)
        elif call.name in ("HandleFunc", "Handle") and len(call.args) == 2 and call.receiver is not None:
            self._route(call, scope)
        elif call.name in _ROUTER_VERBS and self._is_httprouter and len(call.args) == 2:
            path, place = self.values.literal(call.args[0]), self.place(call.receiver, scope)
            if path is not None and place is not None:
                self.route(call.name, path, handler_name(call.args[1]), call.line, place)
        elif call.name in ("HandlerFunc", "Handler", "Handle") and len(call.args) == 3 and call.receiver is not None:
            self._with_method(call, scope)
        elif call.name in ("HandlerFunc", "Handler") and len(call.args) == 1 and self._on_path(call):
            place = self.place(call.receiver, scope)
            if place is not None:
                for one in self._methods.get(call.node.id) or [ANY]:
                    self.route(one, "", handler_name(call.args[0]), call.line, place)
        elif call.name not in self.groups:
            self.handed_over(call, scope)

    def _on_path(self, call: Call) -> bool:
        """``router.PathPrefix("/assets/").Handler(files)``."""
        receiver = call.receiver
        inner = read_call(receiver) if receiver is not None and receiver.type in CALL_TYPES else None
        return inner is not None and inner.name in ("Path", "PathPrefix", "Methods")

    def _with_method(self, call: Call, scope: Scope) -> None:
        """httprouter: ``router.HandlerFunc(http.MethodGet, "/x", handler)``."""
        method, path = _method(self.values.text(call.args[0])), self.values.literal(call.args[1])
        place = self.place(call.receiver, scope)
        if method.isalpha() and path is not None and path.startswith("/") and place is not None:
            self.route(method, path, handler_name(call.args[2]), call.line, place)

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
