"""What the expression before a dot is: an instance of a type, a type, or a module."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fourfold.graph.facts import RESOLVED, Class, Place
from fourfold.graph.languages import IMPLICIT_THIS, SELF, is_super
from fourfold.graph.signatures import MAX_PARTS, declared, taken, value_of
from fourfold.graph.table import TYPES
from fourfold.graph.world import MAX_DEPTH, Found
from fourfold.syntax.facts.names import bare_type, split_outside

if TYPE_CHECKING:
    from fourfold.graph.world import World
    from fourfold.model.reference import Binding

_MARKS = re.compile(r"\?\.|!\.|!!\.|&\.|\.|::|->|\\|(?<=\w):(?=\w)")
_STEP = re.compile(
    r"^[&*(]*(?P<new>new(?=[A-Z]))?(?P<name>[#@$\w]+[?!]?)(?P<called>\(\.*\))?[!?)]*(?P<picked>(?:\[\])?)[!?)]*$"
)

INSTANCE, TYPE, MODULE, FUNCTION, LIST = range(5)
_LIST = "[]"
_PICKING = frozenset({"find", "findLast", "pop", "shift", "at"})
_KEEPING = frozenset("filter slice reverse sort concat toSorted toReversed values splice".split())
_VISITING = frozenset("map forEach filter find findLast findIndex some every flatMap".split())
"""Methods of a list that give one of it, some of it, and that hand each of it to a function."""


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression is: an instance of `owner`, `owner` itself or a list of such, the module or function at
    `place`. `inherited` says that only what the type inherits is meant (``super``)."""

    what: int
    owner: Class | None = None
    place: Place | None = None
    inherited: bool = False


class _Step(NamedTuple):
    name: str
    called: bool
    new: bool
    picked: bool


