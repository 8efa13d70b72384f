"""How sure the only definition of a name is where no receiver's type is known: what may be meant is never dropped, what
belongs to a library is never taken for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fourfold.graph.facts import AMBIGUOUS, UNIQUE, UNRESOLVED
from fourfold.graph.languages import BROWSER, COMMON_MEMBERS, FOREIGN
from fourfold.graph.world import MAX_DEPTH

if TYPE_CHECKING:
    from fourfold.graph.world import World
    from fourfold.model.reference import Reference

_FIRST = re.compile(r"[.:(\\?!\[&-]")


def first_of(receiver: str) -> str:
    """The first name of a receiver: ``Country`` of ``Country.objects.filter()``."""
    return _FIRST.split(receiver, maxsplit=1)[0]


def doubt(world: World, file: int, reference: Reference, known: bool) -> int:
    """How sure a definition is that alone has the name of a reference with a receiver: one of the confidences of
    :mod:`fourfold.graph.facts`. `known` says that the receiver's type is known, but not all that it inherits.

    What hangs from a type of this repository (``Country.objects.bulk_create()``, where ``objects`` is not in sight)
    or from a class of a library (``Thing.objects.bulk_create()``) may be anything: :data:`AMBIGUOUS`, as is a common
    member of an unknown variable. What a library's module or class holds itself is foreign: :data:`UNRESOLVED`.
    """
    environment = world.environment(file)
    receiver, first = reference.receiver, first_of(reference.receiver)
    deep = receiver != first and not receiver.removeprefix(first).startswith("(")
    if first in environment.external:
        return AMBIGUOUS if deep and _opens(world, file, receiver) else UNRESOLVED
    if first in FOREIGN and (first not in BROWSER or world.families[file] == "ecmascript"):
        return UNRESOLVED
    if not known and first[:1].isupper() and not _is_variable(world, file, reference.scope, first):
        if first in environment.names or first in environment.own:
            return UNRESOLVED if _passes_on_foreign(world, file, first) and not deep else AMBIGUOUS
        return AMBIGUOUS if deep and _in_sight(world, file, reference.scope, first) else UNRESOLVED
    if reference.name in COMMON_MEMBERS or not first.isidentifier() or reference.name in environment.external:
        return AMBIGUOUS
    return UNIQUE


def is_own(world: World, file: int, reference: Reference) -> bool:
    """True for a bare name that comes from a module of this repository which does not show where it has it from."""
    name = reference.name
    environment = world.environment(file)
    if name not in environment.names and name not in environment.own:
        return False
    bound = world.binding(file, reference.scope, name)
    return (bound is None or not bound.scope) and not _passes_on_foreign(world, file, name)


def _opens(world: World, file: int, receiver: str) -> bool:
    """True where a chain from a library may end at a thing of this repository: it goes through a class or an object
    that is imported by name, and not only through modules (``os.path``, ``numpy.linalg``)."""
    environment, first = world.environment(file), first_of(receiver)
    if first in environment.standard or world.families[file] == "go":
        return False
    steps = receiver.split(".")
    return first not in environment.whole or any(step[:1].isupper() for step in steps[1:])


def _in_sight(world: World, file: int, scope: str, name: str) -> bool:
    return world.lookup(file, scope, name) is not None or world.type_named(file, scope, name) is not None


def _is_variable(world: World, file: int, scope: str, name: str) -> bool:
    """True for a variable or a parameter in spite of its capital: ``def fit(X): X.reduce_rows()``."""
    if world.binding(file, scope, name) is not None:
        return True
    table = world.table
    for around in world.scopes(scope):
        for node in table.nodes(table.namespaces[file], around):
            _, _, parameters = getattr(table.symbols[node], "signature", "").partition("(")
            if re.search(rf"(^|[(,]\s*){re.escape(name)}\s*[,)=]", parameters):
                return True
    return False


def _passes_on_foreign(world: World, file: int, name: str, depth: int = 0) -> bool:
    """True where a module of this repository has a name from elsewhere, or binds it to a value of its own."""
    if depth > MAX_DEPTH:
        return False
    for place in world.environment(file).names.get(name, ()):
        inner = place.qualified or name
        for number in world.table.files_in.get(place.namespace, ()):
            if number == file:
                continue
            environment = world.environment(number)
            if inner in environment.external or environment.outside or world.binding(number, "", inner) is not None:
                return True
            if _passes_on_foreign(world, number, inner, depth + 1):
                return True
    return False
