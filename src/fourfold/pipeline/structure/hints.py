"""What to ask instead where a direction holds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fourfold.graph.facts import EDGE_KINDS
from fourfold.model.chunk import TYPE_KINDS

if TYPE_CHECKING:
    from fourfold.pipeline.structure.items import Structure
    from fourfold.pipeline.structure.usages import Target, Usages

_USES = tuple(kind for kind in EDGE_KINDS if kind != "overrides")


def hint_of(structure: Structure, answer: Usages, found: Sequence[Target], direction: str) -> str:
    """One sentence, or "" where nothing need be said."""
    if answer.items or answer.possible or direction != "callers":
        return ""
    if not any(item.kind in TYPE_KINDS for item in answer.symbols):
        return ""
    graph = structure.graph
    places = {(edge.source, edge.line) for one in found for edge in graph.incoming(one.node, _USES)}
    if not places:
        return ""
    referred = "1 place refers" if len(places) == 1 else f"{len(places):,} places refer"
    return f"it is a type: {referred} to it; ask for them with the direction `uses`"
