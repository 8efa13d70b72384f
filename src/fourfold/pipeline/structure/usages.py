"""``refs``: who refers to a symbol, and to whom it refers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fourfold.graph.facts import AMBIGUOUS, EDGE_KINDS, UNIQUE
from fourfold.graph.traverse import affected, seeds_of
from fourfold.model.structure import SymbolItem, UsageItem
from fourfold.pipeline.structure.hints import hint_of
from fourfold.pipeline.structure.items import Structure
from fourfold.pipeline.structure.shown import Reference, shown, tested_nodes
from fourfold.pipeline.structure.symbols import ranked
from fourfold.retrieve.names import CASE, EXACT, QUALIFIED

if TYPE_CHECKING:
    from fourfold.model.query import Filters
    from fourfold.model.symbol import Symbol

INCOMING = {
    "callers": ("calls",),
    "inheritors": ("inherits",),
    "importers": ("imports",),
    "uses": tuple(kind for kind in EDGE_KINDS if kind != "overrides"),
}
OUTGOING = {"callees": ("calls",), "inherits": ("inherits",), "imports": ("imports",)}
_WHOLE_FOLDER = frozenset({"__init__", "index", "mod"})
TEST_DEPTH = 3
"""Calls that may lie between a test and what it tests."""
MAX_TARGETS = 20
"""Definitions of one name that are asked about together."""


@dataclass(frozen=True, slots=True)
class Usages:
    """References: `items` that are sure, `possible` ones apart; `symbols` are what was asked about. `hint` is what else
    to ask where nothing was found, and what is not followed."""

    symbols: list[SymbolItem]
    items: list[UsageItem]
    possible: list[UsageItem]
    truncated: bool = False
    dropped: int = 0
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    node: int
    name: str
    path: str


def targets(structure: Structure, asked: str, filters: Filters) -> tuple[list[SymbolItem], list[Target]]:
    """The definitions that a name means: the best match's kind only, ordinary source before tests."""
    found = ranked(structure, asked, filters, exact=True)
    wanted = [pair for pair in found if pair[1].match in (EXACT, QUALIFIED)] or [
        pair for pair in found if pair[1].match == CASE
    ]
    items: list[SymbolItem] = []
    nodes: list[Target] = []
    for _, one in wanted[:MAX_TARGETS]:
        row = one.row
        node = structure.graph.find(row.path, row.symbol.qualified_name, row.symbol.start_line)
        if node >= 0:
            items.append(structure.item(row.path, structure.detailed(row), rank=len(items) + 1, match=one.match))
            nodes.append(Target(node, row.symbol.name, row.path))
    if not nodes:
        graph = structure.graph
        nodes = [Target(graph.file_node(path), path, path) for path in files_meant(graph.paths, asked)]
    return items, nodes


def files_meant(paths: Sequence[str], asked: str) -> list[str]:
    """The files that a text names: one by its path or the end of it, or a module by its dotted name or path, with or
    without what it begins with (``shop.cart`` for *src/shop/cart.py*). Several where several end so."""
    asked = asked.strip().strip("/")
    wanted = {asked, asked.replace("::", "/").replace(".", "/")}
    found = [path for path in paths if path == asked]
    return (
        found
        or [
            path
            for path in paths
            if any(f"/{form}".endswith(f"/{one}") for form in _names_of_file(path) for one in wanted if one)
        ][:MAX_TARGETS]
    )


def _names_of_file(path: str) -> tuple[str, ...]:
    """A path, without its ending, and for the file that is the whole of a folder (``index``) the folder."""
    bare, _, _ = path.rpartition(".")
    folder, _, last = bare.rpartition("/")
    return (path, bare, folder) if last in _WHOLE_FOLDER and folder else (path, bare) if bare else (path,)


def same_definitions(structure: Structure, path: str, symbol: Symbol) -> list[Target]:
    """A definition with its overloads in the same file."""
    found = []
    for one in structure.symbols_of(path):
        if one.qualified_name == symbol.qualified_name and one.kind == symbol.kind:
            node = structure.graph.find(path, one.qualified_name, one.start_line)
            found += [Target(node, one.name, path)] if node >= 0 else []
    return found


def usages(structure: Structure, asked: str, direction: str, filters: Filters, limit: int) -> Usages:
    """References of a symbol in one direction (see :data:`fourfold.model.structure.DIRECTIONS`)."""
    symbols, found = targets(structure, asked, without_paths(filters))
    answer = usages_of(structure, symbols, found, direction, filters, limit)
    return replace(answer, hint=hint_of(structure, answer, found, direction))


