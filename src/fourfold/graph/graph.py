"""The graph of one generation: who refers to whom, asked node by node.

Arrays (see :mod:`fourfold.graph.build`): ``node.*`` one row a node, ``edge.*`` one row an edge sorted by source,
``edge.out`` and ``edge.in`` pointers by source and by target (the latter into ``edge.by_target``), ``name.*`` the
references that stayed names, sorted by name.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fourfold.graph.facts import EDGE_CODES, EDGE_KINDS, RESOLVED
from fourfold.model.chunk import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` refers to `target` on `line` of the source's file; `confidence` as in :mod:`fourfold.graph.facts`."""

    source: int
    target: int
    kind: str
    confidence: int
    line: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A reference that stayed a name: `source` names it on `line`."""

    source: int
    name: str
    kind: str
    confidence: int
    line: int


@dataclass(frozen=True, slots=True)
class Node:
    """A symbol, or (kind ``file``) a file."""

    number: int
    path: str
    name: str
    kind: str
    start_line: int
    end_line: int


class Graph:
    """Asks the arrays of a graph. `paths` are the paths it was built from, sorted; `groups` gives its communities where
    they are kept."""

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        paths: Sequence[str],
        groups: Callable[[Graph], NDArray[Any]] | None = None,
    ) -> None:
        self._arrays = arrays
        self._groups = groups
        self.paths = paths
        self._bases: list[int] = arrays["file.base"].tolist()

    def __len__(self) -> int:
        return self._bases[-1]

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self._arrays["edge.target"])

    # -- nodes -----------------------------------------------------------------------------------------------------

    def node(self, number: int) -> Node:
        """What a node is."""
        file = bisect_right(self._bases, number) - 1
        return Node(
            number,
            self.paths[file],
            self.name(number),
            KINDS[int(self._arrays["node.kind"][number])],
            int(self._arrays["node.start"][number]),
            int(self._arrays["node.end"][number]),
        )

    def name(self, number: int) -> str:
        """Qualified name of a symbol, path of a file."""
        offsets = self._arrays["node.name_offsets"]
        return bytes(self._arrays["node.names"][int(offsets[number]) : int(offsets[number + 1])]).decode(
            "utf-8", "replace"
        )

    def path(self, number: int) -> str:
        """The file of a node."""
        return self.paths[bisect_right(self._bases, number) - 1]

    def files_of(self, nodes: NDArray[Any]) -> NDArray[Any]:
        """Numbers of the files (places in `paths`) of many nodes."""
        import numpy as np

        found: NDArray[Any] = np.searchsorted(self._arrays["file.base"], nodes, side="right") - 1
        return found

    def kinds_of(self, nodes: NDArray[Any]) -> NDArray[Any]:
        """Codes (:data:`fourfold.model.chunk.KIND_CODES`) of the kinds of many nodes."""
        kinds: NDArray[Any] = self._arrays["node.kind"][nodes]
        return kinds

    def file_node(self, path: str) -> int:
        """The node of a file; -1 where the graph does not know it."""
        at = bisect_left(self.paths, path)
        return self._bases[at] if at < len(self.paths) and self.paths[at] == path else -1

    def nodes_of(self, path: str) -> range:
        """The symbols of a file."""
        at = bisect_left(self.paths, path)
        if at < len(self.paths) and self.paths[at] == path:
            return range(self._bases[at] + 1, self._bases[at + 1])
        return range(0)

    def find(self, path: str, name: str, start_line: int) -> int:
        """The node of a symbol of a file; -1 where there is none."""
        nodes = self.nodes_of(path)
        starts = self._arrays["node.start"][nodes.start : nodes.stop]
        for at in (starts == start_line).nonzero()[0].tolist():
            number: int = nodes.start + at
            if self.name(number) == name:
                return number
        return -1

    def members(self, number: int) -> list[int]:
        """The symbols inside a symbol of the same file."""
        node = self.node(number)
        prefix = node.name + "."
        return [other for other in self.nodes_of(node.path) if self.name(other).startswith(prefix)]

    def rank(self, number: int) -> float:
        """PageRank times the number of nodes: 1 is the mean."""
        return float(self._arrays["node.rank"][number])

    @property
    def ranks(self) -> NDArray[Any]:
        """PageRank of all nodes (mean 1)."""
        return self._arrays["node.rank"]

    @property
    def lines(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """First and last line of all nodes."""
        return self._arrays["node.start"], self._arrays["node.end"]

    @property
    def in_degrees(self) -> NDArray[Any]:
        """Incoming edges of all nodes, ambiguous ones not counted."""
        return self._arrays["node.in_degree"]

    @cached_property
    def communities(self) -> NDArray[Any]:
        """Community of all nodes, the largest first; -1 for nodes without edges. Found when first asked for."""
        return self._groups(self) if self._groups is not None else self.grouped()

    def grouped(self) -> NDArray[Any]:
        """Find the communities (half a second for 100,000 edges)."""
        from fourfold.graph.centrality import communities

        arrays = self._arrays
        sure = (arrays["edge.confidence"] == RESOLVED) & (arrays["edge.kind"] != EDGE_CODES["tests"])
        source, target = (arrays[name][sure].astype("int64") for name in ("edge.source", "edge.target"))
        return communities(source, target, len(self))

    def confidences(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Confidence of every edge, and of every reference that stayed a name."""
        return self._arrays["edge.confidence"], self._arrays["name.confidence"]

    # -- edges -----------------------------------------------------------------------------------------------------

    def outgoing(self, number: int, kinds: Collection[str] = EDGE_KINDS) -> list[Edge]:
        """Edges from a node, in line order of their targets."""
        out = self._arrays["edge.out"]
        return self._edges(slice(int(out[number]), int(out[number + 1])), kinds)

    def incoming(self, number: int, kinds: Collection[str] = EDGE_KINDS) -> list[Edge]:
        """Edges to a node, by source and line."""
        into = self._arrays["edge.in"]
        return self._edges(self._arrays["edge.by_target"][int(into[number]) : int(into[number + 1])], kinds)

    def _edges(self, rows: NDArray[Any] | slice, kinds: Collection[str]) -> list[Edge]:
        codes = {EDGE_CODES[kind] for kind in kinds}
        names = ("edge.source", "edge.target", "edge.kind", "edge.confidence", "edge.line")
        columns = [self._arrays[name][rows].tolist() for name in names]
        return [
            Edge(source, target, EDGE_KINDS[kind], confidence, line)
            for source, target, kind, confidence, line in zip(*columns, strict=True)
            if kind in codes
        ]

    def edges_at(self, rows: NDArray[Any]) -> list[Edge]:
        """The edges of some rows (see :meth:`rows_to`)."""
        return self._edges(rows, EDGE_KINDS)

    def rows_to(self, nodes: NDArray[Any], kinds: Collection[str]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Rows of all edges of some kinds to many nodes at once, and for each the position of its target in `nodes`;
        in the order of :meth:`incoming`, node by node."""
        rows, owners = _spans(self._arrays["edge.in"], nodes)
        return self._of_kinds(self._arrays["edge.by_target"][rows], owners, kinds)

    def rows_from(self, nodes: NDArray[Any], kinds: Collection[str]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Like :meth:`rows_to`, of edges from many nodes."""
        return self._of_kinds(*_spans(self._arrays["edge.out"], nodes), kinds)

    def _of_kinds(
        self, rows: NDArray[Any], owners: NDArray[Any], kinds: Collection[str]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        import numpy as np

        keep = np.isin(self._arrays["edge.kind"][rows], [EDGE_CODES[kind] for kind in kinds])
        return rows[keep], owners[keep]

    def ends(self, rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Sources, targets and confidences of edges by their rows."""
        return (
            self._arrays["edge.source"][rows],
            self._arrays["edge.target"][rows],
            self._arrays["edge.confidence"][rows],
        )

    @cached_property
    def _names(self) -> dict[str, int]:
        offsets = self._arrays["name.offsets"].tolist()
        text = self._arrays["name.text"].tobytes()
        return {
            text[first:last].decode("utf-8", "replace"): number
            for number, (first, last) in enumerate(pairwise(offsets))
        }

    def mentions(self, name: str, kinds: Collection[str] = EDGE_KINDS) -> list[Mention]:
        """References that stayed this (bare) name."""
        number = self._names.get(name, -1)
        if number < 0:
            return []
        pointers = self._arrays["name.pointers"]
        return list(self._mentions(slice(int(pointers[number]), int(pointers[number + 1])), name, kinds))

    def unresolved(self, number: int, kinds: Collection[str] = EDGE_KINDS) -> list[Mention]:
        """References of a node that stayed names."""
        import numpy as np

        first, last = np.searchsorted(self._sources, [number, number + 1])
        offsets, pointers = self._arrays["name.offsets"], self._arrays["name.pointers"]
        found: list[Mention] = []
        for row in self._arrays["name.by_source"][first:last].tolist():
            at = int(np.searchsorted(pointers, row, side="right")) - 1
            text = bytes(self._arrays["name.text"][int(offsets[at]) : int(offsets[at + 1])])
            found.extend(self._mentions(slice(row, row + 1), text.decode("utf-8", "replace"), kinds))
        return found

    @cached_property
    def _sources(self) -> NDArray[Any]:
        """Sources of the references that stayed names, sorted."""
        sources: NDArray[Any] = self._arrays["name.source"][self._arrays["name.by_source"]]
        return sources

    def _mentions(self, rows: slice, name: str, kinds: Collection[str]) -> Iterator[Mention]:
        columns = [
            self._arrays[column][rows].tolist()
            for column in ("name.source", "name.kind", "name.confidence", "name.line")
        ]
        for source, code, confidence, line in zip(*columns, strict=True):
            kind = EDGE_KINDS[code]
            if kind in kinds:
                yield Mention(source, name, kind, confidence, line)


def _spans(pointers: NDArray[Any], nodes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """All rows between the pointers of some nodes, one node after the other, and the position of each row's node."""
    import numpy as np

    starts = np.asarray(pointers[nodes], dtype=np.int64)
    lengths = np.asarray(pointers[nodes + 1], dtype=np.int64) - starts
    owners = np.repeat(np.arange(len(nodes)), lengths)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return starts[owners] + within, owners