class Expressions:
    """Evaluates receivers. Remembers what it found: a receiver often comes again in its scope."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[tuple[int, str, str], Value | None] = {}
        self._returns = [dict(file.facts.returns) for file in world.files]

    def forget(self, file: int) -> None:
        """Drop what was found in a file."""
        self._known = {key: value for key, value in self._known.items() if key[0] != file}

    def value(self, file: int, scope: str, expression: str, depth: int = 0) -> Value | None:
        """The value of an expression at a scope, None where the source does not show it."""
        key = (file, scope, expression)
        if key not in self._known:
            if depth > MAX_DEPTH:
                return None
            self._known[key] = None  # an expression that leads to itself has no value
            self._known[key] = self._evaluate(file, scope, expression, depth)
        return self._known[key]

    def _evaluate(self, file: int, scope: str, expression: str, depth: int) -> Value | None:
        steps = _steps(expression)
        if not steps:
            return None
        value = _picked(self._first(file, scope, steps[0], depth), steps[0])
        for step in steps[1:]:
            if value is None:
                return None
            value = _picked(self._next(value, step, depth), step)
        return value

    def _first(self, file: int, scope: str, step: _Step, depth: int) -> Value | None:
        world = self._world
        if step.name in SELF and not step.called:
            owner = world.enclosing_class(file, scope)
            what = TYPE if step.name in ("cls", "Self", "static") else INSTANCE
            return Value(what, owner) if owner is not None else None
        if is_super(step.name, world.files[file].language):
            owner = world.enclosing_class(file, scope)
            return Value(INSTANCE, owner, inherited=True) if owner is not None else None
        if step.name.startswith("@"):  # Ruby's instance variables
            owner = world.enclosing_class(file, scope)
            return self._field(owner, step.name, depth) or self._field(owner, step.name.lstrip("@"), depth)
        name = step.name.lstrip("$")
        bound = world.binding(file, scope, name) if not step.called else None
        if bound is not None and not bound.scope and name in world.environment(file).names:
            bound = None  # a name that is imported is not what the module says of it
        if bound is not None:
            found = self._bound(file, bound, depth)
            if found is not None:
                return found
            if bound.scope:
                return None
        if world.files[file].language in IMPLICIT_THIS and not step.called:
            inner = self._field(world.enclosing_class(file, scope), name, depth)
            if inner is not None:
                return inner
        place = world.lookup(file, scope, name)
        if place is not None:
            return self._of_place(place, step, depth)
        owner = world.type_named(file, scope, name)
        if owner is not None:
            return Value(INSTANCE if step.called else TYPE, owner)
        return None

    def _next(self, value: Value, step: _Step, depth: int) -> Value | None:
        world = self._world
        if value.what == MODULE and value.place is not None:
            inner = world.inside(value.place, step.name)
            return self._of_place(Found(inner), step, depth) if inner is not None else None
        if value.what == LIST:
            if step.called and step.name in _PICKING:
                return Value(INSTANCE, value.owner)
            return value if step.called and step.name in _KEEPING else None
        if value.owner is not None:
            found = world.member(value.owner, step.name, inherited_only=value.inherited)
            if not step.called:
                typed = self._field(value.owner, step.name, depth)
                if typed is not None:
                    return typed
            return self._of_place(found, step, depth) if found is not None else None
        return None

    def _field(self, owner: Class | None, name: str, depth: int) -> Value | None:
        """What a field of a type holds."""
        found = self._world.field(owner, name) if owner is not None else None
        return self._bound(found[0], found[1], depth) if found is not None else None

    def _bound(self, file: int, binding: Binding, depth: int) -> Value | None:
        """What a variable holds."""
        if binding.source in ("annotation", "constructor"):
            return self._of_type(file, binding.scope, binding.type)
        if binding.source == "argument":
            return self._argument(file, binding, depth)
        expression = f"{binding.type}()" if binding.source == "call" else binding.type
        return self.value(file, binding.scope, expression, depth + 1)

    def _of_type(self, file: int, scope: str, name: str) -> Value | None:
        """An instance of a type, or a list of them, by its name."""
        owner = self._world.type_named(file, scope, name.removesuffix(_LIST))
        return Value(LIST if name.endswith(_LIST) else INSTANCE, owner) if owner is not None else None

    def _argument(self, file: int, binding: Binding, depth: int) -> Value | None:
        """What a parameter of a function that is passed holds, by the signature of what it is passed to."""
        world, table = self._world, self._world.table
        path, argument, parameter = binding.type.rsplit("#", 2)
        receiver, _, name = path.rpartition(".")
        if receiver:
            value = self.value(file, binding.scope, receiver, depth + 1)
            if value is not None and value.what == LIST:
                visits = name in _VISITING and (argument, parameter) == ("0", "0")
                return Value(INSTANCE, value.owner) if visits else None
            found = world.member(value.owner, name) if value is not None and value.owner is not None else None
            if found is None and value is not None and value.place is not None:
                inner = world.inside(value.place, name)
                found = Found(inner) if inner is not None else None
        else:
            found = world.lookup(file, binding.scope, name)
        if found is None or not found.place.qualified:
            return None
        namespace, qualified = found.place.namespace, found.place.qualified
        if table.is_type(namespace, qualified):
            qualified += ".constructor"
        for node in table.nodes(namespace, qualified):
            symbol = table.symbols[node]
            if symbol is None:
                continue
            owner = table.file_of[node]
            kind = value_of(symbol.signature)
            taking = [(owner, symbol.signature)] if not kind else self._called(owner, kind)
            for number, text in taking:
                held = self._taken(number, declared(text, int(argument)), int(parameter))
                if held is not None:
                    return held
        return None

    def _called(self, file: int, kind: str) -> list[tuple[int, str]]:
        """(file, parameters) of each way to call what has a type."""
        if "=>" in kind:
            return [(file, kind)]
        owner = self._world.type_named(file, "", bare_type(kind))
        return self._world.meanings.texts.get((owner.namespace, owner.qualified), []) if owner is not None else []

    def _taken(self, file: int, kind: str, parameter: int, depth: int = 0) -> Value | None:
        """What a function of a type (as written) takes as a parameter, through the names of such types."""
        name = taken(kind, parameter)
        if name:
            return self._of_type(file, "", name)
        if not kind or "=>" in kind or depth > MAX_DEPTH:
            return None
        for part in split_outside(kind, "|")[:MAX_PARTS]:
            bare = bare_type(part)
            owner = self._world.type_named(file, "", bare) if bare else None
            known = self._world.meanings.texts.get((owner.namespace, owner.qualified), ()) if owner is not None else ()
            for number, text in known:
                called = text if "=>" in text or not text.startswith("(") else f"{text} => void"
                found = self._taken(number, called, parameter, depth + 1)
                if found is not None:
                    return found
        return None

    def _of_place(self, found: Found, step: _Step, depth: int) -> Value | None:
        """What a definition is where it is named, or called."""
        world, place = self._world, found.place
        if not place.qualified:
            return Value(MODULE, place=place)
        table = world.table
        node = table.node(place.namespace, place.qualified)
        if table.kind(node) in TYPES:
            owner = Class(place.namespace, place.qualified, min(found.confidence, RESOLVED))
            return Value(INSTANCE if step.called or step.new else TYPE, owner)
        if table.kind(node) == "constant" and not step.called:
            around = place.qualified.rpartition(".")[0]
            if any(table.kind(outer) == "enum" for outer in table.nodes(place.namespace, around)):
                return Value(INSTANCE, Class(place.namespace, around, found.confidence))  # Color.RED is a Color
        returned = self._returned(node, depth)
        is_property = not step.called and world.files[table.file_of[node]].language != "python"
        decorated = "@property" in getattr(table.symbols[node], "decorators", ())
        if returned is not None and (step.called or is_property or decorated):
            return returned
        return None if step.called else Value(FUNCTION, place=place)

    def _returned(self, node: int, depth: int) -> Value | None:
        """An instance of the declared return type of a function."""
        table = self._world.table
        symbol, file = table.symbols[node], table.file_of[node]
        if symbol is None:
            return None
        name = self._returns[file].get(symbol.qualified_name)
        if not name:
            return None
        if name in SELF:
            owner = self._world.enclosing_class(file, symbol.qualified_name)
            return Value(INSTANCE, owner) if owner is not None else None
        return self._of_type(file, symbol.parent, name)


def _picked(value: Value | None, step: _Step) -> Value | None:
    """What a step gives: one of a list where it is followed by a subscript."""
    if not step.picked or value is None:
        return value
    return Value(INSTANCE, value.owner) if value.what == LIST else None


def _steps(expression: str) -> list[_Step]:
    """The parts of a chain of names and calls; empty where it is anything else (an index, a literal, an operator)."""
    steps = []
    for part in _MARKS.split(expression.lstrip("\\")):
        match = _STEP.match(part)
        if match is None or match["name"][0].isdigit():
            return []
        steps.append(_Step(match["name"], bool(match["called"]), bool(match["new"]), bool(match["picked"])))
    return steps
