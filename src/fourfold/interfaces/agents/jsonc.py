"""Where things stand in a JSON file with comments: enough to insert and remove one member and leave all else alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

_GAP = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
MAX_DEPTH = 200


class Malformed(Exception):
    """The text is no JSON; `line` is where that shows, from 1."""

    def __init__(self, text: str, at: int, what: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        super().__init__(f"line {self.line}: {what}")


@dataclass(slots=True)
class Member:
    """One ``"key": value`` of an object, from the key's first character to the value's last."""

    key: str
    start: int
    value: Node

    @property
    def end(self) -> int:
        """Behind the value."""
        return self.value.end


@dataclass(slots=True)
class Node:
    """A value and its place. `members` are those of an object; `data` is the plain value."""

    kind: str
    start: int
    end: int
    data: Any = None
    members: list[Member] = field(default_factory=list)

    def named(self, key: str) -> list[Member]:
        """All members of that key (a file may have it twice)."""
        return [member for member in self.members if member.key == key]


def parse(text: str) -> Node:
    """The tree of a document; comments and trailing commas are allowed. Raises Malformed."""
    reader = _Reader(text)
    start = reader.gap(1 if text.startswith("\ufeff") else 0)
    node = reader.value(start, 0)
    end = reader.gap(node.end)
    if end != len(text):
        raise Malformed(text, end, "something stands behind the end of the document")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def gap(self, at: int) -> int:
        """Behind white space and comments."""
        found = _GAP.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise Malformed(self.text, at, "it is nested too deeply")
        character = self.text[at : at + 1]
        if character == "{":
            return self._object(at, depth)
        if character == "[":
            return self._list(at, depth)
        if character == '"':
            end, data = self._string(at)
            return Node("string", at, end, data)
        found = _SCALAR.match(self.text, at)
        if not found:
            raise Malformed(self.text, at, "a value is missing")
        return Node("scalar", at, found.end(), json.loads(found.group()))

    def _string(self, at: int) -> tuple[int, str]:
        found = _STRING.match(self.text, at)
        if not found:
            raise Malformed(self.text, at, "a text in quotation marks is missing or not closed")
        try:
            return found.end(), json.loads(found.group())
        except ValueError as error:
            raise Malformed(self.text, at, "a text has a wrong escape") from error

    def _object(self, at: int, depth: int) -> Node:
        node = Node("object", at, at, {})
        at = self.gap(at + 1)
        while self.text[at : at + 1] != "}":
            start = at
            at, key = self._string(at)
            at = self.gap(at)
            if self.text[at : at + 1] != ":":
                raise Malformed(self.text, at, "a colon is missing")
            value = self.value(self.gap(at + 1), depth + 1)
            node.members.append(Member(key, start, value))
            node.data[key] = value.data
            at = self._after(value.end, "}")
        node.end = at + 1
        return node

    def _list(self, at: int, depth: int) -> Node:
        node = Node("list", at, at, [])
        at = self.gap(at + 1)
        while self.text[at : at + 1] != "]":
            value = self.value(at, depth + 1)
            node.data.append(value.data)
            at = self._after(value.end, "]")
        node.end = at + 1
        return node

    def _after(self, at: int, close: str) -> int:
        """Behind a comma, or at the closing bracket."""
        at = self.gap(at)
        if self.text[at : at + 1] == ",":
            return self.gap(at + 1)
        if self.text[at : at + 1] != close:
            raise Malformed(self.text, at, f"a comma or {close} is missing")
        return at