def usages_of(
    structure: Structure,
    symbols: list[SymbolItem],
    found: Sequence[Target],
    direction: str,
    filters: Filters,
    limit: int,
    *,
    with_possible: bool = True,
) -> Usages:
    """:func:`usages` of definitions that are known already."""
    nodes = [target.node for target in found]
    sure: list[Reference] = []
    possible: list[Reference] = []
    if direction in INCOMING:
        kinds = INCOMING[direction]
        sure = list(_incoming(structure, nodes, kinds))
        if with_possible:
            possible = list(possible_of(structure, found, kinds))
            possible += through_bases(structure, nodes, kinds)
        if direction in ("importers", "uses"):
            sure += _importers_of_file(structure, found, kinds)
    elif direction in OUTGOING:
        kinds = OUTGOING[direction]
        sure = list(_outgoing(structure, _own_nodes(structure, nodes, direction), kinds))
        if with_possible and direction == "callees":
            possible = list(_unresolved(structure, nodes, kinds))
    elif direction == "overrides":
        sure = [*_outgoing(structure, nodes, ("overrides",)), *_incoming(structure, nodes, ("overrides",))]
    elif direction == "tests":
        sure = list(_tests(structure, nodes))
    kept, more = shown(structure, sure, filters, limit)
    rest, beyond = shown(structure, possible, filters, max(limit - len(kept), 0))
    return Usages(symbols, kept, rest, more + beyond > 0, more + beyond)


def without_paths(filters: Filters) -> Filters:
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


def _incoming(structure: Structure, nodes: Iterable[int], kinds: Sequence[str]) -> Iterator[Reference]:
    for node in nodes:
        for edge in structure.graph.incoming(node, kinds):
            yield Reference(edge.source, edge.line, edge.kind, edge.confidence, edge.source, node)


def _outgoing(structure: Structure, nodes: Iterable[int], kinds: Sequence[str]) -> Iterator[Reference]:
    for node in nodes:
        for edge in structure.graph.outgoing(node, kinds):
            yield Reference(edge.target, edge.line, edge.kind, edge.confidence, node, node)


def _importers_of_file(structure: Structure, found: Sequence[Target], kinds: Sequence[str]) -> list[Reference]:
    """Files that import the file of a symbol as a whole, and refer to the symbol."""
    if "imports" not in kinds:
        return []
    graph = structure.graph
    importers: list[Reference] = []
    for target in found:
        file = graph.file_node(target.path)
        if file != target.node:
            users = {graph.path(edge.source) for node in seeds_of(graph, target.node) for edge in graph.incoming(node)}
            whole = _incoming(structure, [file], ("imports",))
            importers += [one for one in whole if graph.path(one.at) in users]
    return importers


def possible_of(structure: Structure, found: Sequence[Target], kinds: Sequence[str]) -> Iterator[Reference]:
    """References that name a symbol without telling whose it is."""
    first = {target.name: target.node for target in reversed(found)}
    for name, node in first.items():
        for mention in structure.graph.mentions(name, kinds):
            if mention.confidence == AMBIGUOUS:
                yield Reference(mention.source, mention.line, mention.kind, AMBIGUOUS, mention.source, node)


def through_bases(structure: Structure, nodes: Iterable[int], kinds: Sequence[str]) -> Iterator[Reference]:
    """Calls of the methods that some override: they may reach the overriding ones, too, and are no surer than by name
    alone. `via` is the base method."""
    if "calls" not in kinds:
        return
    graph = structure.graph
    seen = set(nodes)
    pending = list(seen)
    while pending:
        for edge in graph.outgoing(pending.pop(), ("overrides",)):
            base = edge.target
            if base not in seen:
                seen.add(base)
                pending.append(base)
                for call in _incoming(structure, [base], ("calls",)):
                    yield replace(call, confidence=min(call.confidence, UNIQUE))


def _unresolved(structure: Structure, nodes: Iterable[int], kinds: Sequence[str]) -> Iterator[Reference]:
    """Names that a symbol calls and that lead nowhere sure."""
    for node in nodes:
        for mention in structure.graph.unresolved(node, kinds):
            yield Reference(node, mention.line, mention.kind, mention.confidence, node, node, name=mention.name)


def _tests(structure: Structure, nodes: Sequence[int]) -> Iterator[Reference]:
    """Test functions that reach a symbol through calls."""
    graph = structure.graph
    starts = [inner for node in nodes for inner in seeds_of(graph, node)]
    walk = affected(graph, starts, TEST_DEPTH, ("calls", "references"))
    tested = tested_nodes(graph, walk.node)
    for one in walk.reached(graph, np.flatnonzero(tested)):
        yield Reference(one.node, one.edge.line, "tests", one.confidence, one.node, one.edge.target, one.depth)
