"""Which nodes matter, and which belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DAMPING = 0.85
"""Of PageRank (Brin and Page 1998)."""
ROUNDS = 50
TOLERANCE = 1e-8
LABEL_ROUNDS = 12


def pagerank(source: NDArray[np.int64], target: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    """PageRank times the number of nodes (mean 1), by power iteration; several edges between two nodes count once.

    A node without outgoing edges gives its weight to all.
    """
    if not count:
        return np.zeros(0, dtype=np.float32)
    pairs = np.unique(source * count + target)
    source, target = pairs // count, pairs % count
    degree = np.bincount(source, minlength=count).astype(np.float64)
    rank = np.full(count, 1.0 / count)
    share = np.divide(1.0, degree, out=np.zeros(count), where=degree > 0)
    for _ in range(ROUNDS):
        moved = np.bincount(target, weights=(rank * share)[source], minlength=count)
        lost = float(rank[degree == 0].sum())
        new = (1.0 - DAMPING) / count + DAMPING * (moved + lost / count)
        done = float(np.abs(new - rank).sum()) < TOLERANCE
        rank = new
        if done:
            break
    return (rank * count).astype(np.float32)


def communities(source: NDArray[np.int64], target: NDArray[np.int64], count: int) -> NDArray[np.int32]:
    """Community of each node, numbered by size (0 the largest); -1 for nodes without edges.

    Louvain's local moving (Blondel et al. 2008), repeated on the aggregated graph; nodes are visited in their order, so
    that equal graphs have equal communities.
    """
    result = np.full(count, -1, dtype=np.int32)
    keep = source != target
    ends = np.concatenate([source[keep], target[keep]])
    if not len(ends):
        return result
    nodes = np.unique(ends)
    first = np.searchsorted(nodes, source[keep])
    second = np.searchsorted(nodes, target[keep])
    label = _louvain(first, second, len(nodes))
    sizes = np.bincount(label)
    order = np.lexsort((np.arange(len(sizes)), -sizes))
    place = np.empty(len(sizes), dtype=np.int32)
    place[order] = np.arange(len(sizes))
    result[nodes] = place[label]
    return result


def _louvain(first: NDArray[np.int64], second: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    label: NDArray[Any] = np.arange(count)
    weight: NDArray[np.float64] = np.ones(len(first))
    while True:
        moved = _local_moves(first, second, weight, count)
        distinct, dense = np.unique(moved, return_inverse=True)
        label = dense[label]
        if len(distinct) == count:
            return label
        count = len(distinct)
        first, second = dense[first], dense[second]
        pairs, inverse = np.unique(first * count + second, return_inverse=True)
        weight = np.bincount(inverse, weights=weight).astype(np.float64)
        first, second = pairs // count, pairs % count


def _local_moves(
    first: NDArray[np.int64], second: NDArray[np.int64], weight: NDArray[np.float64], count: int
) -> NDArray[np.int64]:
    """One level: each node moves to the neighbouring community with the highest gain in modularity, until none does."""
    rows = np.concatenate([first, second])
    columns = np.concatenate([second, first])
    weights = np.concatenate([weight, weight])
    order = np.lexsort((columns, rows))
    pointers = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).tolist()
    neighbours, values = columns[order].tolist(), weights[order].tolist()
    degree = np.bincount(rows, weights=weights, minlength=count).tolist()
    total = float(weights.sum()) or 1.0
    label = list(range(count))
    inside = list(degree)
    for _ in range(LABEL_ROUNDS):
        changed = False
        for node in range(count):
            mine, own = label[node], degree[node]
            links: dict[int, float] = {}
            for at in range(pointers[node], pointers[node + 1]):
                other = neighbours[at]
                if other != node:
                    links[label[other]] = links.get(label[other], 0.0) + values[at]
            inside[mine] -= own
            best, gain = mine, links.get(mine, 0.0) - own * inside[mine] / total
            for candidate, linked in links.items():
                worth = linked - own * inside[candidate] / total
                if worth > gain + 1e-12:
                    best, gain = candidate, worth
            inside[best] += own
            if best != mine:
                label[node] = best
                changed = True
        if not changed:
            break
    return np.array(label, dtype=np.int64)
