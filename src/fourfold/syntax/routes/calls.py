"""Calls, annotations and assignments of many languages in one shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

CALL_TYPES = frozenset(
    {
        "call",
        "call_expression",
        "new_expression",
        "invocation_expression",
        "scoped_call_expression",
        "member_call_expression",
        "nullsafe_member_call_expression",
        "function_call_expression",
        "object_creation_expression",
    }
)
FUNCTION_TYPES = frozenset(
    {
        "function_definition",
        "lambda",
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "method_declaration",
        "func_literal",
        "function_item",
        "closure_expression",
        "anonymous_function",
        "local_function_statement",
        "lambda_expression",
    }
)
ASSIGNMENTS: dict[str, tuple[str, str]] = {
    "assignment": ("left", "right"),
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "short_var_declaration": ("left", "right"),
    "assignment_statement": ("left", "right"),
    "var_spec": ("name", "value"),
    "const_spec": ("name", "value"),
    "let_declaration": ("pattern", "value"),
    "const_item": ("name", "value"),
    "static_item": ("name", "value"),
    "public_field_definition": ("name", "value"),
    "field_definition": ("property", "value"),
}
"""Node types that bind a name to a value, and the fields of both."""

_CALLEES = ("function", "name", "method", "constructor", "type")
_MEMBERS = {
    "attribute": ("object", "attribute"),
    "member_expression": ("object", "property"),
    "selector_expression": ("operand", "field"),
    "field_expression": ("value", "field"),
    "scoped_identifier": ("path", "name"),
    "member_access_expression": ("expression", "name"),
}
_NAMED = {"keyword_argument": ("name", "value"), "pair": ("key", "value"), "element_value_pair": ("key", "value")}
_WRAPPERS = frozenset({"argument", "value_argument", "attribute_argument", "array_element_initializer"})
_SKIPPED = frozenset({"comment", "line_comment", "block_comment", "annotation", "name_colon"})


@dataclass(slots=True)
class Call:
    """A call or an annotation. `name` is the last part of what is called, `receiver` what stands before its dot;
    `args` are positional values, `named` the others; `block` is Ruby's."""

    node: Node
    name: str
    receiver: Node | None = None
    args: list[Node] = field(default_factory=list)
    named: dict[str, Node] = field(default_factory=dict)
    block: Node | None = None

    @property
    def line(self) -> int:
        """The line on which its name stands; chained calls begin far above it."""
        if self.receiver is not None:
            return self.receiver.end_point.row + 1
        return self.node.start_point.row + 1


def text_of(node: Node | None) -> str:
    """The source of `node` without white space."""
    if node is None or node.text is None:
        return ""
    return "".join(node.text.decode("utf-8", "replace").split())


def read_call(node: Node) -> Call | None:
    """`node` as a call; None where its callee has no name."""
    receiver = (
        node.child_by_field_name("receiver") or node.child_by_field_name("object") or node.child_by_field_name("scope")
    )
    callee = next((found for name in _CALLEES if (found := node.child_by_field_name(name))), None)
    if callee is None:
        return None
    if callee.type == "generic_function":
        callee = callee.child_by_field_name("function") or callee
    fields = _MEMBERS.get(callee.type)
    if fields:
        receiver, last = (callee.child_by_field_name(one) for one in fields)
    else:
        last = callee
    name = text_of(last).split("<", 1)[0]
    call = Call(node, name, receiver, block=node.child_by_field_name("block"))
    add_arguments(call, node.child_by_field_name("arguments"))
    return call if name else None


def add_arguments(call: Call, arguments: Node | None) -> None:
    """Sort the values of an argument list into positional and named ones."""
    if arguments is None:
        return
    for child in arguments.named_children:
        kind = child.type
        if kind in _SKIPPED:
            continue
        if kind in _WRAPPERS:
            _add_wrapped(call, child)
        elif kind in _NAMED:
            key, value = (child.child_by_field_name(one) for one in _NAMED[kind])
            if key is not None and value is not None:
                call.named[_key(key)] = value
                if key.type in ("string", "string_literal"):
                    call.args.append(child)  # Ruby: get "path" => "controller#action"
        else:
            call.args.append(child)


def _add_wrapped(call: Call, wrapper: Node) -> None:
    values = [child for child in wrapper.named_children if child.type not in _SKIPPED]
    name = wrapper.child_by_field_name("name")
    if name is None and len(values) == 2 and values[0].type in ("identifier", "name_equals"):
        name = values[0]
    if not values:
        return
    if name is not None and len(values) > 1:
        call.named[text_of(name).rstrip("=:")] = values[-1]
    else:
        call.args.append(values[-1])


def pairs_of(node: Node) -> dict[str, Node]:
    """Keys and values of an object, dictionary or PHP array."""
    found: dict[str, Node] = {}
    for child in node.named_children:
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None:
                found[_key(key)] = value
        elif child.type == "array_element_initializer" and child.named_child_count == 2:
            found[_key(child.named_children[0])] = child.named_children[1]
        elif child.type == "shorthand_property_identifier":
            found[text_of(child)] = child
    return found


def items_of(node: Node) -> list[Node]:
    """The elements of a list or array."""
    items = []
    for child in node.named_children:
        if child.type == "array_element_initializer" and child.named_child_count:
            items.append(child.named_children[-1])
        elif child.type not in _SKIPPED:
            items.append(child)
    return items


def parameters_of(function: Node) -> list[tuple[str, str]]:
    """Names and types ("" where unsaid) of the parameters of a function or closure."""
    listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    if listed is None:
        return []
    if listed.type == "identifier":
        return [(text_of(listed), "")]
    found = []
    for child in listed.named_children:
        name = child.child_by_field_name("name") or child.child_by_field_name("pattern") or child
        if name is child and child.named_child_count:
            name = child.named_children[0]
        found.append((text_of(name), text_of(child.child_by_field_name("type")).lstrip(":")))
    return found


def _key(node: Node) -> str:
    return text_of(node).strip("\"'`:").removesuffix(":")
