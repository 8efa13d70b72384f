"""References before they are shown: sorted and cut by number, so that only what is shown is read and written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.chunk import KIND_CODES
from fourfold.pipeline.structure.items import Structure, is_test

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.graph.graph import Graph
    from fourfold.model.query import Filters
    from fourfold.model.structure import UsageItem


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference by numbers: `node` is the other side, `line` that of the reference in the file of node `at`, `via`
    the node on this side; `name` stands for what has no node."""

    node: int
    line: int
    relation: str
    confidence: int
    at: int
    via: int
    depth: int = 1
    name: str = ""


def shown(
    structure: Structure, references: Sequence[Reference], filters: Filters, limit: int
) -> tuple[list[UsageItem], int]:
    """References that the filters let through and whose file is there, each once: the surest and nearest first,
    ordinary source before tests; and how many more there are."""
    graph = structure.graph
    allowed, exists = structure.allowed(filters), structure.exists()
    nodes = np.array([one.node for one in references], dtype=np.int64)
    files = graph.files_of(nodes).tolist()
    fits = {number: allowed(graph.paths[number]) for number in set(files)}
    tested = tested_nodes(graph, nodes).tolist()
    seen: set[tuple[int, int, str, str, int]] = set()
    kept: list[tuple[tuple[int, int, bool, int, int], Reference]] = []
    for one, file, test in zip(references, files, tested, strict=True):
        key = (one.at, one.line, one.name, one.relation, one.node)
        if fits[file] and key not in seen:
            seen.add(key)
            kept.append(((-one.confidence, one.depth, test, file, one.line), one))
    kept.sort(key=lambda pair: pair[0])
    items: list[UsageItem] = []
    looked = 0
    for _, one in kept:
        if len(items) >= limit:
            break
        looked += 1
        if exists(graph.path(one.node)):
            items.append(_item(structure, one, len(items) + 1))
    return items, len(kept) - looked


def tested_nodes(graph: Graph, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of many nodes are test code; files, which only stand for what is outside of functions, are not."""
    files = graph.files_of(nodes)
    distinct, which = np.unique(files, return_inverse=True)
    paths = [graph.paths[number] for number in distinct.tolist()]
    result: NDArray[np.bool_] = np.array([is_test(path) for path in paths], dtype=np.bool_)[which]
    kinds = graph.kinds_of(nodes)
    result |= kinds == KIND_CODES["test"]
    inside = np.array([path.endswith(".rs") for path in paths], dtype=np.bool_)[which] & ~result
    for place in np.flatnonzero(inside).tolist():
        result[place] = is_test(paths[int(which[place])], graph.name(int(nodes[place])))
    result &= kinds != KIND_CODES["file"]
    return result


def _item(structure: Structure, one: Reference, rank: int) -> UsageItem:
    graph = structure.graph
    item = structure.usage(
        graph.node(one.node),
        one.line,
        one.relation,
        one.confidence,
        at=graph.path(one.at),
        depth=one.depth,
        via=graph.name(one.via),
        rank=rank,
    )
    if one.name:
        item = replace(item, symbol=one.name, kind="", start_line=0, end_line=0)
    return item
