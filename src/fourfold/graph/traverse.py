"""Walking the graph: what a change reaches, what a symbol needs, how one symbol leads to another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.graph.facts import RESOLVED, UNIQUE
from fourfold.model.chunk import TYPE_KINDS

if TYPE_CHECKING:
    from fourfold.graph.graph import Edge, Graph

IMPACT_KINDS = ("calls", "inherits", "overrides", "references", "imports")
"""Edges along which a change is felt."""
MAX_REACHED = 5_000
"""Nodes that a walk visits at most."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that a walk came to: `depth` steps from the start, over `edge`; `confidence` is that of the weakest edge
    on the way."""

    node: int
    depth: int
    edge: Edge
    confidence: int


def seeds_of(graph: Graph, node: int) -> list[int]:
    """Where a walk from a node begins: a type stands for its members too."""
    return [node, *graph.members(node)] if graph.node(node).kind in TYPE_KINDS else [node]


def impact(graph: Graph, starts: Sequence[int], depth: int, kinds: Collection[str] = IMPACT_KINDS) -> list[Reached]:
    """What may notice a change of some nodes, nearest first: those who refer to them, to who refers to them, and so on.

    A call of an inherited method may reach the one that overrides it: such callers count as not quite sure.
    """
    return _walk(starts, depth, lambda node: _affected(graph, node, kinds))


def dependencies(graph: Graph, starts: Sequence[int], depth: int, kinds: Collection[str] = ("calls",)) -> list[Reached]:
    """What some nodes use, what that uses, and so on, nearest first."""
    return _walk(
        starts, depth, lambda node: ((edge.target, edge, edge.confidence) for edge in graph.outgoing(node, kinds))
    )


_Steps = Iterator[tuple[int, "Edge", int]]


def _affected(graph: Graph, node: int, kinds: Collection[str]) -> _Steps:
    for edge in graph.incoming(node, kinds):
        yield edge.source, edge, edge.confidence
    if "calls" in kinds:
        for override in graph.outgoing(node, ("overrides",)):
            for edge in graph.incoming(override.target, ("calls",)):
                yield edge.source, edge, min(edge.confidence, UNIQUE)


def _walk(starts: Sequence[int], depth: int, steps: Callable[[int], _Steps]) -> list[Reached]:
    seen = set(starts)
    found: list[Reached] = []
    pending: deque[tuple[int, int, int]] = deque((node, 0, RESOLVED) for node in starts)
    while pending and len(found) < MAX_REACHED:
        node, level, sure = pending.popleft()
        if level == depth:
            continue
        for other, edge, confidence in steps(node):
            if other not in seen:
                seen.add(other)
                found.append(Reached(other, level + 1, edge, min(sure, confidence)))
                pending.append((other, level + 1, min(sure, confidence)))
    return found


def path_between(
    graph: Graph, start: int, goal: int, depth: int = 8, kinds: Collection[str] = ("calls",)
) -> list[Edge]:
    """The edges of a shortest way from one node to another; empty where there is none within `depth` steps."""
    came: dict[int, Edge] = {}
    pending = deque([(start, 0)])
    while pending:
        node, level = pending.popleft()
        if node == goal and level:
            return _way(came, start, goal)
        if level == depth or len(came) > MAX_REACHED:
            continue
        for edge in graph.outgoing(node, kinds):
            if edge.target not in came and edge.target != start:
                came[edge.target] = edge
                pending.append((edge.target, level + 1))
    return []


def _way(came: dict[int, Edge], start: int, goal: int) -> list[Edge]:
    way: list[Edge] = []
    node = goal
    while node != start:
        way.append(came[node])
        node = came[node].source
    return way[::-1]
