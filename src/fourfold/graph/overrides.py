"""Edges from a method to the inherited ones that it overrides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.graph.facts import EDGE_CODES, Class
from fourfold.graph.table import TYPES

if TYPE_CHECKING:
    from fourfold.graph.resolve import Edges
    from fourfold.graph.world import World


def add_overrides(world: World, number: int, edges: Edges) -> None:
    """For every method of a file whose type has bases: an edge to the nearest inherited method of its name."""
    table = world.table
    namespace = table.namespaces[number]
    for ordinal, symbol in enumerate(world.files[number].symbols):
        if not symbol.parent or symbol.kind in TYPES or not table.is_type(namespace, symbol.parent):
            continue
        owner = Class(namespace, symbol.parent)
        if not world.bases(owner):
            continue
        found = world.member(owner, symbol.name, inherited_only=True)
        if found is not None:
            node = table.bases[number] + 1 + ordinal
            target = table.node(found.place.namespace, found.place.qualified)
            if target != node:
                edges.add(node, target, EDGE_CODES["overrides"], found.confidence, symbol.start_line)
