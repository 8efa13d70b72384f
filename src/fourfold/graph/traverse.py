"""Walking the graph: what a change reaches, what a symbol needs, how one symbol leads to another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.graph.facts import RESOLVED, UNIQUE
from fourfold.model.chunk import TYPE_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    return list(affected(graph, starts, depth, kinds).reached(graph))


def affected(graph: Graph, starts: Sequence[int], depth: int, kinds: Collection[str] = IMPACT_KINDS) -> Walk:
    """:func:`impact` as arrays: what counting and sorting thousands of nodes needs."""
    return _walk(starts, depth, lambda nodes: _affected(graph, nodes, kinds))


def needed(graph: Graph, starts: Sequence[int], depth: int, kinds: Collection[str] = ("calls",)) -> Walk:
    """What some nodes use, what that uses, and so on, nearest first."""

    def steps(nodes: NDArray[np.int64]) -> _Steps:
        rows, owners = graph.rows_from(nodes, kinds)
        _, target, confidence = graph.ends(rows)
        return target, rows, confidence, owners

    return _walk(starts, depth, steps)


@dataclass(frozen=True, slots=True)
class Walk:
    """The nodes that a walk came to, nearest first: `node`, `depth`, `row` of the edge, `confidence`, all of one
    length."""

    node: NDArray[np.int64]
    depth: NDArray[np.int64]
    row: NDArray[np.int64]
    confidence: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.node)

    def reached(self, graph: Graph, chosen: NDArray[np.int64] | None = None) -> Iterator[Reached]:
        """The nodes one by one: all, or those at the places `chosen`."""
        node, depth, row, confidence = (
            column if chosen is None else column[chosen]
            for column in (self.node, self.depth, self.row, self.confidence)
        )
        edges = graph.edges_at(row)
        yield from map(Reached, node.tolist(), depth.tolist(), edges, confidence.tolist())


_Steps = tuple["NDArray[Any]", "NDArray[Any]", "NDArray[Any]", "NDArray[Any]"]
"""Of each step: the node it leads to, the row of its edge, its confidence, the place of the node that it leaves."""


def _affected(graph: Graph, nodes: NDArray[np.int64], kinds: Collection[str]) -> _Steps:
    rows, owners = graph.rows_to(nodes, kinds)
    source, _, confidence = graph.ends(rows)
    if "calls" not in kinds:
        return source, rows, confidence, owners
    overrides, own = graph.rows_from(nodes, ("overrides",))
    inherited, via = graph.rows_to(np.asarray(graph.ends(overrides)[1], dtype=np.int64), ("calls",))
    callers, _, sure = graph.ends(inherited)
    return (
        np.concatenate([source, callers]),
        np.concatenate([rows, inherited]),
        np.concatenate([confidence, np.minimum(sure, UNIQUE)]),
        np.concatenate([owners, own[via]]),
    )


def _walk(starts: Sequence[int], depth: int, steps: Callable[[NDArray[np.int64]], _Steps]) -> Walk:
    """Breadth first, a level at a time; of several ways to a node the first of the surest is kept."""
    frontier = np.array(list(dict.fromkeys(starts)), dtype=np.int64)
    sure = np.full(len(frontier), RESOLVED, dtype=np.int64)
    seen = frontier
    parts: list[tuple[NDArray[np.int64], ...]] = []
    total = 0
    for level in range(1, depth + 1):
        if not len(frontier) or total >= MAX_REACHED:
            break
        node, row, confidence, owner = (np.asarray(column, dtype=np.int64) for column in steps(frontier))
        confidence = np.minimum(confidence, sure[owner])
        order = np.lexsort((np.arange(len(node)), -confidence))
        _, first = np.unique(node[order], return_index=True)
        kept = np.sort(order[first])
        kept = kept[~np.isin(node[kept], seen)][: MAX_REACHED - total]
        frontier, sure = node[kept], confidence[kept]
        seen = np.concatenate([seen, frontier])
        total += len(kept)
        parts.append((frontier, np.full(len(kept), level, dtype=np.int64), row[kept], sure))
    if not parts:
        none = np.zeros(0, dtype=np.int64)
        return Walk(none, none, none, none)
    return Walk(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


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
