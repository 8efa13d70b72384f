"""``overview``: what a repository is made of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.graph.facts import CONFIDENCES
from fourfold.model.structure import SymbolItem
from fourfold.pipeline.structure.entries import entry_points
from fourfold.pipeline.structure.items import Structure, is_test
from fourfold.rank.paths import categories
from fourfold.store.contract import INDEXED

if TYPE_CHECKING:
    from fourfold.graph.graph import Graph, Node
    from fourfold.model.symbol import Symbol

CENTRAL = 12
FOLDERS = 12
COMMUNITIES = 8
COMMUNITY_NAMES = 5
MIN_COMMUNITY = 4
_MINOR = frozenset({"file", "field", "variable", "constant"})
"""Kinds that are no landmarks."""
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
    """A repository at a glance; made once for its snapshot, of which alone it speaks."""
    if structure.overview is None:
        structure.overview = _made(structure)
    return structure.overview


def _made(structure: Structure) -> Overview:
    records = {path: record for path, record in structure.snapshot.records().items() if record.status == INDEXED}
    ordinary = {path for path in records if not categories(path)}
    code = {path for path in ordinary if _is_code(records[path].language)}
    languages: dict[str, Counter[str]] = {}
    folders: dict[str, Counter[str]] = {}
    for record in records.values():
        languages.setdefault(record.language or "other", Counter()).update(files=1, lines=record.lines)
    for path in sorted(code or records):
        folders.setdefault(path.rpartition("/")[0] or ".", Counter()).update(files=1, lines=records[path].lines)
    tests = [record for path, record in records.items() if is_test(path)]
    return Overview(
        central=_central(structure, ordinary),
        languages=_rows(languages, "language", len(languages)),
        folders=_rows(folders, "path", FOLDERS),
        entry_points=entry_points(structure, code or ordinary),
        communities=_communities(structure, ordinary),
        tests={"files": len(tests), "lines": sum(record.lines for record in tests)},
        routes=len(structure.all_routes),
        edges=_edges(structure.graph),
        documents=sorted(path for path in records if path.lower().startswith(DOCUMENTS))[:5],
    )


def _rows(counts: dict[str, Counter[str]], key: str, limit: int) -> list[dict[str, Any]]:
    ordered = sorted(
        counts.items(), key=lambda item: (key == "language" and not _is_code(item[0]), -item[1]["lines"], item[0])
    )
    return [{key: name, "files": count["files"], "lines": count["lines"]} for name, count in ordered[:limit]]


def _edges(graph: Graph) -> dict[str, int]:
    confidence, names = graph.confidences()
    found = Counter({CONFIDENCES[code]: int(count) for code, count in enumerate(np.bincount(confidence, minlength=4))})
    found.update({CONFIDENCES[code]: int(count) for code, count in enumerate(np.bincount(names, minlength=4))})
    return {word: found[word] for word in reversed(CONFIDENCES)}


def _is_code(language: str) -> bool:
    """True for languages that programs are written in, which come before those of data and prose."""
    from fourfold.syntax.languages.registry import LANGUAGES

    known = LANGUAGES.get(language)
    return known is not None and known.family in ("code", "component", "notebook") and known.grammar is not None


def _by_weight(structure: Structure) -> list[int]:
    """Nodes by how much leans on them: PageRank, tempered by how many refer to them directly, since PageRank alone
    gives all of a popular function's weight to the one helper that it calls."""
    graph = structure.graph
    weight = np.asarray(graph.ranks) * np.log2(1.0 + np.asarray(graph.in_degrees))
    order: list[int] = np.argsort(-weight, kind="stable").tolist()
    return order


def _central(structure: Structure, ordinary: set[str]) -> list[SymbolItem]:
    """The symbols that most lean on, of ordinary source; each name of a file once, no parts of functions."""
    items: list[SymbolItem] = []
    graph = structure.graph
    seen: set[tuple[str, str]] = set()
    for number in _by_weight(structure)[: 50 * CENTRAL]:
        if len(items) == CENTRAL or not graph.rank(number):
            break
        node = graph.node(number)
        if node.kind in _MINOR or node.path not in ordinary or (node.path, node.name) in seen:
            continue
        symbol = _symbol(structure, node)
        if symbol is None or is_test(node.path, node.name, node.kind) or _in_function(structure, node.path, symbol):
            continue
        seen.add((node.path, node.name))
        item = structure.item(node.path, symbol, rank=len(items) + 1)
        items.append(replace(item, importance=round(graph.rank(number), 2)))
    return items


def _in_function(structure: Structure, path: str, symbol: Symbol) -> bool:
    return bool(symbol.parent) and any(
        one.qualified_name == symbol.parent and one.kind in ("function", "method") for one in structure.symbols_of(path)
    )


def _symbol(structure: Structure, node: Node) -> Symbol | None:
    for symbol in structure.symbols_of(node.path):
        if symbol.start_line == node.start_line and symbol.qualified_name == node.name:
            return symbol
    return None


def _communities(structure: Structure, ordinary: set[str]) -> list[dict[str, Any]]:
    """The largest groups of symbols that belong together, tests left out: their most common folder and their most
    central names."""
    graph = structure.graph
    labels = np.asarray(graph.communities)
    own = np.array([path in ordinary for path in graph.paths], dtype=np.bool_)
    lengths = [1 + len(graph.nodes_of(path)) for path in graph.paths]
    counted = np.repeat(own, lengths) & (labels >= 0)
    sizes = np.bincount(labels[counted]) if counted.any() else np.zeros(0, dtype=np.int64)
    result = []
    for label in np.argsort(-sizes, kind="stable")[:COMMUNITIES].tolist():
        if sizes[label] < MIN_COMMUNITY:
            break
        members = np.flatnonzero(counted & (labels == label))
        ranked = members[np.argsort(-np.asarray(graph.ranks)[members], kind="stable")]
        folders = Counter(graph.path(number).rpartition("/")[0] or "." for number in members.tolist())
        names = [
            graph.name(number)
            for number in ranked[: 8 * COMMUNITY_NAMES].tolist()
            if graph.node(number).kind not in _MINOR
        ]
        result.append(
            {
                "size": len(members),
                "folder": folders.most_common(1)[0][0],
                "symbols": list(dict.fromkeys(names))[:COMMUNITY_NAMES],
            }
        )
    return result
