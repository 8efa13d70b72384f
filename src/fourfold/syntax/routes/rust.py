"""What Actix and Axum share: routers built by chains of calls, in functions that return or receive them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.syntax.routes.calls import CALL_TYPES, Call, read_call, text_of
from fourfold.syntax.routes.walker import Place, Scope, Walker

if TYPE_CHECKING:
    from tree_sitter import Node

VERBS = {verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "head", "options", "trace")}
"""Functions and macros named like a method."""


class ChainWalker(Walker):
    """Takes each chain of calls apart once, from its outermost call: ``Router::new().route(..).nest(..)``."""

    def __init__(self, source: object) -> None:
        super().__init__(source)  # type: ignore[arg-type]
        self._done: set[int] = set()
        self._names: dict[int, str] = {}

    def on_node(self, node: Node, scope: Scope) -> None:
        """A chain that is the value of a variable is known by it."""
        if node.type == "let_declaration":
            value = node.child_by_field_name("value")
            if value is not None and value.type in CALL_TYPES:
                name = text_of(node.child_by_field_name("pattern")).removeprefix("mut")
                scope.names.add(name)
                self._names[value.id] = scope.full_name(name)

    def on_call(self, call: Call, scope: Scope) -> None:
        """Read a chain unless it is part of one that was read."""
        if call.node.id not in self._done:
            name = self._names.get(call.node.id)
            self.chain(call.node, Place(name if name is not None else scope.owner), scope, is_bound=name is not None)

    def chain(self, node: Node, place: Place, scope: Scope, *, is_bound: bool = False) -> None:
        """Read the chain that ends in `node`; what it builds is at `place`, unless it begins with a variable."""
        calls, root = self._calls(node)
        if not any(self.is_step(call) for call in calls):
            if calls and place.prefix:
                self.mount(Place(place.router), self.target(node), place.prefix, calls[0].line)
            return
        if root is not None and not is_bound:
            name = text_of(root)
            if name in scope.names or (scope.outer and name in scope.outer.names):
                place = Place(scope.full_name(name)) if not place.prefix else place
        for call in calls:
            self._done.add(call.node.id)
        first = calls[0]
        if not self.is_step(first) and self.is_builder(first):
            self.mount(place, self.target(first.node), "", first.line)
        place = self.start(first, place)
        for call in calls:
            self.on_step(call, place, scope)

    def start(self, first: Call, place: Place) -> Place:
        """Where the chain that begins with `first` puts its routes."""
        return place

    def is_step(self, call: Call) -> bool:
        """Whether `call` adds something to a router; the readers know which calls do."""
        return False

    def is_builder(self, call: Call) -> bool:
        """Whether `call`, the first of a chain, is a function of the project that yields a router."""
        return call.name not in ("new", "default") and (call.receiver is None or call.receiver.type != "self")

    def on_step(self, call: Call, place: Place, scope: Scope) -> None:
        """Called for each call of a chain."""

    def target(self, node: Node) -> str:
        """What is mounted, as ``module.function``; a variable with the function that it is local to."""
        text = text_of(node.child_by_field_name("function") if node.type in CALL_TYPES else node)
        return text.replace("::", ".").removeprefix("crate.").removeprefix("self.").removeprefix("super.")

    def _calls(self, node: Node) -> tuple[list[Call], Node | None]:
        """The calls of a chain, first to last, and the expression that it begins with."""
        calls: list[Call] = []
        current: Node | None = node
        while current is not None and current.type in CALL_TYPES:
            call = read_call(current)
            if call is None:
                break
            calls.insert(0, call)
            callee = current.child_by_field_name("function")
            current = call.receiver if callee is not None and callee.type == "field_expression" else None
        return calls, current
