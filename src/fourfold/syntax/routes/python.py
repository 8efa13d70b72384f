"""What FastAPI and Flask share: decorators on functions, routers in module variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.syntax.routes.calls import Call, items_of, read_call, text_of
from fourfold.syntax.routes.walker import Place, Scope, Walker

if TYPE_CHECKING:
    from tree_sitter import Node


class PythonWalker(Walker):
    """Tells :meth:`on_decorator` of each called decorator and of what it decorates."""

    def on_decorator(self, call: Call, handler: str, scope: Scope) -> None:
        """Called for each decorator with arguments; `handler` is the decorated function or class."""

    def on_node(self, node: Node, scope: Scope) -> None:
        """Find decorated definitions."""
        if node.type != "decorated_definition":
            return
        definition = node.child_by_field_name("definition")
        handler = text_of(definition.child_by_field_name("name") if definition else None)
        for child in node.named_children:
            if child.type == "decorator" and child.named_child_count:
                call = self.call(child.named_children[0])
                if call is not None:
                    self.on_decorator(call, handler, scope)

    def call(self, node: Node) -> Call | None:
        """`node` as a call, None where it is none."""
        return read_call(node) if node.type == "call" else None

    def place(self, receiver: Node, scope: Scope) -> Place:
        """Routers of Python go by the name of their variable, wherever it lives: applications are handed around
        under one name."""
        return Place(text_of(receiver))

    def methods(self, listed: Node | None, default: str) -> list[str]:
        """The methods of ``methods=["GET", "POST"]``."""
        if listed is None:
            return [default]
        found = [text.upper() for item in items_of(listed) if (text := self.values.literal(item))]
        return found or [default]
