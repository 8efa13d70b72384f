"""Classes whose annotations make routes: what Spring, NestJS and ASP.NET share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.syntax.routes.calls import CALL_TYPES, Call, add_arguments, items_of, pairs_of, read_call, text_of
from fourfold.syntax.routes.values import Values

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "interface_declaration", "record_declaration"})
_METHODS = frozenset({"method_declaration", "method_definition", "function_declaration", "public_field_definition"})
_LISTS = frozenset({"element_value_array_initializer", "collection_literal", "array", "array_initializer"})


def classes_of(root: Node) -> list[Node]:
    """Every class of a tree, outer before inner."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        if node.type in _CLASSES:
            found.append(node)
        if node.type not in _METHODS:
            stack += reversed(node.named_children)
    return found


def members_of(klass: Node) -> list[tuple[Node, list[Call]]]:
    """The methods of a class with their annotations."""
    body = klass.child_by_field_name("body")
    if body is None:
        body = next((child for child in klass.named_children if child.type.endswith("body")), None)
    found, waiting = [], []
    for child in body.named_children if body is not None else ():
        if child.type == "decorator":
            waiting += _read(child)
        elif child.type in _METHODS:
            found.append((child, [*waiting, *annotations_of(child)]))
            waiting = []
        elif child.type != "comment":
            waiting = []
    return found


def annotations_of(node: Node) -> list[Call]:
    """The annotations, decorators or attributes of a declaration, without those of its parameters."""
    found: list[Call] = []
    holders = [node]
    parent = node.parent
    if parent is not None and parent.type == "export_statement":
        holders.append(parent)
    for holder in holders:
        for child in holder.named_children:
            if child.type in ("modifiers", "attribute_list"):
                for inner in child.named_children:
                    found += _read(inner)
            elif child.type == "decorator":
                found += _read(child)
    return found


def texts_of(node: Node | None, values: Values) -> list[str]:
    """The texts that an annotation's argument holds: one, or several of a list."""
    if node is None:
        return []
    if node.type in _LISTS:
        return [text for item in items_of(node) for text in texts_of(item, values)]
    text = values.text(node)
    return [text] if text is not None else []


def argument_of(call: Call, *names: str) -> Node | None:
    """The argument of one of `names`: given by name, as a key of an object, or first by position ("")."""
    for name in names:
        if name in call.named:
            return call.named[name]
    first = call.args[0] if call.args else None
    if first is not None and first.type == "object":
        pairs = pairs_of(first)
        return next((pairs[name] for name in names if name in pairs), None)
    return first if "" in names else None


def _read(node: Node) -> list[Call]:
    """One annotation in any of the languages."""
    if node.type in ("annotation", "marker_annotation", "attribute"):
        name = node.child_by_field_name("name")
        if name is not None:
            call = Call(node, text_of(name).rsplit(".", 1)[-1])
            arguments = node.child_by_field_name("arguments")
            if arguments is None:
                arguments = next((one for one in node.named_children if one.type == "attribute_argument_list"), None)
            add_arguments(call, arguments)
            return [call]
        return _kotlin(node)
    if node.type == "decorator" and node.named_child_count:
        inner = node.named_children[0]
        if inner.type in CALL_TYPES:
            found = read_call(inner)
            return [found] if found is not None else []
        return [Call(node, text_of(inner))]
    return []


def _kotlin(node: Node) -> list[Call]:
    inner = node.named_children[-1] if node.named_child_count else node
    if inner.type == "user_type":
        return [Call(node, text_of(inner).rsplit(".", 1)[-1])]
    if inner.type != "constructor_invocation" or not inner.named_child_count:
        return []
    call = Call(node, text_of(inner.named_children[0]).rsplit(".", 1)[-1])
    add_arguments(call, next((one for one in inner.named_children if one.type == "value_arguments"), None))
    return [call]
