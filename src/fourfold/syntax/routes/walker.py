"""A walk over a file that knows which variable holds which router."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from fourfold.model.route import Mount, RawRoute, Router
from fourfold.syntax.routes.calls import (
    ASSIGNMENTS,
    CALL_TYPES,
    FUNCTION_TYPES,
    Call,
    parameters_of,
    read_call,
    text_of,
)
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.source import RouteFact, RouteSource
from fourfold.syntax.routes.values import Values

if TYPE_CHECKING:
    from tree_sitter import Node


class Place(NamedTuple):
    """Where routes are put: a router by name, and a prefix below it."""

    router: str
    prefix: str = ""

    def below(self, prefix: str) -> Place:
        """The place `prefix` further down."""
        return Place(self.router, join_paths(self.prefix, prefix))


class Scope:
    """Variables of a function, inside those of what encloses it."""

    __slots__ = ("names", "outer", "owner", "places")

    def __init__(self, owner: str = "", outer: Scope | None = None) -> None:
        self.owner = owner
        self.outer = outer
        self.names: set[str] = set()
        self.places: dict[str, Place] = {}

    def place(self, name: str) -> Place | None:
        """The router that `name` holds here, None where nothing is known of it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.places:
                return scope.places[name]
            if name in scope.names:
                return None
            scope = scope.outer
        return None

    def full_name(self, name: str) -> str:
        """`name` with the function whose variable it is."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return f"{scope.owner}.{name}" if scope.owner else name
            scope = scope.outer
        return name


class Walker:
    """Base of the readers that follow routers through variables: what the language's calls and assignments do is
    told by the methods that a reader overrides."""

    framework = ""
    owns_locals = True
    """Whether a router that is local to a function is named after it."""

    def __init__(self, source: RouteSource) -> None:
        self.source = source
        self.values = Values(source.root)
        self.facts: list[RouteFact] = []
        self._bound: dict[int, Place] = {}

    def run(self) -> Iterator[RouteFact]:
        """All that the file says."""
        self.walk(self.source.root, Scope())
        return iter(self.facts)

    def on_call(self, call: Call, scope: Scope) -> None:
        """Called for every call, outer before inner."""

    def on_assign(self, name: str, value: Node, scope: Scope) -> None:
        """Called for every assignment, after the calls in `value`."""

    def on_node(self, node: Node, scope: Scope) -> None:
        """Called for every node."""

    def walk(self, node: Node, scope: Scope) -> None:
        """Visit `node` and all below it."""
        kind = node.type
        self.on_node(node, scope)
        if kind in FUNCTION_TYPES:
            scope = self.enter(node, scope)
        elif kind in CALL_TYPES:
            call = read_call(node)
            if call is not None:
                self.on_call(call, scope)
        for child in node.named_children:
            self.walk(child, scope)
        fields = ASSIGNMENTS.get(kind)
        if fields:
            name, value = (node.child_by_field_name(one) for one in fields)
            if value is None and node.named_child_count > 1:
                value = node.named_children[-1]
            if name is not None and value is not None:
                self._assign(name, value, scope)

    def _assign(self, name: Node, value: Node, scope: Scope) -> None:
        if value.type == "expression_list" and value.named_child_count:
            value = value.named_children[0]
        first = name.named_children[0] if name.type == "expression_list" and name.named_child_count else name
        text = text_of(first).removeprefix("mut").lstrip("$")
        if "." not in text:
            scope.names.add(text)
        self.on_assign(text, value, scope)

    def enter(self, function: Node, scope: Scope) -> Scope:
        """The scope inside `function`."""
        name = text_of(function.child_by_field_name("name"))
        inner = Scope(name or scope.owner, scope)
        parameters = parameters_of(function)
        inner.names.update(name for name, _ in parameters)
        place = self._bound.get(function.id)
        if place is not None and parameters:
            inner.places[parameters[0][0]] = place
        return inner

    def bind(self, function: Node, place: Place) -> None:
        """The first parameter of `function` is the router at `place`."""
        self._bound[function.id] = place

    def route(self, method: str, path: str, handler: str, line: int, place: Place) -> None:
        """Note a route."""
        whole = join_paths(place.prefix, path)
        self.facts.append(RawRoute(method, whole, handler, line, self.framework, place.router))

    def mount(self, place: Place, target: str, prefix: str, line: int) -> None:
        """Note that `target` hangs on `place`."""
        if target:
            self.facts.append(Mount(place.router, target, join_paths(place.prefix, prefix), line, self.framework))

    def declare(self, name: str, prefix: str = "") -> None:
        """Note a router."""
        self.facts.append(Router(name, prefix))


def handler_name(node: Node | None) -> str:
    """The name of a handler as written; "" for an inline function."""
    if node is None or node.type in FUNCTION_TYPES:
        return ""
    text = text_of(node)
    return text if len(text) <= 120 else ""
