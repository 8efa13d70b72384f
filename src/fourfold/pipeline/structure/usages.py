"""``refs`` and ``impact``: who refers to a symbol, and what a change of it reaches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fourfold.graph.facts import AMBIGUOUS, EDGE_KINDS
from fourfold.graph.traverse import IMPACT_KINDS, Reached, dependencies, impact, seeds_of
from fourfold.model.structure import SymbolItem, UsageItem
from fourfold.pipeline.structure.items import Structure, is_test
from fourfold.pipeline.structure.symbols import ranked
from fourfold.rank.demotion import demote
from fourfold.retrieve.names import CASE, EXACT, QUALIFIED

if TYPE_CHECKING:
    from fourfold.model.query import Filters

INCOMING = {
    "callers": ("calls",),
    "inheritors": ("inherits",),
    "importers": ("imports",),
    "uses": tuple(kind for kind in EDGE_KINDS if kind != "overrides"),
}
OUTGOING = {"callees": ("calls",), "inherits": ("inherits",), "imports": ("imports",)}
TEST_DEPTH = 3
"""Calls that may lie between a test and what it tests."""
MAX_TARGETS = 20
"""Definitions of one name that are asked about together."""


@dataclass(frozen=True, slots=True)
class Usages:
    """References: `items` that are sure, `possible` ones apart; `symbols` are what was asked about."""

    symbols: list[SymbolItem]
    items: list[UsageItem]
    possible: list[UsageItem]
    truncated: bool = False
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class _Target:
    node: int
    name: str
    path: str


def targets(structure: Structure, asked: str, filters: Filters) -> tuple[list[SymbolItem], list[_Target]]:
    """The definitions that a name means: the best match's kind only, ordinary source before tests."""
    found = ranked(structure, asked, filters, exact=True)
    wanted = [pair for pair in found if pair[1].match in (EXACT, QUALIFIED)] or [
        pair for pair in found if pair[1].match == CASE
    ]
    items: list[SymbolItem] = []
    nodes: list[_Target] = []
    for _, one in wanted[:MAX_TARGETS]:
        row = one.row
        node = structure.graph.find(row.path, row.symbol.qualified_name, row.symbol.start_line)
        if node >= 0:
            items.append(structure.item(row.path, structure.detailed(row), rank=len(items) + 1, match=one.match))
            nodes.append(_Target(node, row.symbol.name, row.path))
    if not nodes:
        node = structure.graph.file_node(asked)
        if node >= 0:
            nodes.append(_Target(node, asked, asked))
    return items, nodes


def usages(structure: Structure, asked: str, direction: str, filters: Filters, limit: int) -> Usages:
    """References of a symbol in one direction (see :data:`fourfold.model.query.DIRECTIONS`)."""
    symbols, found = targets(structure, asked, _without_paths(filters))
    nodes = [target.node for target in found]
    sure: list[UsageItem] = []
    possible: list[UsageItem] = []
    if direction in INCOMING:
        kinds = INCOMING[direction]
        sure = list(_incoming(structure, nodes, kinds))
        possible = list(_possible(structure, found, kinds))
        if direction in ("importers", "uses"):
            sure += _importers_of_file(structure, found, kinds)
    elif direction in OUTGOING:
        kinds = OUTGOING[direction]
        sure = list(_outgoing(structure, _own_nodes(structure, nodes, direction), kinds))
        possible = list(_unresolved(structure, nodes, kinds)) if direction == "callees" else []
    elif direction == "overrides":
        sure = [*_outgoing(structure, nodes, ("overrides",)), *_incoming(structure, nodes, ("overrides",))]
    elif direction == "tests":
        sure = list(_tests(structure, nodes))
    sure, possible = _shown(structure, sure, filters), _shown(structure, possible, filters)
    kept = _numbered(sure[:limit])
    room = max(limit - len(kept), 0)
    dropped = len(sure) - len(kept) + max(len(possible) - room, 0)
    return Usages(symbols, kept, _numbered(possible[:room]), dropped > 0, dropped)


def reach(
    structure: Structure, asked: str, direction: str, filters: Filters, *, depth: int, limit: int
) -> tuple[Usages, dict[str, int], int, int]:
    """What a change of a symbol reaches (``callers``) or what it rests on (``callees``): (items, symbols by depth,
    files, tests)."""
    symbols, found = targets(structure, asked, _without_paths(filters))
    graph = structure.graph
    starts = [node for target in found for node in seeds_of(graph, target.node)]
    if direction == "callees":
        walked = dependencies(graph, starts, depth)
    else:
        walked = impact(graph, starts, depth, IMPACT_KINDS)
    allowed, exists = structure.allowed(filters), structure.exists()
    kept = [one for one in walked if allowed(graph.path(one.node)) and exists(graph.path(one.node))]
    kept.sort(key=lambda one: (one.depth, -_worth(structure, one)))
    by_depth = Counter(str(one.depth) for one in kept)
    paths = {graph.path(one.node) for one in kept}
    tests = sum(is_test(graph.path(one.node)) for one in kept)
    items = _numbered(_reached(structure, one, direction) for one in kept[:limit])
    possible = []
    if direction != "callees":
        possible = _numbered(_shown(structure, list(_possible(structure, found, ("calls",))), filters)[:limit])
    dropped = max(len(kept) - limit, 0)
    return Usages(symbols, items, possible, dropped > 0, dropped), dict(sorted(by_depth.items())), len(paths), tests


