"""From candidates to nodes of the graph, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fourfold.graph.graph import Graph
    from fourfold.pipeline.state import Candidate, RetrieverState


def nodes_of(state: RetrieverState, candidate: Candidate) -> list[int]:
    """The nodes of a candidate, as :func:`nodes_at` has them; one with a line of its own stands for what is there."""
    return nodes_at(state.index.graph, candidate.path, candidate.start_line, candidate.end_line, candidate.line)


def nodes_at(graph: Graph, path: str, start: int, end: int, line: int = 0) -> list[int]:
    """The nodes of the definitions that begin in some lines of a file; where none does, the one that these lie in, or
    the file. With `line` the definition on that line, where there is one. Empty where the graph does not know the file.
    """
    span = graph.nodes_of(path)
    starts, ends = (column[span.start : span.stop] for column in graph.lines)
    if line:
        on_line = np.flatnonzero(starts == line)
        if len(on_line):
            return [span.start + int(on_line[0])]
    inside = np.flatnonzero((starts >= start) & (starts <= end))
    if len(inside):
        return [span.start + int(at) for at in inside]
    around = np.flatnonzero((starts <= start) & (ends >= end))
    if len(around):
        lengths = (ends - starts)[around]
        return [span.start + int(around[int(lengths.argmin())])]
    file = graph.file_node(path)
    return [file] if file >= 0 else []


def centrality_of(state: RetrieverState, candidate: Candidate) -> float | None:
    """The centrality (mean 1) of the most central node of a candidate; None where the graph knows none."""
    nodes = nodes_of(state, candidate)
    return float(state.index.graph.ranks[nodes].max()) if nodes else None


def community_of(state: RetrieverState, candidate: Candidate) -> int | None:
    """The community of the most central node of a candidate; None where it has none."""
    graph = state.index.graph
    nodes = nodes_of(state, candidate)
    if not nodes:
        return None
    central = nodes[int(graph.ranks[nodes].argmax())]
    found = int(graph.communities[central])
    return found if found >= 0 else None


def chunk_of(state: RetrieverState, graph: Graph, node: int) -> int:
    """The chunk that holds the first line of a node; -1 where there is none."""
    first, _ = graph.lines
    return state.chunk_at(graph.path(node), max(int(first[node]), 1))
