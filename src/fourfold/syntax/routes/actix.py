"""Actix: attribute macros, ``web::scope``, ``web::resource``, ``route``, ``service``, ``configure``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY, RawRoute
from fourfold.syntax.routes.calls import CALL_TYPES, Call, text_of
from fourfold.syntax.routes.rust import VERBS, ChainWalker
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Place, Scope, handler_name

if TYPE_CHECKING:
    from tree_sitter import Node

_STEPS = frozenset({"service", "route", "configure", "to"})
_ATTRIBUTE = re.compile(
    r"#\[(?:\w+::)*(get|post|put|patch|delete|head|options|trace|route)\s*\(\s*r?#*\"([^\"]*)\"#*([^\]]*)\]"
)
_METHOD = re.compile(r"method\s*=\s*\"(\w+)\"")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Actix."""
    return "actix_web" in text or "ServiceConfig" in text or bool(_ATTRIBUTE.search(text))


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(ChainWalker):
    framework = "actix"

    def on_node(self, node: Node, scope: Scope) -> None:
        super().on_node(node, scope)
        if node.type == "attribute_item":
            self._attribute(node)

    def _attribute(self, node: Node) -> None:
        found = _ATTRIBUTE.match((node.text or b"").decode("utf-8", "replace"))
        function = node.next_named_sibling
        while function is not None and function.type in ("attribute_item", "line_comment", "block_comment"):
            function = function.next_named_sibling
        if found is None or function is None or function.type != "function_item":
            return
        verb, path, rest = found.groups()
        handler = text_of(function.child_by_field_name("name"))
        methods = [VERBS[verb]] if verb in VERBS else _METHOD.findall(rest) or [ANY]
        for method in methods:
            self.facts.append(RawRoute(method, path, handler, node.start_point.row + 1, self.framework, handler))

    def is_step(self, call: Call) -> bool:
        return call.name in _STEPS and bool(call.args)

    def is_builder(self, call: Call) -> bool:
        return False

    def start(self, first: Call, place: Place) -> Place:
        """A scope or a resource begins its chain with its path."""
        if first.name in ("scope", "resource") and first.args:
            return place.below(self.values.text(first.args[0]) or "")
        return place

    def on_step(self, call: Call, place: Place, scope: Scope) -> None:
        if call.name == "configure" and call.args:
            self.mount(Place(place.router), self.target(call.args[0]), place.prefix, call.line)
        elif call.name == "service" and call.args:
            self._service(call.args[0], place, scope)
        elif call.name == "to" and call.args and self._in_resource(call):
            self.route(ANY, "", handler_name(call.args[0]), call.line, place)
        elif call.name == "route" and call.args:
            path = self.values.text(call.args[0]) if len(call.args) > 1 else ""
            if path is not None:
                self._route(call, path, place)

    def _in_resource(self, call: Call) -> bool:
        calls, _ = self._calls(call.node)
        return calls[0].name == "resource"

    def _route(self, call: Call, path: str, place: Place) -> None:
        """``route("/x", web::get().to(handler))`` and, in a resource, ``route(web::get().to(handler))``."""
        calls, _ = self._calls(call.args[-1])
        self._done.update(one.node.id for one in calls)
        method, handler = ANY, ""
        for one in calls:
            if one.name in VERBS:
                method = VERBS[one.name]
            elif one.name == "method" and one.args:
                method = text_of(one.args[0]).rsplit("::", 1)[-1]
            elif one.name in ("to", "to_async") and one.args:
                handler = handler_name(one.args[0])
        self.route(method, path, handler, call.line, place)

    def _service(self, node: Node, place: Place, scope: Scope) -> None:
        """What is served: a scope or resource built right here, or a handler with a macro."""
        calls, _ = self._calls(node)
        if node.type == "tuple_expression":
            for child in node.named_children:
                self._service(child, place, scope)
        elif calls and any(self.is_step(call) for call in calls):
            self.chain(node, place, scope, is_bound=True)
        elif node.type not in CALL_TYPES:
            self.mount(Place(place.router), self.target(node), place.prefix, node.start_point.row + 1)
        elif calls:
            self.mount(Place(place.router), self.target(calls[0].node), place.prefix, node.start_point.row + 1)
