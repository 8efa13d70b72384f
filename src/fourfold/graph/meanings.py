"""What types stand for that are no classes: aliases, unions, types that are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fourfold.graph.facts import AMBIGUOUS, RESOLVED, Place
from fourfold.graph.signatures import members
from fourfold.model.reference import Reference

if TYPE_CHECKING:
    from fourfold.graph.facts import Class, FileFacts
    from fourfold.graph.world import Found, World

MAX_UNIONS = 3
"""Unions of unions that are looked into."""

_Key = tuple[str, str]


class Meanings:
    """By (namespace, qualified name) of a type: `texts` what it stands for as (file, text), and with which parameters
    it is called; `bases` the types that it is all of, as references; `unions` the (file, names) that it is one of."""

    def __init__(self, files: Sequence[FileFacts], namespaces: Sequence[str]) -> None:
        self.texts: dict[_Key, list[tuple[int, str]]] = {}
        self.bases: dict[_Key, list[tuple[int, Reference]]] = {}
        self.unions: dict[_Key, tuple[int, list[str]]] = {}
        for number, file in enumerate(files):
            for one in file.facts.bindings:
                if one.source != "meaning":
                    continue
                key = (namespaces[number], one.scope)
                self.texts.setdefault(key, []).append((number, one.type))
                if one.name == "()":
                    continue
                names, is_union = members(one.type)
                if is_union:
                    self.unions[key] = (number, names)
                else:
                    self.bases.setdefault(key, []).extend(
                        (number, Reference(name, "inherit", one.line, scope=one.scope)) for name in names
                    )


def member_of_union(world: World, owner: Class, name: str, depth: int = 0) -> Found | None:
    """A member that all types of a union have: surely the one that they share, else any of theirs."""
    union = world.meanings.unions.get((owner.namespace, owner.qualified))
    if union is None or depth > MAX_UNIONS:
        return None
    from fourfold.graph.world import Found

    file, names = union
    places: dict[Place, None] = {}
    for one in names:
        part = world.type_named(file, owner.qualified.rpartition(".")[0], one)
        found = _member(world, part, name, depth) if part is not None else None
        if found is None:
            return None
        places[found.place] = None
    return Found(next(iter(places)), RESOLVED if len(places) == 1 else AMBIGUOUS)


def _member(world: World, part: Class, name: str, depth: int) -> Found | None:
    from fourfold.graph.world import Found

    for one in world.lineage(part):
        member = f"{one.qualified}.{name}"
        if world.table.nodes(one.namespace, member):
            return Found(Place(one.namespace, member))
    return member_of_union(world, part, name, depth + 1)
