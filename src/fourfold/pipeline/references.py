"""Uses of a name, and what a change of it reaches: what the graph knows first, mentions in the text next."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from fourfold.graph.facts import RESOLVED
from fourfold.graph.traverse import IMPACT_KINDS, impact, seeds_of
from fourfold.pipeline.exact import by_chunk, mentions
from fourfold.retrieve.structural import bare

if TYPE_CHECKING:
    from fourfold.graph.graph import Graph
    from fourfold.pipeline.ranked import Ranked
    from fourfold.store.local.corpus import Corpus
    from fourfold.store.local.snapshot import LocalSnapshot

CALLED, REFERRED, IMPORTED = 1.3, 1.1, 0.5
"""Worth of a line where the graph says that it calls the symbol, refers to it otherwise, or imports it. A mention in
the text alone is worth at most 1 (:mod:`fourfold.pipeline.exact`)."""
_WORTH = {"calls": CALLED, "inherits": REFERRED, "references": REFERRED, "overrides": REFERRED, "imports": IMPORTED}
NOT_SURE = 0.85
"""Factor of an edge by name alone."""
IMPACT_DEPTH = 3
STEP = 0.7
"""Factor of each step away from the symbol."""
USE_KINDS = ("calls", "inherits", "references", "imports")


def symbol_nodes(graph: Graph, snapshot: LocalSnapshot, names: Sequence[str]) -> list[int]:
    """Nodes of the definitions of some names, as written where anything is written so."""
    nodes: list[int] = []
    for name in dict.fromkeys(names):
        rows = snapshot.symbols_named(name, limit=50) or snapshot.symbols_named(bare(name), limit=50)
        rows = rows or snapshot.symbols_named(bare(name), ignore_case=True, limit=50)
        found = (graph.find(row.path, row.symbol.qualified_name, row.symbol.start_line) for row in rows)
        nodes.extend(node for node in found if node >= 0)
    return list(dict.fromkeys(nodes))


def uses(
    graph: Graph,
    snapshot: LocalSnapshot,
    corpus: Corpus,
    names: Sequence[str],
    wanted: frozenset[str],
    paths: Collection[str] | None,
) -> list[Ranked]:
    """Chunks that use a symbol: those the graph knows, then those that mention the name."""
    nodes = symbol_nodes(graph, snapshot, names)
    lines = list(_lines(graph, nodes))
    return _merged(corpus, lines, mentions(snapshot, corpus, names, wanted, paths), wanted, paths)


def uses_of_nodes(
    graph: Graph, corpus: Corpus, nodes: Sequence[int], wanted: frozenset[str], paths: Collection[str] | None
) -> list[Ranked]:
    """Chunks that use one of some symbols, as far as the graph knows."""
    return _merged(corpus, list(_lines(graph, nodes)), [], wanted, paths)


def reached(
    graph: Graph,
    snapshot: LocalSnapshot,
    corpus: Corpus,
    names: Sequence[str],
    wanted: frozenset[str],
    paths: Collection[str] | None,
) -> list[Ranked]:
    """Chunks that a change of a symbol reaches, nearest first, then those that mention the name."""
    nodes = symbol_nodes(graph, snapshot, names)
    starts = list(dict.fromkeys(seed for node in nodes for seed in seeds_of(graph, node)))
    lines = []
    for one in impact(graph, starts, IMPACT_DEPTH, IMPACT_KINDS):
        worth = _WORTH[one.edge.kind] * STEP ** (one.depth - 1)
        worth *= 1.0 if one.confidence == RESOLVED else NOT_SURE
        lines.append((graph.path(one.node), one.edge.line or graph.node(one.node).start_line, worth))
    return _merged(corpus, lines, mentions(snapshot, corpus, names, wanted, paths), wanted, paths)


def _lines(graph: Graph, nodes: Sequence[int]) -> Iterator[tuple[str, int, float]]:
    for node in nodes:
        for edge in graph.incoming(node, USE_KINDS):
            worth = _WORTH[edge.kind] * (1.0 if edge.confidence == RESOLVED else NOT_SURE)
            yield graph.path(edge.source), max(edge.line, 1), worth


def _merged(
    corpus: Corpus,
    lines: list[tuple[str, int, float]],
    mentioned: list[Ranked],
    wanted: frozenset[str],
    paths: Collection[str] | None,
) -> list[Ranked]:
    """Chunks of graph lines, best first, then the chunks that only mention the name."""
    lines = [line for line in lines if paths is None or line[0] in paths]
    lines.sort(key=lambda line: (-line[2], line[0], line[1]))
    known = by_chunk(corpus, lines, wanted, "graph")
    by_number = {item.chunk: item for item in mentioned}
    for item in known:
        other = by_number.pop(item.chunk, None)
        if other is not None:
            item.ranks |= other.ranks
    return sorted([*known, *by_number.values()], key=lambda item: -item.score)
