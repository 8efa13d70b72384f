"""The bytes of a file, read by node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fourfold.syntax.facts.names import MAX_READ_BYTES, path_of

if TYPE_CHECKING:
    from tree_sitter import Node


_QUOTED = re.compile(r"[\"'](\w+)[\"']")


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
