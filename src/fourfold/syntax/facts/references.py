"""Uses of names: calls, base types, decorators, mentioned types, functions passed by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import MAX_LINES, REFERENCE_KINDS, Reference
from fourfold.syntax.facts.names import MAX_READ_BYTES, bare_type, path_of, split_path

if TYPE_CHECKING:
    from tree_sitter import Node

    from fourfold.model.reference import Import
    from fourfold.syntax.definitions import Definition
    from fourfold.syntax.facts.rules import Rules
    from fourfold.syntax.facts.scopes import Scopes
    from fourfold.syntax.facts.source import Source

_KINDS = ("value", "type", "call", "new", "inherit", "decorator")
"""From the least to the most telling: of several patterns that meet one name the most telling kind stays."""
_VALUE, _TYPE, _CALL = range(3)
_DECORATOR = 5
_RANKS = {kind: rank for rank, kind in enumerate(_KINDS)}
_PATHS_OF_TYPES = frozenset({"type", "inherit", "new"})

_NAME = re.compile(r"#?[^\W\d][\w$']*[!?]?$")
_TYPE_PARAMETER = re.compile(r"[A-Z][0-9]?$")
_NAMES = frozenset({"identifier", "variable", "simple_identifier", "word"})
_DOUBTED = frozenset({"type", "value", "bare", "token"})
_ONE_ARGUMENT = frozenset({"generator_expression", "template_string"})
_ARGUMENTS = re.compile(r"\s*[<\[(]")
_LAST_WORD = re.compile(r"(\w*)\W*$")
_PASSED = frozenset({"function", "method", "class", "struct", "interface", "trait", "enum", "macro"})
"""Kinds that are worth a reference where they are read by name."""

Captures = dict[str, "list[Node]"]
_Row = tuple[int, str, int, str, int]
"""Rank, name, row, receiver, arguments of a reference, kept by the byte where its name ends."""


class References:
    """The references of one file, gathered match by match."""

    def __init__(
        self,
        source: Source,
        scopes: Scopes,
        rules: Rules,
        named: frozenset[int],
        definitions: list[Definition],
        imports: Iterable[Import],
        locals_: Iterable[Node] = (),
    ) -> None:
        self._source = source
        self._scopes = scopes
        self._rules = rules
        self._named = named
        self._defined = _defined(definitions)
        self._imported = {one.alias or one.name or _LAST_WORD.findall(one.module + "?")[0] for one in imports}
        self.known = self._defined | self._imported
        self._locals = {(scopes.at(node.start_byte).block, source.text(node)) for node in locals_}
        self._rows: dict[int, _Row] = {}

    def add(self, kind: str, matches: Iterable[Captures]) -> None:
        """Take in the matches of one kind."""
        if kind == "value":
            matches = self._known_values(matches)
        rank = _RANKS.get(kind, _VALUE if kind == "pass" else _CALL)
        whole = "ref." + kind
        content, rows, named = self._source.content, self._rows, self._named
        for captures in matches:
            is_split = "name" in captures
            node = captures["name" if is_split else whole][0]
            start, end = node.start_byte, node.end_byte
            if start in named or end - start > MAX_READ_BYTES:
                continue
            name = content[start:end].decode("utf-8", "replace")
            receiver = ""
            if is_split:
                if "receiver" in captures:
                    held = captures["receiver"][0]
                    first = held.start_byte
                    text = content[first : min(held.end_byte, first + MAX_READ_BYTES)]
                    receiver = path_of(text.decode("utf-8", "replace")).rstrip(".")
            elif not name.isidentifier():
                receiver, name, end = self._split(kind, name, start, end)
            old = rows.get(end)
            if not name or (old is not None and old[0] > rank):
                continue
            if kind in _DOUBTED:
                if not self._is_wanted(kind, name, receiver, start):
                    continue
                receiver = self._source.receiver_before(start) if kind == "token" else receiver
            row = (
                rank,
                name,
                node.start_point[0],
                receiver,
                _arguments(captures["args"][0]) if "args" in captures else -1,
            )
            if old is None or _tells_more(row, old):
                rows[end] = row

    def _known_values(self, matches: Iterable[Captures]) -> Iterator[Captures]:
        """Most names that are passed are variables: those that the file cannot know are left out at a glance."""
        content = self._source.content
        known = {name.encode() for name in self.known}
        for captures in matches:
            node = captures["ref.value"][0] if "ref.value" in captures and "name" not in captures else None
            if node is None or content[node.start_byte : node.end_byte] in known or node.type not in _NAMES:
                yield captures

    def _split(self, kind: str, text: str, start: int, end: int) -> tuple[str, str, int]:
        """(receiver, name, byte where the name ends) of a path."""
        if self._rules.clean is not None:
            text = self._rules.clean(text)
        if kind not in _PATHS_OF_TYPES:
            return *split_path(path_of(text)), end
        head = _ARGUMENTS.split(text, maxsplit=1)[0]
        return *split_path(bare_type(head)), min(end, start + len(head.encode()))

    def _is_wanted(self, kind: str, name: str, receiver: str, start: int) -> bool:
        if kind == "type":
            return name != "_" and name not in self._rules.ignored_types and not _TYPE_PARAMETER.match(name)
        if kind == "value":
            if not receiver:
                return name in self.known
            return receiver in self.known or name in self._defined
        return kind != "bare" or (self._scopes.at(start).block, name) not in self._locals

    def found(self) -> tuple[Reference, ...]:
        """The references in order of place, of identical ones the first :data:`MAX_LINES`."""
        at = self._scopes.definition_at
        ignored, members = self._rules.ignored_calls, self._rules.ignored_members
        any_name = self._rules.clean is not None
        seen: dict[tuple[str, str, str, int], int] = {}
        found: list[Reference] = []
        for end, (rank, name, row, receiver, arguments) in sorted(self._rows.items()):
            if not any_name and not name.isidentifier() and not _NAME.match(name):
                continue
            if rank == _CALL and name in (members if receiver else ignored):
                continue
            if rank == _DECORATOR and name in self._rules.ignored_types:
                continue
            scope = at(end - 1)
            key = (scope, name, receiver, rank)
            count = seen.get(key, 0)
            if count < MAX_LINES:
                seen[key] = count + 1
                found.append(Reference(name, _KINDS[rank], row + 1, receiver, scope, arguments))
        return tuple(found)


def _arguments(held: Node) -> int:
    """How many arguments a call passes."""
    return 1 if held.type in _ONE_ARGUMENT else held.named_child_count


def _tells_more(new: _Row, old: _Row) -> bool:
    """True where a second match of one name is of a more telling kind, or knows a receiver or arguments that the first
    did not."""
    if new[0] != old[0]:
        return new[0] > old[0]
    return bool(new[3]) > bool(old[3]) or (bool(new[3]) == bool(old[3]) and new[4] > old[4])


def _defined(definitions: list[Definition]) -> set[str]:
    """Names of functions and types that the file defines."""
    names: set[str] = set()
    stack = list(definitions)
    while stack:
        one = stack.pop()
        if one.kind in _PASSED:
            names.add(one.name)
        stack += one.children
    return names


assert set(_KINDS) == set(REFERENCE_KINDS)
