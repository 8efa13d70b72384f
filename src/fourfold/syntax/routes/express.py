"""Express and its kin: methods of applications and routers, ``route`` chains, ``use`` mounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.route import ANY
from fourfold.syntax.routes.calls import ASSIGNMENTS, CALL_TYPES, Call, items_of, pairs_of, read_call, text_of
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.walker import Place, Scope, Walker, handler_name

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = {verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "head", "options")}
_VERBS |= {"all": ANY, "del": "DELETE"}
_ROUTER_NAME = re.compile(r"^(?:this\.|self\.)?_?(?:\w*[rR]outers?|\w*[aA]pp|server|api|\w*Routes?|express)$")
_ROUTER_CALL = re.compile(
    r"^(?:express|Router|(?:\w+\.)*Router|.*require\(['\"]express['\"]\)(?:\.Router)?|\w*createApp)$"
)
DEFAULT = "default"
"""The name of a router that no variable holds: what a module exports."""

_USED = re.compile(
    r"\b(?:app|\w*[rR]outer|server|api|\w*Routes?)\s*\.\s*(?:get|post|put|patch|delete|all|route|use)\s*\("
)


def applies(text: str) -> bool:
    """Whether `text` may hold routes of Express."""
    return ("express" in text or "outer" in text or "app." in text) and bool(_USED.search(text) or "Router()" in text)


def routes(source: RouteSource) -> Iterator[RouteFact]:
    """What `source` says of routes."""
    return _Reader(source).run()


class _Reader(Walker):
    framework = "express"

    def __init__(self, source: RouteSource) -> None:
        super().__init__(source)
        self._chains: dict[int, str] = {}

    def on_node(self, node: Node, scope: Scope) -> None:
        """``const api = Router().use(users)``: the router at the start of a chain is known by the variable."""
        fields = ASSIGNMENTS.get(node.type)
        name, value = (node.child_by_field_name(one) for one in fields) if fields else (None, None)
        root = _root_call(value) if value is not None else None
        if name is not None and root is not None:
            self._chains[root.id] = text_of(name)

    def on_assign(self, name: str, value: Node, scope: Scope) -> None:
        if value.type in CALL_TYPES:
            call = read_call(value)
            if call is None:
                return
            if _root_call(value) is not None and name:
                full = scope.full_name(name)
                scope.places[name] = Place(full)
                self.declare(full)
            elif call.name == "route" and call.args:
                place = self.place(value, scope)
                if place is not None:
                    scope.places[name] = place

    def place(self, node: Node | None, scope: Scope) -> Place | None:
        """The router that an expression yields."""
        if node is None:
            return None
        if node.type in CALL_TYPES:
            call = read_call(node)
            if call is None:
                return None
            if node.id in self._chains or _makes_router(call):
                return Place(scope.full_name(self._chains.get(node.id, DEFAULT)))
            if call.name == "route" and call.args:
                below = self.place(call.receiver, scope)
                path = self.values.text(call.args[0])
                return below.below(path) if below is not None and path is not None else None
            return self.place(call.receiver, scope) if call.name in _VERBS or call.name == "use" else None
        name = text_of(node)
        known = scope.place(name)
        if known is not None:
            return known
        return Place(scope.full_name(name)) if _ROUTER_NAME.match(name) else None

    def on_call(self, call: Call, scope: Scope) -> None:
        if call.name in _VERBS and call.receiver is not None and call.args:
            self._verb(call, scope)
        elif call.name == "use" and call.args:
            self._use(call, scope)
        elif call.receiver is None or call.receiver.type not in CALL_TYPES:
            self._handed_over(call, scope)

    def _verb(self, call: Call, scope: Scope) -> None:
        place = self.place(call.receiver, scope)
        if place is None:
            return
        handler = handler_name(call.args[-1])
        in_chain = call.receiver is not None and _is_route_chain(call.receiver)
        if in_chain:
            self.route(_VERBS[call.name], "", handler, _name_line(call), place)
        elif len(call.args) > 1:
            for path in self._paths(call.args[0]):
                self.route(_VERBS[call.name], path, handler, _name_line(call), place)

    def _paths(self, node: Node) -> list[str]:
        if node.type == "array":
            return [path for item in items_of(node) for path in self._paths(item)]
        if node.type == "regex":
            return [text_of(node)]
        path = self.values.text(node)
        return [path] if path is not None and path.startswith(("/", "*", "$", ":")) else [] if path else [""]

    def _use(self, call: Call, scope: Scope) -> None:
        place = self.place(call.receiver, scope)
        if place is None:
            return
        if len(call.args) == 2 and all(one.type == "member_expression" for one in call.args):
            self._table(call, place)
            return
        prefixes, targets = [""], call.args
        if len(call.args) > 1:
            first = call.args[0]
            paths = self._paths(first) if first.type == "array" else [self.values.text(first) or ""]
            if first.type != "identifier" or not paths[0].startswith("$"):
                prefixes, targets = paths, call.args[1:]
        for target in targets:
            name = _target(target)
            for prefix in prefixes if name else ():
                self.mount(place, self._local(name, scope), prefix, call.line)

    def _table(self, call: Call, place: Place) -> None:
        """``table.forEach((entry) => router.use(entry.path, entry.route))`` over a literal table."""
        keys = [text_of(one.child_by_field_name("property")) for one in call.args]
        stack = [self.source.root]
        while stack:
            node = stack.pop()
            pairs = pairs_of(node) if node.type == "object" else {}
            if all(key in pairs for key in keys):
                path = self.values.text(pairs[keys[0]])
                if path is not None:
                    self.mount(place, _target(pairs[keys[1]]), path, node.start_point.row + 1)
            stack += reversed(node.named_children)

    def _local(self, name: str, scope: Scope) -> str:
        known = scope.place(name)
        return known.router if known is not None else name

    def _handed_over(self, call: Call, scope: Scope) -> None:
        """``routes(app)`` and ``require("./routes")(app)``: a function puts routes on what it is given."""
        for argument in call.args[:2]:
            if argument.type in ("identifier", "member_expression"):
                place = scope.place(text_of(argument))
                target = _target(call.node.child_by_field_name("function") or call.node)
                if place is not None and target:
                    self.mount(place, target, "", call.line)


def _makes_router(call: Call) -> bool:
    callee = f"{text_of(call.receiver)}.{call.name}" if call.receiver is not None else call.name
    return bool(_ROUTER_CALL.match(callee))


def _root_call(node: Node) -> Node | None:
    """The call at the start of a chain where it makes a router."""
    while node.type in CALL_TYPES:
        call = read_call(node)
        if call is None:
            return None
        if _makes_router(call):
            return node
        if call.receiver is None or call.name not in (*_VERBS, "use"):
            return None
        node = call.receiver
    return None


def _target(node: Node) -> str:
    """What is mounted: a name, or the specifier of a ``require`` or ``import()``."""
    if node.type in CALL_TYPES:
        call = read_call(node)
        if call is not None and call.name in ("require", "import") and call.args:
            return text_of(call.args[0]).strip("\"'`")
        return text_of(node.child_by_field_name("function")) if call is not None else ""
    if node.type == "member_expression":
        inner = node.child_by_field_name("object")
        if inner is not None and inner.type in CALL_TYPES:
            return _target(inner)
        return text_of(node)
    return text_of(node) if node.type == "identifier" else ""


def _is_route_chain(node: Node) -> bool:
    """True where `node` is ``x.route(path)`` or verbs called on it."""
    while node.type in CALL_TYPES:
        call = read_call(node)
        if call is None or call.receiver is None:
            return False
        if call.name == "route":
            return True
        node = call.receiver
    return False


def _name_line(call: Call) -> int:
    callee = call.node.child_by_field_name("function")
    return (callee.end_point.row if callee is not None else call.node.start_point.row) + 1
