"""``overview``: what a repository is made of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.graph.facts import CONFIDENCES
from fourfold.model.structure import SymbolItem
from fourfold.pipeline.structure.items import Structure, is_test
from fourfold.pipeline.structure.routes import all_routes
from fourfold.rank.paths import categories
from fourfold.store.contract import INDEXED

if TYPE_CHECKING:
    from fourfold.graph.graph import Graph, Node
    from fourfold.model.symbol import Symbol

ENTRY_NAMES = frozenset({"main", "Main", "cli", "run_server", "app", "create_app", "lambda_handler", "handler"})
ENTRY_STEMS = frozenset({"main", "__main__", "cli", "app", "server", "manage", "index", "lib", "mod", "program"})
"""Names of functions and of files where programs begin."""
CENTRAL = 12
FOLDERS = 12
COMMUNITIES = 8
COMMUNITY_NAMES = 5
ENTRIES = 10
MIN_COMMUNITY = 4
DOCUMENTS = ("readme", "contributing", "architecture")


@dataclass(frozen=True, slots=True)
class Overview:
    """The parts of an answer (see :class:`fourfold.model.structure.OverviewResult`)."""

    central: list[SymbolItem]
    languages: list[dict[str, Any]]
    folders: list[dict[str, Any]]
    entry_points: list[SymbolItem]
    communities: list[dict[str, Any]]
    tests: dict[str, int]
    routes: int
    edges: dict[str, int]
    documents: list[str]


def overview(structure: Structure) -> Overview:
    """A repository at a glance."""
    records = {path: record for path, record in structure.snapshot.records().items() if record.status == INDEXED}
    languages: dict[str, Counter[str]] = {}
    folders: dict[str, Counter[str]] = {}
    for path, record in records.items():
        for counts, key in ((languages, record.language or "other"), (folders, path.rpartition("/")[0] or ".")):
            counts.setdefault(key, Counter()).update(files=1, lines=record.lines)
    tests = [record for path, record in records.items() if is_test(path)]
    ordinary = {path for path in records if not categories(path)}
    return Overview(
        central=_central(structure, ordinary),
        languages=_rows(languages, "language", len(languages)),
        folders=_rows(folders, "path", FOLDERS),
        entry_points=_entry_points(structure, ordinary),
        communities=_communities(structure, ordinary),
        tests={"files": len(tests), "lines": sum(record.lines for record in tests)},
        routes=len(all_routes(structure)),
        edges=_edges(structure.graph),
        documents=sorted(path for path in records if path.lower().startswith(DOCUMENTS))[:5],
    )


def _rows(counts: dict[str, Counter[str]], key: str, limit: int) -> list[dict[str, Any]]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1]["lines"], item[0]))
    return [{key: name, "files": count["files"], "lines": count["lines"]} for name, count in ordered[:limit]]


def _edges(graph: Graph) -> dict[str, int]:
    confidence, names = graph.confidences()
    found = Counter({CONFIDENCES[code]: int(count) for code, count in enumerate(np.bincount(confidence, minlength=4))})
    found.update({CONFIDENCES[code]: int(count) for code, count in enumerate(np.bincount(names, minlength=4))})
    return {word: found[word] for word in reversed(CONFIDENCES)}


def _by_rank(structure: Structure) -> list[int]:
    graph = structure.graph
    order: list[int] = np.argsort(-np.asarray(graph.ranks), kind="stable").tolist()
    return order


def _central(structure: Structure, ordinary: set[str]) -> list[SymbolItem]:
    """The symbols that most lean on, of ordinary source."""
    items: list[SymbolItem] = []
    graph = structure.graph
    for number in _by_rank(structure)[: 50 * CENTRAL]:
        node = graph.node(number)
        if node.kind != "file" and node.path in ordinary:
            symbol = _symbol(structure, node)
            if symbol is not None:
                item = structure.item(node.path, symbol, rank=len(items) + 1)
                items.append(replace(item, importance=round(graph.rank(number), 2)))
        if len(items) == CENTRAL:
            break
    return items


def _symbol(structure: Structure, node: Node) -> Symbol | None:
    for symbol in structure.symbols_of(node.path):
        if symbol.start_line == node.start_line and symbol.qualified_name == node.name:
            return symbol
    return None


def _entry_points(structure: Structure, ordinary: set[str]) -> list[SymbolItem]:
    """Functions that are called like where a program begins, in files that are called so before others."""
    found: list[tuple[tuple[bool, int, str, int], str, Symbol]] = []
    for name in sorted(ENTRY_NAMES):
        for row in structure.snapshot.symbols_named(name, limit=50):
            stem = row.path.rpartition("/")[2].partition(".")[0]
            is_function = row.symbol.kind in ("function", "method")
            if row.path in ordinary and (is_function or stem in ENTRY_STEMS) and not row.symbol.parent.count("."):
                key = (stem not in ENTRY_STEMS, row.path.count("/"), row.path, row.symbol.start_line)
                found.append((key, row.path, structure.detailed(row)))
    found.sort(key=lambda one: one[0])
    return [structure.item(path, symbol, rank=rank) for rank, (_, path, symbol) in enumerate(found[:ENTRIES], 1)]


def _communities(structure: Structure, ordinary: set[str]) -> list[dict[str, Any]]:
    """The largest groups of symbols that belong together: their most common folder and their most central names."""
    graph = structure.graph
    labels = np.asarray(graph.communities)
    result = []
    for label in range(COMMUNITIES):
        members = np.flatnonzero(labels == label)
        if len(members) < MIN_COMMUNITY:
            break
        ranked = members[np.argsort(-np.asarray(graph.ranks)[members], kind="stable")]
        folders = Counter(graph.path(number).rpartition("/")[0] or "." for number in members.tolist())
        names = [
            graph.name(number) for number in ranked[: 4 * COMMUNITY_NAMES].tolist() if graph.node(number).kind != "file"
        ]
        result.append(
            {
                "size": len(members),
                "folder": folders.most_common(1)[0][0],
                "symbols": list(dict.fromkeys(names))[:COMMUNITY_NAMES],
            }
        )
    return result
