"""Uses of names: calls, base types, decorators, mentioned types, functions passed by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fourfold.model.reference import MAX_LINES, REFERENCE_KINDS, Reference
from fourfold.syntax.facts.names import bare_type, split_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from fourfold.model.reference import Import
    from fourfold.syntax.definitions import Definition
    from fourfold.syntax.facts.rules import Rules
    from fourfold.syntax.facts.scopes import Scopes
    from fourfold.syntax.facts.source import Source

_KINDS = ("value", "type", "call", "new", "inherit", "decorator")
"""From the least to the most telling: of several patterns that meet one name the most telling kind stays."""
_VALUE, _TYPE, _CALL = range(3)
_RANKS = {kind: rank for rank, kind in enumerate(_KINDS)}
_PATHS_OF_TYPES = frozenset({"type", "inherit", "new"})

_NAME = re.compile(r"[^\W\d][\w$]*[!?]?$|\$\w+$")
_TYPE_PARAMETER = re.compile(r"[A-Z][0-9]?$")
_ONE_ARGUMENT = frozenset({"generator_expression", "template_string"})
_PASSED = frozenset({"function", "method", "class", "struct", "interface", "trait", "enum", "macro"})
"""Kinds that are worth a reference where they are read by name."""

MAX_NAME_CHARS = 120
"""A longer name is no name but a grammar gone astray."""


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
    ) -> None:
        self._source = source
        self._scopes = scopes
        self._rules = rules
        self._named = named
        self._defined = _defined(definitions)
        self._imported = {one.alias or one.name or split_path(one.module)[1] for one in imports}
        self.known = self._defined | self._imported
        self._rows: dict[int, tuple[int, str, int, str, int]] = {}

    def add(self, kind: str, matches: Iterable[dict[str, list[Node]]]) -> None:
        """Take in the matches of one kind."""
        rank = _RANKS[kind]
        whole = "ref." + kind
        content, rows = self._source.content, self._rows
        for captures in matches:
            receiver = ""
            if "name" in captures:
                node = captures["name"][0]
                end = node.end_byte
                start = node.start_byte
                name = content[start:end].decode("utf-8", "replace")
                if "receiver" in captures:
                    receiver = self._source.path(captures["receiver"][0])
            else:
                node = captures[whole][0]
                end = node.end_byte
                start = node.start_byte
                name = content[start:end].decode("utf-8", "replace")
                if not name.isidentifier():
                    path = bare_type(name) if kind in _PATHS_OF_TYPES else self._source.path(node)
                    receiver, name = split_path(path)
            if end in rows and rows[end][0] >= rank:
                continue
            if rank < _CALL and not self._is_wanted(rank, name, receiver, start):
                continue
            arguments = -1
            if "args" in captures:
                held = captures["args"][0]
                arguments = 1 if held.type in _ONE_ARGUMENT else held.named_child_count
            rows[end] = (rank, name, node.start_point[0], receiver, arguments)

    def _is_wanted(self, rank: int, name: str, receiver: str, start: int) -> bool:
        if rank == _TYPE:
            return (
                name not in self._rules.ignored_types and start not in self._named and not _TYPE_PARAMETER.match(name)
            )
        if not receiver:
            return name in self.known
        if receiver in self._rules.selves:
            return name in self._defined
        return receiver in self.known

    def found(self) -> tuple[Reference, ...]:
        """The references in order of place, of identical ones the first :data:`MAX_LINES`."""
        at = self._scopes.at
        ignored = self._rules.ignored_calls
        seen: dict[tuple[str, str, str, int], int] = {}
        found: list[Reference] = []
        for end, (rank, name, row, receiver, arguments) in sorted(self._rows.items()):
            if not _NAME.match(name) or (rank == _CALL and not receiver and name in ignored):
                continue
            scope = at(end - 1).definition
            key = (scope, name, receiver, rank)
            count = seen.get(key, 0)
            if count < MAX_LINES:
                seen[key] = count + 1
                found.append(Reference(name[:MAX_NAME_CHARS], _KINDS[rank], row + 1, receiver, scope, arguments))
        return tuple(found)


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
