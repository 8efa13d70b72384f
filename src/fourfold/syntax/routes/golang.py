"""What the routers of Go share: groups in variables and closures, functions that are handed a router or return
one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fourfold.syntax.routes.calls import CALL_TYPES, Call, read_call, text_of
from fourfold.syntax.routes.walker import Place, Scope, Walker

if TYPE_CHECKING:
    from tree_sitter import Node


class GoWalker(Walker):
    """Follows routers; the readers say which methods make groups (name to the position of the path, -1 where there
    is none)."""

    groups: ClassVar[dict[str, int]] = {}
    makers: frozenset[str] = frozenset()
    router_types: tuple[str, ...] = ()

    def __init__(self, source: object) -> None:
        super().__init__(source)  # type: ignore[arg-type]
        self._made_by: dict[str, str] = {}
        self._field_types: dict[str, str] = {}

    def on_node(self, node: Node, scope: Scope) -> None:
        """Note the types of fields: what they hold may have routes."""
        if node.type == "field_declaration":
            kind = text_of(node.child_by_field_name("type")).lstrip("*")
            for name in node.children_by_field_name("name"):
                self._field_types[text_of(name)] = kind

    def enter(self, function: Node, scope: Scope) -> Scope:
        """Methods are named with their type; parameters of a router's type are routers."""
        inner = super().enter(function, scope)
        receiver = function.child_by_field_name("receiver")
        if receiver is not None and receiver.named_child_count:
            kind = text_of(receiver.named_children[0].child_by_field_name("type")).lstrip("*")
            inner.owner = f"{kind}.{inner.owner}"
        parameters = function.child_by_field_name("parameters")
        for child in parameters.named_children if parameters is not None else ():
            kind = text_of(child.child_by_field_name("type")).lstrip("*")
            name = text_of(child.child_by_field_name("name"))
            if name and name not in inner.places and kind.endswith(self.router_types):
                inner.places[name] = Place(f"{inner.owner}.{name}")
        return inner

    def on_assign(self, name: str, value: Node, scope: Scope) -> None:
        """Remember groups, fresh routers, and from which package a value comes."""
        if value.type not in CALL_TYPES:
            return
        call = read_call(value)
        if call is None:
            return
        if call.name in self.makers:
            full = scope.full_name(name)
            scope.places[name] = Place(full)
            self.declare(full)
            return
        place = self.place(value, scope)
        if place is not None:
            scope.places[name] = place
        elif call.receiver is not None and call.receiver.type == "identifier":
            self._made_by[name] = text_of(call.receiver)

    def place(self, node: Node | None, scope: Scope) -> Place | None:
        """The router that an expression yields; any name that nothing is known of may be one."""
        if node is None:
            return None
        if node.type in CALL_TYPES:
            call = read_call(node)
            if call is None or call.receiver is None or call.name not in self.groups:
                return None
            below = self.place(call.receiver, scope)
            position = self.groups[call.name]
            if below is None or position < 0:
                return below
            path = self.values.text(call.args[position]) if len(call.args) > position else None
            return below.below(path) if path is not None else None
        name = text_of(node)
        return scope.place(name) or (Place(scope.full_name(name)) if node.type != "func_literal" else None)

    def target(self, node: Node) -> str:
        """What is mounted: ``pkg.Function``; the package of a variable stands for the variable."""
        if node.type in CALL_TYPES:
            call = read_call(node)
            if call is None:
                return ""
            receiver = text_of(call.receiver).partition("{")[0].lstrip("&(*")
            field = receiver.rsplit(".", 1)[-1] if "." in receiver else ""
            receiver = self._field_types.get(field) or self._made_by.get(receiver, receiver)
            return f"{receiver}.{call.name}" if receiver else call.name
        return text_of(node)

    def handed_over(self, call: Call, scope: Scope) -> None:
        """``users.Register(v1.Group("/users"))``."""
        for argument in call.args:
            place = self.place(argument, scope) if argument.type in CALL_TYPES else scope.place(text_of(argument))
            if place is not None:
                self.mount(place, self.target(call.node), "", call.line)
                return
