"""Building the graph of a repository: arrays from facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.graph.centrality import communities, pagerank
from fourfold.graph.facts import EDGE_CODES, RESOLVED, UNIQUE, FileFacts
from fourfold.graph.overrides import add_overrides
from fourfold.graph.resolve import Edges, Resolver
from fourfold.graph.world import World
from fourfold.model.chunk import KIND_CODES

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAPH_VERSION = "4"
"""Changes where the same facts would give another graph."""


def build_graph(files: Sequence[FileFacts], manifests: Mapping[str, str]) -> dict[str, NDArray[Any]]:
    """The graph as arrays (see :class:`fourfold.graph.graph.Graph`). `files` must be sorted by path."""
    world = World(files, {**manifests, "": _own_name(files)})
    edges = Edges()
    resolver = Resolver(world)
    for file in range(len(files)):
        resolver.resolve(file, edges)
    add_overrides(world, edges)
    return _arrays(world, edges)


def _own_name(files: Sequence[FileFacts]) -> str:
    """What a Python package that is the root itself calls itself: where most of its absolute imports begin."""
    if not any(file.path == "__init__.py" for file in files):
        return ""
    heads = Counter(
        head
        for file in files
        if file.language == "python"
        for head in {one.module.partition(".")[0] for one in file.facts.imports if "." in one.module}
        if head
    )
    return heads.most_common(1)[0][0] if heads else ""


def _arrays(world: World, edges: Edges) -> dict[str, NDArray[Any]]:
    table = world.table
    arrays = _nodes(world)
    columns = np.array([edges.source, edges.target, edges.kind, edges.confidence, edges.line], dtype=np.int64).reshape(
        5, -1
    )
    columns = _distinct(columns)
    source, target, kind, confidence, line = columns
    arrays |= {
        "edge.target": target.astype(np.int32),
        "edge.source": source.astype(np.int32),
        "edge.kind": kind.astype(np.uint8),
        "edge.confidence": confidence.astype(np.uint8),
        "edge.line": line.astype(np.int32),
        "edge.out": _pointers(source, len(table)),
        "edge.in": _pointers(np.sort(target), len(table)),
        "edge.by_target": np.lexsort((line, source, target)).astype(np.int32),
    }
    arrays |= _names(edges)
    counts = confidence >= UNIQUE
    counts &= kind != EDGE_CODES["tests"]
    rank = pagerank(source[counts], target[counts], len(table))
    arrays["node.rank"] = rank
    arrays["node.in_degree"] = np.bincount(target[counts], minlength=len(table)).astype(np.int32)
    sure = counts & (confidence == RESOLVED)
    arrays["node.community"] = communities(source[sure], target[sure], len(table))
    return arrays


def _nodes(world: World) -> dict[str, NDArray[Any]]:
    table = world.table
    names: list[bytes] = []
    kinds, starts, ends = [], [], []
    for node, symbol in enumerate(table.symbols):
        if symbol is None:
            names.append(world.files[table.file_of[node]].path.encode("utf-8", "surrogateescape"))
            kinds.append(KIND_CODES["file"])
            starts.append(1)
            ends.append(0)
        else:
            names.append(symbol.qualified_name.encode("utf-8", "replace"))
            kinds.append(KIND_CODES[symbol.kind])
            starts.append(symbol.start_line)
            ends.append(symbol.end_line)
    return {
        "file.base": np.array(table.bases, dtype=np.int32),
        "node.names": np.frombuffer(b"".join(names), dtype=np.uint8),
        "node.name_offsets": np.cumsum([0, *map(len, names)], dtype=np.int64),
        "node.kind": np.array(kinds, dtype=np.uint8),
        "node.start": np.array(starts, dtype=np.int32),
        "node.end": np.array(ends, dtype=np.int32),
    }


def _distinct(columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Edges sorted by source; of equal (source, target, kind, line) the surest."""
    source, target, kind, confidence, line = columns
    order = np.lexsort((-confidence, line, kind, target, source))
    columns = columns[:, order]
    key = columns[[0, 1, 2, 4]]
    keep = np.ones(columns.shape[1], dtype=np.bool_)
    keep[1:] = (key[:, 1:] != key[:, :-1]).any(axis=0)
    return columns[:, keep]


def _names(edges: Edges) -> dict[str, NDArray[Any]]:
    """References that stay names, sorted by name, then source."""
    distinct = sorted(set(edges.name))
    number = {name: at for at, name in enumerate(distinct)}
    encoded = [name.encode("utf-8", "replace") for name in distinct]
    columns = np.array(
        [
            [number[name] for name in edges.name],
            edges.name_source,
            edges.name_kind,
            edges.name_confidence,
            edges.name_line,
        ],
        dtype=np.int64,
    ).reshape(5, -1)
    columns = np.unique(columns, axis=1)
    name, source, kind, confidence, line = columns
    return {
        "name.text": np.frombuffer(b"".join(encoded), dtype=np.uint8),
        "name.offsets": np.cumsum([0, *map(len, encoded)], dtype=np.int64),
        "name.pointers": _pointers(name, len(distinct)),
        "name.source": source.astype(np.int32),
        "name.kind": kind.astype(np.uint8),
        "name.confidence": confidence.astype(np.uint8),
        "name.line": line.astype(np.int32),
        "name.by_source": np.lexsort((line, source)).astype(np.int32),
    }


def _pointers(sorted_rows: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Where each row number begins in a sorted column, one longer than rows."""
    return np.concatenate([[0], np.cumsum(np.bincount(sorted_rows, minlength=count))]).astype(np.int64)
