"""The graph of one generation: who refers to whom, asked node by node.

Arrays (see :mod:`fourfold.graph.build`): ``node.*`` one row a node, ``edge.*`` one row an edge sorted by source,
``edge.out`` and ``edge.in`` pointers by source and by target (the latter into ``edge.by_target``), ``name.*`` the
references that stayed names, sorted by name.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fourfold.graph.facts import EDGE_CODES, EDGE_KINDS
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
    """Asks the arrays of a graph. `paths` are the paths it was built from, sorted."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], paths: Sequence[str]) -> None:
        self._arrays = arrays
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
        starts = self._arrays["node.start"]
        for number in self.nodes_of(path):
            if starts[number] == start_line and self.name(number) == name:
                return number
        return -1

    def at_line(self, path: str, line: int) -> int:
        """The innermost symbol of a file that a line is in, else the file; -1 where the graph does not know it."""
        best, length = self.file_node(path), 1 << 60
        for number in self.nodes_of(path):
            first, last = int(self._arrays["node.start"][number]), int(self._arrays["node.end"][number])
            if first <= line <= last and last - first <= length:
                best, length = number, last - first
        return best

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

    @property
    def communities(self) -> NDArray[Any]:
        """Community of all nodes, the largest first; -1 for nodes without edges."""
        return self._arrays["node.community"]

    def confidences(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Confidence of every edge, and of every reference that stayed a name."""
        return self._arrays["edge.confidence"], self._arrays["name.confidence"]

    # -- edges -----------------------------------------------------------------------------------------------------

    def outgoing(self, number: int, kinds: Collection[str] = EDGE_KINDS) -> list[Edge]:
        """Edges from a node, in line order of their targets."""
        out = self._arrays["edge.out"]
        return self._edges(range(int(out[number]), int(out[number + 1])), kinds)

    def incoming(self, number: int, kinds: Collection[str] = EDGE_KINDS) -> list[Edge]:
        """Edges to a node, by source and line."""
        into = self._arrays["edge.in"]
        rows = self._arrays["edge.by_target"][int(into[number]) : int(into[number + 1])]
        return self._edges(rows.tolist(), kinds)

    def _edges(self, rows: Iterable[int], kinds: Collection[str]) -> list[Edge]:
        codes = {EDGE_CODES[kind] for kind in kinds}
        columns = self._arrays
        return [
            Edge(
                int(columns["edge.source"][row]),
                int(columns["edge.target"][row]),
                EDGE_KINDS[int(columns["edge.kind"][row])],
                int(columns["edge.confidence"][row]),
                int(columns["edge.line"][row]),
            )
            for row in rows
            if int(columns["edge.kind"][row]) in codes
        ]

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
        return list(self._mentions(range(int(pointers[number]), int(pointers[number + 1])), name, kinds))

    def unresolved(self, number: int, kinds: Collection[str] = EDGE_KINDS) -> list[Mention]:
        """References of a node that stayed names."""
        import numpy as np

        order, sources = self._arrays["name.by_source"], self._arrays["name.source"]
        first, last = np.searchsorted(sources[order], [number, number + 1])
        names = list(self._names)
        pointers = self._arrays["name.pointers"]
        found: list[Mention] = []
        for row in order[first:last].tolist():
            name = names[int(np.searchsorted(pointers, row, side="right")) - 1]
            found.extend(self._mentions([row], name, kinds))
        return found

    def _mentions(self, rows: Iterable[int], name: str, kinds: Collection[str]) -> Iterator[Mention]:
        columns = self._arrays
        for row in rows:
            kind = EDGE_KINDS[int(columns["name.kind"][row])]
            if kind in kinds:
                yield Mention(
                    int(columns["name.source"][row]),
                    name,
                    kind,
                    int(columns["name.confidence"][row]),
                    int(columns["name.line"][row]),
                )
