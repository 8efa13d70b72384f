"""``impact``: what a change of a symbol reaches, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from fourfold.graph.facts import RESOLVED
from fourfold.graph.traverse import IMPACT_KINDS, Reached, affected, needed, seeds_of
from fourfold.pipeline.structure.shown import shown, tested_nodes
from fourfold.pipeline.structure.usages import Usages, possible_of, targets, without_paths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.model.query import Filters
    from fourfold.model.structure import UsageItem
    from fourfold.pipeline.structure.items import Structure

RANK_SHARE = 1000.0
"""What PageRank (mean 1) is divided by: it only orders nodes of equal confidence."""


def reach(
    structure: Structure, asked: str, direction: str, filters: Filters, *, depth: int, limit: int
) -> tuple[Usages, dict[str, int], int, int, int]:
    """What a change of a symbol reaches (``callers``) or what it rests on (``callees``): (items, symbols by depth,
    files, tests, how many of the symbols by a name alone). Thousands of nodes are counted and sorted as arrays; only
    those shown are written out."""
    symbols, found = targets(structure, asked, without_paths(filters))
    graph = structure.graph
    starts = [node for target in found for node in seeds_of(graph, target.node)]
    walk = needed(graph, starts, depth) if direction == "callees" else affected(graph, starts, depth, IMPACT_KINDS)
    files = graph.files_of(walk.node)
    fits, worth = _of_files(structure, files, filters)
    score = (walk.confidence + np.asarray(graph.ranks)[walk.node] / RANK_SHARE) * worth[files]
    order = np.lexsort((np.arange(len(walk)), -score, walk.depth))
    order = order[fits[files][order]]
    by_depth = {str(step): number for step, number in enumerate(np.bincount(walk.depth[order]).tolist()) if number}
    tests = int(tested_nodes(graph, walk.node[order]).sum())
    items = _items(structure, walk.reached(graph, order[: 2 * limit]), direction, limit)
    dropped = max(len(order) - limit, 0)
    possible: list[UsageItem] = []
    if direction != "callees":
        room = max(limit - len(items), 0)
        possible, beyond = shown(structure, list(possible_of(structure, found, ("calls",))), filters, room)
        dropped += beyond
    result = Usages(symbols, items, possible, dropped > 0, dropped)
    unsure = int((walk.confidence[order] < RESOLVED).sum())
    return result, by_depth, len(np.unique(files[order])), tests, unsure


def _of_files(
    structure: Structure, files: NDArray[np.int64], filters: Filters
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """By number of file, of those in `files`: whether the filters let it through, and the factor of its path."""
    paths, allowed = structure.graph.paths, structure.allowed(filters)
    fits, worth = np.zeros(len(paths), dtype=np.bool_), np.ones(len(paths))
    for number in np.unique(files).tolist():
        fits[number] = allowed(paths[number])
        worth[number] = structure.worth(paths[number])
    return fits, worth


def _items(structure: Structure, walked: Iterable[Reached], direction: str, limit: int) -> list[UsageItem]:
    """The first nodes whose file is there, as they are shown."""
    graph, exists = structure.graph, structure.exists()
    items: list[UsageItem] = []
    for one in walked:
        if len(items) == limit:
            break
        if not exists(graph.path(one.node)):
            continue
        edge = one.edge
        via = graph.name(edge.source if direction == "callees" else edge.target)
        at = graph.path(edge.source)
        items.append(
            structure.usage(
                graph.node(one.node),
                edge.line,
                edge.kind,
                one.confidence,
                at=at,
                depth=one.depth,
                via=via,
                rank=len(items) + 1,
            )
        )
    return items
