"""Building the graph of a repository: arrays from facts."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.graph.centrality import pagerank
from fourfold.graph.facts import EDGE_CODES, UNIQUE, FileFacts
from fourfold.graph.implements import implemented
from fourfold.graph.interface import interface_of, without_uses
from fourfold.graph.overrides import add_overrides
from fourfold.graph.precise import Precise
from fourfold.graph.resolve import Edges, Resolver
from fourfold.graph.world import World
from fourfold.model.chunk import KIND_CODES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.graph.scip import Scip

    _Columns = NDArray[np.int64]  # rows: source, target, kind, confidence, line; of names the name for the target

GRAPH_VERSION = "12"
"""Changes where the same facts would give another graph."""


def build_graph(
    files: Sequence[FileFacts], manifests: Mapping[str, str], scip: Scip | None = None
) -> dict[str, NDArray[Any]]:
    """The graph as arrays (see :class:`fourfold.graph.graph.Graph`). `files` must be sorted by path; `scip` says more
    precisely who is meant."""
    return GraphBuilder(files, manifests, scip).arrays()


class GraphBuilder:
    """Builds a graph, and builds it again after a change inside of some files without looking at the others.

    `files` must be sorted by path. What they refer to is given up once it is resolved.
    """

    def __init__(self, files: Sequence[FileFacts], manifests: Mapping[str, str], scip: Scip | None = None) -> None:
        with uncollected():
            self._build(files, manifests, scip)

    def _build(self, files: Sequence[FileFacts], manifests: Mapping[str, str], scip: Scip | None) -> None:
        self._files = list(files)
        self._world = World(self._files, {**manifests, "": _own_name(files)})
        precise = Precise(scip, self._world.table) if scip is not None else None
        self._precise = precise
        self._resolver = Resolver(self._world, precise)
        self._names: dict[str, int] = {}
        self._edges: list[_Columns] = []
        self._mentions: list[_Columns] = []
        for number in range(len(files)):
            edges, mentions = self._resolved(number)
            self._edges.append(edges)
            self._mentions.append(mentions)
        self._implemented = _none()
        if precise is not None:
            found = Edges()
            precise.implemented(found)
            self._implemented = _columns(found)
        for number, file in enumerate(self._files):
            self._files[number] = without_uses(file)

    def replace(self, file: FileFacts) -> bool:
        """Take in a changed file; False (and nothing is done) where what others may see of it is not as it was."""
        number = self._world.number(file.path)
        if number < 0 or self._precise is not None or interface_of(self._files[number]) != interface_of(file):
            return False  # what an index of a compiler says goes by lines, also of other files
        self._files[number] = file
        self._world.replaced(number)
        self._resolver.forget(number)
        self._edges[number], self._mentions[number] = self._resolved(number)
        self._files[number] = without_uses(file)
        return True

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The graph as it is now."""
        said = [self._implemented, *self._edges]
        columns = _distinct(np.concatenate(said, axis=1))
        arrays = _ranks(columns, len(self._world.table))
        # What methods make of a type is no reference: it counts nothing towards what is central.
        implicit = _columns(implemented(self._world))
        if implicit.shape[1]:
            columns = _distinct(np.concatenate([*said, implicit], axis=1))
        arrays |= _arrays(self._world, columns)
        return arrays | _names(self._names, np.concatenate([_none(), *self._mentions], axis=1))

    def _resolved(self, number: int) -> tuple[_Columns, _Columns]:
        """Edges of a file, and its references that stay names, the latter by number."""
        edges = Edges()
        self._resolver.resolve(number, edges)
        add_overrides(self._world, number, edges)
        known = self._names
        names = [known.setdefault(name, len(known)) for name in edges.name]
        return (
            _columns(edges),
            np.array(
                [names, edges.name_source, edges.name_kind, edges.name_confidence, edges.name_line], dtype=np.int64
            ),
        )


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for circles of garbage, which takes a quarter of the time where a million small things are made that
    all stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _columns(edges: Edges) -> _Columns:
    return np.array([edges.source, edges.target, edges.kind, edges.confidence, edges.line], dtype=np.int64)


def _none() -> _Columns:
    return np.zeros((5, 0), dtype=np.int64)


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


def _ranks(columns: _Columns, count: int) -> dict[str, NDArray[Any]]:
    """How central each node is."""
    source, target, kind, confidence, _ = columns
    counts = confidence >= UNIQUE
    counts &= kind != EDGE_CODES["tests"]
    return {
        "node.rank": pagerank(source[counts], target[counts], count),
        "node.in_degree": np.bincount(target[counts], minlength=count).astype(np.int32),
    }


def _arrays(world: World, columns: _Columns) -> dict[str, NDArray[Any]]:
    table = world.table
    arrays = _nodes(world)
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
    return columns[:, _changes(columns[[0, 1, 2, 4]])]


def _changes(columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Of sorted columns those that differ from the one before."""
    keep = np.ones(columns.shape[1], dtype=np.bool_)
    keep[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    return keep


def _names(known: Mapping[str, int], mentions: _Columns) -> dict[str, NDArray[Any]]:
    """References that stay names, sorted by name, then source."""
    texts = list(known)
    used = np.unique(mentions[0]).tolist()
    distinct = sorted(texts[number] for number in used)
    place = np.zeros(len(texts), dtype=np.int64)
    place[[known[text] for text in distinct]] = np.arange(len(distinct))
    encoded = [text.encode("utf-8", "replace") for text in distinct]
    columns = np.concatenate([place[mentions[:1]], mentions[1:]])
    columns = columns[:, np.lexsort(columns[::-1])]
    columns = columns[:, _changes(columns)]
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
