"""Texts in source: literals, joined literals, constants of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.syntax.routes.calls import ASSIGNMENTS, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

STRING_TYPES = frozenset(
    {
        "string",
        "string_literal",
        "interpreted_string_literal",
        "raw_string_literal",
        "encapsed_string",
        "template_string",
        "verbatim_string_literal",
        "concatenated_string",
        "interpolated_string_expression",
        "multiline_string_literal",
        "raw_string",
    }
)
_JOINED = frozenset({"binary_operator", "binary_expression", "binary", "additive_expression"})
_INTERPOLATED = frozenset({"interpolation", "template_substitution", "interpolated_expression", "variable_name"})
_MAX_DEPTH = 8
_MAX_UNKNOWN_CHARS = 60


class Values:
    """Evaluates expressions of one file as texts."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._constants: dict[str, Node] | None = None

    def text(self, node: Node | None, depth: int = 0) -> str | None:
        """The text that `node` stands for; ``${source}`` for parts that the file does not tell; None where there
        is no node or it is nothing that could be a text."""
        if node is None or depth > _MAX_DEPTH:
            return None
        kind = node.type
        if kind in STRING_TYPES:
            return self._string(node, depth)
        if kind == "simple_symbol":
            return text_of(node).lstrip(":")
        if kind in _JOINED:
            return self._joined(node, depth)
        if kind in ("parenthesized_expression", "reference_expression") and node.named_child_count:
            return self.text(node.named_children[0], depth + 1)
        if kind.endswith(("identifier", "_access", "_expression", "attribute", "name", "constant")) or kind == "call":
            return self._constant(node, depth)
        return None

    def literal(self, node: Node | None) -> str | None:
        """:meth:`text` of what is visibly a text: a literal, joined literals, or the name of a constant that
        holds one."""
        text = self.text(node)
        return None if text is None or (text.startswith("${") and text.endswith("}") and "/" not in text) else text

    def _string(self, node: Node, depth: int) -> str:
        if not node.named_child_count:
            return _unquoted(node)
        parts = []
        plain = True
        for child in node.named_children:
            if child.type in STRING_TYPES:
                parts.append(self._string(child, depth + 1))
            elif child.type in _INTERPOLATED:
                inner = child.named_children[0] if child.named_child_count else child
                parts.append(self.text(inner, depth + 1) or f"${{{text_of(inner)}}}")
            elif child.type in ("string_start", "string_end", "interpolation_start", "heredoc_start"):
                continue
            elif child.type.endswith(("content", "fragment", "escape_sequence", "string_text")):
                parts.append(_raw(child))
            else:
                plain = False
        return "".join(parts) if parts or plain else _unquoted(node)

    def _joined(self, node: Node, depth: int) -> str | None:
        operator = node.child_by_field_name("operator")
        if operator is not None and text_of(operator) not in ("+", ".", "<>"):
            return None
        sides = [node.child_by_field_name("left"), node.child_by_field_name("right")]
        if sides[0] is None and node.named_child_count == 2:
            sides = list(node.named_children)
        left, right = (self.text(side, depth + 1) for side in sides)
        return None if left is None or right is None else left + right

    def _constant(self, node: Node, depth: int) -> str:
        source = text_of(node)
        value = self._named().get(source.rsplit(".", 1)[-1].rsplit("::", 1)[-1].lstrip("$"))
        if value is not None and depth < _MAX_DEPTH:
            found = self.text(value, depth + 1)
            if found is not None:
                return found
        return f"${{{source[:_MAX_UNKNOWN_CHARS]}}}"

    def _named(self) -> dict[str, Node]:
        """Names that are bound once in the file, to a text."""
        if self._constants is None:
            found: dict[str, list[Node]] = {}
            stack = [self._root]
            while stack:
                node = stack.pop()
                fields = ASSIGNMENTS.get(node.type)
                if fields:
                    name, value = (node.child_by_field_name(one) for one in fields)
                    if value is None and node.named_child_count > 1:
                        value = node.named_children[-1]
                    if value is not None and value.type == "expression_list" and value.named_child_count == 1:
                        value = value.named_children[0]
                    if name is not None and value is not None:
                        found.setdefault(text_of(name).lstrip("$"), []).append(value)
                stack += node.named_children
            self._constants = {
                name: values[0]
                for name, values in found.items()
                if len(values) == 1 and (values[0].type in STRING_TYPES or values[0].type in _JOINED)
            }
        return self._constants


def _raw(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _unquoted(node: Node) -> str:
    return _raw(node).strip().lstrip("rRbBuU@$#").strip("\"'`#")
