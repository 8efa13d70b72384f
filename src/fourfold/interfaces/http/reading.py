"""Files and neighbourhoods out of an index: only what is indexed, as it is indexed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fourfold.graph.facts import CONFIDENCES
from fourfold.interfaces.http.answers import FileResult, GraphResult, Neighbour
from fourfold.interfaces.http.failures import HttpFailure
from fourfold.model.errors import BadQuery
from fourfold.model.query import Filters
from fourfold.pipeline.structure.items import is_test
from fourfold.pipeline.structure.symbols import near_names
from fourfold.pipeline.structure.usages import targets
from fourfold.source.root import relative_path
from fourfold.store.contract import INDEXED

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.graph.graph import Edge
    from fourfold.model.structure import SymbolItem
    from fourfold.pipeline.structure.items import Structure

_EDGES = (
    ("callers", "incoming", ("calls",)),
    ("callees", "outgoing", ("calls",)),
    ("inherits", "outgoing", ("inherits",)),
    ("inheritors", "incoming", ("inherits",)),
    ("overrides", "outgoing", ("overrides",)),
)
_USES = ("calls", "inherits", "references", "tests")


def read_file(index: Index, path: str, start: int = 1, end: int | None = None) -> FileResult:
    """Lines of an indexed file, as indexed. Raises PathOutsideRoot, HttpFailure 404 where it is not indexed, BadQuery
    for lines that it does not have."""
    relative = relative_path(index.root, path)

    def look(structure: Structure) -> tuple[str, str, list[SymbolItem]] | None:
        record = structure.snapshot.record(relative)
        text = structure.snapshot.text(relative)
        if record is None or record.status != INDEXED or text is None or not structure.exists()(relative):
            return None
        items = [structure.item(relative, symbol) for symbol in structure.symbols_of(relative)]
        return text, record.language, items

    found, meta = index._ask(look, False, None)
    if found is None:
        raise _absent(index, relative)
    text, language, items = found
    lines = text.removesuffix("\n").split("\n")
    last = len(lines) if end is None else min(end, len(lines))
    if start > len(lines) or start > last:
        raise BadQuery(f"{relative} has no lines {start}-{end or start}", hint=f"it has {len(lines):,}")
    window = "\n".join(lines[start - 1 : last])
    query = {"text": relative, "start_line": start, "end_line": end}
    return FileResult(query, relative, language, len(lines), start, last, window, tuple(items), meta)


def _absent(index: Index, relative: str) -> HttpFailure:
    """Why a file is not shown: the words of ``fourfold status PATH``."""
    said = index.status_of(relative)
    why = said.detail or said.reason or "its file is gone or new; the next refresh sees it"
    return HttpFailure(404, f"{relative} is not indexed: {why}", hint="only indexed files are shown")


def neighbourhood(
    index: Index, name: str, *, path: str = "", line: int = 0, limit: int = 10, tests: bool = True
) -> GraphResult:
    """A symbol and what stands around it: of all definitions of `name` the one in `path` at `line`, else the best."""
    if not name.strip():
        raise BadQuery("no name was given", hint="for instance: symbol=parse_config")

    def look(structure: Structure) -> tuple[list[SymbolItem], list[Neighbour], dict[str, int], tuple[str, ...]]:
        items, nodes = targets(structure, name, Filters())
        pairs = [(item, target.node) for item, target in zip(items, nodes, strict=False)]
        pairs.sort(key=lambda pair: (pair[0].path != path, abs(pair[0].start_line - line)) if path else (False, 0))
        if not pairs:
            return [], [], {}, near_names(structure, name)
        graph = structure.graph
        symbols = [replace(item, importance=round(graph.rank(node), 2)) for item, node in pairs]
        found, totals = _around(structure, pairs[0][1], limit, tests)
        return symbols, found, totals, ()

    (symbols, found, totals, near), meta = index._ask(look, False, None)
    query = {"text": name, "path": path, "line": line, "limit": limit, "tests": tests}
    return GraphResult(query, tuple(symbols), tuple(found), meta, totals, near)


def uses(index: Index, path: str, name: str, line: int, limit: int = 50) -> tuple[list[Neighbour], int]:
    """Every symbol that refers to the one of `path` that is called `name` and begins at `line`; and how many do."""

    def look(structure: Structure) -> tuple[list[Neighbour], int]:
        node = structure.graph.find(path, name, line)
        if node < 0:
            return [], 0
        found = _ordered(structure, structure.graph.incoming(node, _USES), incoming=True)
        return [_neighbour(structure, "uses", other, those) for other, those in found[:limit]], len(found)

    answer, _ = index._ask(look, False, None)
    return answer


def _around(structure: Structure, node: int, limit: int, tests: bool) -> tuple[list[Neighbour], dict[str, int]]:
    """At most `limit` neighbours on each side, and how many there are."""
    graph = structure.graph
    kept: list[Neighbour] = []
    totals: dict[str, int] = {}
    for side, direction, kinds in _EDGES:
        incoming = direction == "incoming"
        edges = graph.incoming(node, kinds) if incoming else graph.outgoing(node, kinds)
        ordered = _ordered(structure, edges, incoming=incoming, tests=tests)
        totals[side] = len(ordered)
        kept += [_neighbour(structure, side, number, those) for number, those in ordered[:limit]]
    return kept, totals


def _ordered(
    structure: Structure, edges: list[Edge], *, incoming: bool, tests: bool = True
) -> list[tuple[int, list[Edge]]]:
    """The other ends of edges, each once with its edges: surest first, ordinary source before tests, then the most
    central."""
    graph, exists = structure.graph, structure.exists()
    by_node: dict[int, list[Edge]] = {}
    for edge in edges:
        by_node.setdefault(edge.source if incoming else edge.target, []).append(edge)
    kept = [
        (number, those)
        for number, those in by_node.items()
        if exists(graph.path(number)) and (tests or not is_test(graph.path(number)))
    ]
    kept.sort(
        key=lambda pair: (
            -max(edge.confidence for edge in pair[1]),
            is_test(graph.path(pair[0])),
            -graph.rank(pair[0]),
            pair[0],
        )
    )
    return kept


def _neighbour(structure: Structure, side: str, number: int, edges: list[Edge]) -> Neighbour:
    graph = structure.graph
    node = graph.node(number)
    best = max(edges, key=lambda edge: (edge.confidence, -edge.line))
    at = graph.path(best.source)
    lines = structure.lines(at)
    return Neighbour(
        side=side,
        symbol=node.path if node.kind == "file" else node.name,
        kind=node.kind,
        path=node.path,
        start_line=node.start_line,
        end_line=node.end_line,
        at=at,
        line=best.line,
        text=lines[best.line - 1].strip()[:200] if 0 < best.line <= len(lines) else "",
        confidence=CONFIDENCES[best.confidence],
        importance=round(graph.rank(number), 2),
        count=len(edges),
        is_test=is_test(node.path),
    )
