"""What to ask instead where a direction holds nothing, and what it does not follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fourfold.graph.facts import EDGE_KINDS
from fourfold.model.chunk import TYPE_KINDS

if TYPE_CHECKING:
    from fourfold.pipeline.structure.items import Structure
    from fourfold.pipeline.structure.usages import Target, Usages

BY_METHODS = (
    "a type of Go implements an interface by having its methods, which is not followed: only embedding is; "
    "ask for a method of it with `symbol`"
)
_USES = tuple(kind for kind in EDGE_KINDS if kind != "overrides")


def hint_of(structure: Structure, answer: Usages, found: Sequence[Target], direction: str) -> str:
    """One sentence, or "" where nothing need be said."""
    if direction in ("inheritors", "inherits") and any(
        _by_methods(item.kind, item.language) for item in answer.symbols
    ):
        return BY_METHODS
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


def _by_methods(kind: str, language: str) -> bool:
    return language == "go" and kind == "interface"