def _worth(structure: Structure, one: Reached) -> float:
    path = structure.graph.path(one.node)
    return demote(one.confidence + structure.graph.rank(one.node) / 1000.0, path, frozenset())[0]


def _reached(structure: Structure, one: Reached, direction: str) -> UsageItem:
    graph, edge = structure.graph, one.edge
    via = graph.name(edge.source if direction == "callees" else edge.target)
    at = graph.path(edge.source)
    return structure.usage(graph.node(one.node), edge.line, edge.kind, one.confidence, at=at, depth=one.depth, via=via)


def _without_paths(filters: Filters) -> Filters:
    """Filters narrow the references, not the symbol that is asked about."""
    from fourfold.model.query import Filters

    return Filters(kinds=filters.kinds)


def _own_nodes(structure: Structure, nodes: Sequence[int], direction: str) -> list[int]:
    """A type calls what its members call; a symbol imports what its file imports."""
    graph = structure.graph
    if direction == "imports":
        return list(dict.fromkeys(graph.file_node(graph.path(node)) for node in nodes))
    return list(
        dict.fromkeys(
            inner for node in nodes for inner in (seeds_of(graph, node) if direction == "callees" else [node])
        )
    )


def _incoming(structure: Structure, nodes: Iterable[int], kinds: Sequence[str]) -> Iterator[UsageItem]:
    graph = structure.graph
    for node in nodes:
        for edge in graph.incoming(node, kinds):
            yield structure.usage(graph.node(edge.source), edge.line, edge.kind, edge.confidence, via=graph.name(node))


def _outgoing(structure: Structure, nodes: Iterable[int], kinds: Sequence[str]) -> Iterator[UsageItem]:
    graph = structure.graph
    for node in nodes:
        for edge in graph.outgoing(node, kinds):
            yield structure.usage(
                graph.node(edge.target),
                edge.line,
                edge.kind,
                edge.confidence,
                at=graph.path(node),
                via=graph.name(node),
            )


def _importers_of_file(structure: Structure, found: Sequence[_Target], kinds: Sequence[str]) -> list[UsageItem]:
    """Files that import the file of a symbol as a whole."""
    if "imports" not in kinds:
        return []
    graph = structure.graph
    files = dict.fromkeys(
        graph.file_node(target.path) for target in found if graph.file_node(target.path) != target.node
    )
    return list(_incoming(structure, files, ("imports",)))


def _possible(structure: Structure, found: Sequence[_Target], kinds: Sequence[str]) -> Iterator[UsageItem]:
    """References that name a symbol without telling whose it is."""
    graph = structure.graph
    for name in dict.fromkeys(target.name for target in found):
        for mention in graph.mentions(name, kinds):
            if mention.confidence == AMBIGUOUS:
                yield structure.usage(graph.node(mention.source), mention.line, mention.kind, AMBIGUOUS, via=name)


def _unresolved(structure: Structure, nodes: Iterable[int], kinds: Sequence[str]) -> Iterator[UsageItem]:
    """Names that a symbol calls and that lead nowhere sure."""
    graph = structure.graph
    for node in nodes:
        own = graph.node(node)
        for mention in graph.unresolved(node, kinds):
            item = structure.usage(own, mention.line, mention.kind, mention.confidence, via=own.name)
            yield replace(item, symbol=mention.name, kind="", start_line=0, end_line=0)


def _tests(structure: Structure, nodes: Sequence[int]) -> Iterator[UsageItem]:
    """Test functions that reach a symbol through calls."""
    graph = structure.graph
    starts = [inner for node in nodes for inner in seeds_of(graph, node)]
    for one in impact(graph, starts, TEST_DEPTH, ("calls", "references")):
        node = graph.node(one.node)
        if is_test(node.path) and node.kind != "file":
            via = graph.name(one.edge.target)
            item = structure.usage(node, one.edge.line, "tests", one.confidence, depth=one.depth, via=via)
            yield item


def _shown(structure: Structure, items: list[UsageItem], filters: Filters) -> list[UsageItem]:
    """Items that the filters let through and whose file is there; each once, surest first, ordinary source first."""
    allowed, exists = structure.allowed(filters), structure.exists()
    seen: set[tuple[str, int, str, str]] = set()
    kept = []
    for item in items:
        key = (item.at or item.path, item.line, item.symbol, item.relation)
        if key not in seen and allowed(item.path) and exists(item.path):
            seen.add(key)
            kept.append(item)
    order = {"resolved": 0, "unique": 1, "ambiguous": 2, "unresolved": 3}
    kept.sort(key=lambda item: (order[item.confidence], item.depth, item.is_test, item.path, item.line))
    return kept


def _numbered(items: Iterable[UsageItem]) -> list[UsageItem]:
    return [replace(item, rank=rank) for rank, item in enumerate(items, 1)]
