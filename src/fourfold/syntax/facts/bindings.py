"""What a file says of the types of its variables, and of what its functions return."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fourfold.model.reference import Binding
from fourfold.syntax.facts.names import bare_type, path_of, split_path
from fourfold.syntax.facts.values import value_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from fourfold.syntax.facts.rules import Rules
    from fourfold.syntax.facts.scopes import Scopes
    from fourfold.syntax.facts.source import Source

_NAME = re.compile(r"[@$#]{0,2}[^\W\d][\w$]*$")
_SELF_TYPES = frozenset({"Self", "self", "static"})
"""A function that returns what it is called on says much, although the name is no type."""
_TYPE_PARAMETER = re.compile(r"[A-Z][0-9]?$")
_HEAD = re.compile(r"[\w$@]+")
_BLANK = re.compile(r"(?://[^\n]*|/\*.*?\*/|\s)+", re.DOTALL)


class Bindings:
    """The bindings of one file, gathered match by match. `exported` are names that it says it passes on."""

    def __init__(self, source: Source, scopes: Scopes, rules: Rules) -> None:
        self._source = source
        self._scopes = scopes
        self._rules = rules
        self._bindings: dict[tuple[str, str, str, str], Binding] = {}
        self._inner: dict[Binding, str] = {}
        self.returns: dict[str, str] = {}
        self.exported: set[str] = set()

    def add(self, captures: dict[str, list[Node]], *, is_field: bool) -> None:
        """Take in one match."""
        target = captures["name"][0]
        name = self._source.text(target)
        receiver = ""
        if not name.isidentifier():
            receiver, name = split_path(path_of(name))
            if not _NAME.match(name) or (receiver and receiver not in self._rules.selves):
                return
            receiver = receiver or name[0] * (name[0] == "@")
        if name == self._rules.exports and "value" in captures:
            self.exported.update(self._source.quoted(captures["value"][0]))
            return
        said = self._said(captures) if name != "_" else None
        if said is None or (said == (name, "alias") and not receiver):
            return
        scope = self._scopes.at(target.start_byte)
        place = scope.owner if is_field or receiver else scope.block
        key = (place, name, *said)
        if key not in self._bindings:
            new = Binding(place, name, *said, target.start_point[0] + 1)
            self._bindings[key] = new
            if receiver:
                self._inner[new] = scope.block

    def add_meaning(self, captures: dict[str, list[Node]]) -> None:
        """Take in what a type stands for, or what it takes when it is called."""
        node = captures["called" if "called" in captures else "value"][0]
        text = _BLANK.sub(" ", self._source.text(node)).strip().lstrip("| ")
        scope = self._scopes.at(node.start_byte).block
        if scope and text[:1] != "{":
            name = "()" if "called" in captures else "="
            new = Binding(scope, name, text, "meaning", node.start_point[0] + 1)
            self._bindings.setdefault((scope, name, text, "meaning"), new)

    def add_return(self, node: Node) -> None:
        """Take in the declared type of what the function around `node` returns."""
        name = self._type(node)
        scope = self._scopes.at(node.start_byte).block
        if name and scope:
            self.returns.setdefault(scope, name)

    def found(self, known: set[str]) -> tuple[Binding, ...]:
        """All bindings in the order in which they were met.

        ``self.repo = repo`` says what its function says of ``repo``; where that is nothing, and no import or
        definition has the name (`known`), it says nothing.
        """
        local = {(one.scope, one.name): one for one in reversed(self._bindings.values()) if one.source != "alias"}
        declared = {(one.scope, one.name, one.line) for one in self._bindings.values() if one.source == "annotation"}
        found: dict[Binding, None] = {}
        for one in self._bindings.values():
            if one.source != "annotation" and (one.scope, one.name, one.line) in declared:
                continue
            inner = self._inner.get(one)
            if inner is None or one.source not in ("alias", "call"):
                found[one] = None
                continue
            head = _HEAD.match(one.type)
            name = head.group() if head else ""
            meant = local.get((inner, name))
            if meant is not None and one.type == name and one.source == "alias":
                found[Binding(one.scope, one.name, meant.type, meant.source, one.line)] = None
            elif meant is not None and one.type.startswith(name + "."):
                found[Binding(one.scope, one.name, meant.type + one.type[len(name) :], one.source, one.line)] = None
            elif name in known or name in self._rules.selves or (one.source == "call" and meant is None):
                found[one] = None
        return tuple(found)

    def _said(self, captures: dict[str, list[Node]]) -> tuple[str, str] | None:
        """(type, source) by the declared type or, where that says nothing, by the value."""
        if "passed" in captures:
            return self._passed(captures)
        if "listed" in captures:
            path = self._source.path(captures["listed"][0])
            return (f"{path}[]", "alias") if path and path[0] not in '".' else None
        if "type" in captures:
            name = self._type(captures["type"][0])
            if name:
                return name, "annotation"
        if "made" in captures:
            return self._source.text(captures["made"][0]), "constructor"
        if "value" in captures:
            return value_type(captures["value"][0], self._source, self._rules)
        return None

    def _passed(self, captures: dict[str, list[Node]]) -> tuple[str, str] | None:
        """What a parameter of a function that is passed is a parameter of."""
        passed, name = captures["passed"][0], captures["name"][0]
        around, declared = passed.parent, name.parent
        held = declared.parent if declared is not None else None
        if around is None or declared is None or held is None:
            return None
        argument, parameter = around.named_children.index(passed), held.named_children.index(declared)
        callee = self._source.path(captures["callee"][0])
        return f"{callee}#{argument}#{parameter}", "argument"

    def _type(self, node: Node) -> str:
        text = self._source.text(node)
        name = self._rules.type_name(text) if self._rules.type_name else bare_type(text)
        if name in _SELF_TYPES:
            return name
        return "" if _TYPE_PARAMETER.match(name) or name in self._rules.ignored_types else name
