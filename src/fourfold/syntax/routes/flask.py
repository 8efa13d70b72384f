"""Flask: ``route`` and its short forms, ``add_url_rule``, method views, blueprints, resources of its REST
extensions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY, Mount
from fourfold.syntax.routes.calls import Call, text_of
from fourfold.syntax.routes.python import PythonWalker
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Scope, handler_name

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = frozenset({"get", "post", "put", "patch", "delete"})
_VIEW_VERBS = (*sorted(_VERBS), "head", "options")


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Flask."""
    if "fastapi" in text:
        return False
    marks = ("flask", "Blueprint(", ".route(", "add_url_rule", "register_blueprint", "add_resource(")
    return any(mark in text for mark in marks)


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    reader = _Reader(source)
    reader.read_views()
    return reader.run()


class _Reader(PythonWalker):
    framework = "flask"

    def __init__(self, source: RouteSource) -> None:
        super().__init__(source)
        self._views: dict[str, list[str]] = {}

    def read_views(self) -> None:
        """Note which methods each class of the file answers."""
        for node in self.source.root.named_children:
            klass = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
            body = klass.child_by_field_name("body") if klass and klass.type == "class_definition" else None
            if klass is None or body is None:
                continue
            inner = [one.child_by_field_name("definition") or one for one in body.named_children]
            names = {text_of(one.child_by_field_name("name")) for one in inner if one.type == "function_definition"}
            verbs = [verb.upper() for verb in _VIEW_VERBS if verb in names]
            self._views[text_of(klass.child_by_field_name("name"))] = verbs

    def on_decorator(self, call: Call, handler: str, scope: Scope) -> None:
        path = self.values.text(call.args[0] if call.args else call.named.get("rule"))
        if call.receiver is None or path is None or not (path == "" or path.startswith(("/", "$"))):
            return
        place = self.place(call.receiver, scope)
        if call.name == "route":
            verbs = self._views.get(handler) or self.methods(call.named.get("methods"), "GET")
            for method in verbs:
                self.route(method, path, handler, call.line, place)
        elif call.name in _VERBS:
            self.route(call.name.upper(), path, handler, call.line, place)

    def on_call(self, call: Call, scope: Scope) -> None:
        if call.receiver is None:
            return
        if call.name == "add_url_rule":
            self._rule(call, scope)
        elif call.name == "register_blueprint" and call.args:
            prefix = self.values.text(call.named.get("url_prefix")) or ""
            self.mount(self.place(call.receiver, scope), text_of(call.args[0]), prefix, call.line)
        elif call.name == "add_resource" and len(call.args) > 1:
            view = text_of(call.args[0])
            for path in (self.values.literal(one) for one in call.args[1:]):
                for method in self._views.get(view) or [ANY]:
                    if path is not None:
                        self.route(method, path, view, call.line, self.place(call.receiver, scope))

    def _rule(self, call: Call, scope: Scope) -> None:
        path = self.values.text(call.args[0] if call.args else call.named.get("rule"))
        view = call.args[2] if len(call.args) > 2 else call.named.get("view_func")
        if path is None or call.receiver is None:
            return
        handler = handler_name(view)
        name, as_view, _ = handler.partition(".as_view(")
        verbs = ["GET"]
        if "methods" in call.named:
            verbs = self.methods(call.named["methods"], "GET")
        elif as_view:
            handler = name
            verbs = self._views.get(name.rsplit(".", 1)[-1]) or [ANY]
        for method in verbs:
            self.route(method, path, handler.partition(".as_view(")[0], call.line, self.place(call.receiver, scope))

    def on_assign(self, name: str, value: Node, scope: Scope) -> None:
        call = self.call(value)
        if call is None:
            return
        if call.name in ("Blueprint", "Flask", "Namespace", "APIBlueprint"):
            self.declare(name, self.values.text(call.named.get("url_prefix")) or "")
        elif call.name == "Api":
            self.declare(name, self.values.text(call.named.get("prefix")) or "")
            if call.args:
                self.facts.append(self._api_mount(name, call))

    def _api_mount(self, name: str, call: Call) -> RouteFact:
        """An ``Api`` hangs on the blueprint or application that it is made with."""
        return Mount(text_of(call.args[0]), name, "", call.line, self.framework)
