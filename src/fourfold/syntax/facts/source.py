"""The bytes of a file, read by node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fourfold.model.reference import MAX_RECEIVER_CHARS
from fourfold.syntax.facts.names import MAX_READ_BYTES, path_of

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTED = re.compile(r"[\"'](\w+)[\"']")
_AROUND_DOT = re.compile(r"\s*(::|\.)\s*")
_STEP = r"[?!]?(?:\)[^()]*\(|\][^\[\]]*\[)?\w+"
_BACKWARDS = re.compile(rf"(?:\.|::)({_STEP}(?:(?:\.|::){_STEP})*)")
"""A path read from its end: matching what ends somewhere from its beginning would cost its length squared."""


class Source:
    """UTF-8 bytes of one file."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def text(self, node: Node | None) -> str:
        """The text of a node as written, at most :data:`MAX_READ_BYTES` bytes; "" of None."""
        if node is None:
            return ""
        start = node.start_byte
        return self.content[start : min(node.end_byte, start + MAX_READ_BYTES)].decode("utf-8", "replace")

    def path(self, node: Node | None) -> str:
        """An expression as a path (see :func:`fourfold.syntax.facts.names.path_of`)."""
        return path_of(self.text(node))

    def receiver_before(self, byte: int) -> str:
        """The path that ends with a separator right before a byte: "a.b" of ``a.b.c`` before c; "()" where it is no
        path; "" where there is none. For places where the tree has tokens only."""
        text = self.content[max(0, byte - 2 * MAX_RECEIVER_CHARS) : byte].decode("utf-8", "ignore")
        if not text[-1:] or text[-1] not in ".: \n":
            return ""
        if len(text.split(maxsplit=1)) > 1 or text[-1].isspace():
            text = _AROUND_DOT.sub(r"\1", text)
        text = text[-MAX_RECEIVER_CHARS:]
        if not text.endswith((".", "::")):
            return ""
        found = _BACKWARDS.match(text[::-1])
        return path_of(found.group(1)[::-1]) if found else "()"

    def field(self, node: Node, name: str) -> str:
        """The text of a node's field; "" where it has none."""
        return self.text(node.child_by_field_name(name))

    def quoted(self, node: Node) -> list[str]:
        """The names that stand in quotes anywhere in a node."""
        return _QUOTED.findall(self.content[node.start_byte : node.end_byte].decode("utf-8", "replace"))

    def string(self, node: Node | None) -> str:
        """What stands in a string literal."""
        return self.text(node).strip("\"'`")


def children(node: Node, *kinds: str) -> list[Node]:
    """The named children of the given types."""
    return [child for child in node.named_children if child.type in kinds]


def child_at(node: Node, place: int) -> Node | None:
    """The named child at a place, from the end for a negative one; None where there is none."""
    count = node.named_child_count
    place = place + count if place < 0 else place
    return node.named_child(place) if 0 <= place < count else None
