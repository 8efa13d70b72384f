"""``context``: what one needs to change a symbol or a file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fourfold.model.structure import SymbolItem, UsageItem
from fourfold.pipeline.structure.items import Structure, cut_lines
from fourfold.pipeline.structure.symbols import ranked
from fourfold.pipeline.structure.usages import same_definitions, usages_of

if TYPE_CHECKING:
    from fourfold.model.query import Filters
    from fourfold.model.symbol import Symbol

BODY_CHARS = 6_000
"""Characters of a symbol's code that are given."""


@dataclass(slots=True)
class Context:
    """The parts of an answer (see :class:`fourfold.model.structure.ContextResult`)."""

    items: list[SymbolItem] = field(default_factory=list)
    callers: list[UsageItem] = field(default_factory=list)
    callees: list[UsageItem] = field(default_factory=list)
    inherits: list[UsageItem] = field(default_factory=list)
    tests: list[UsageItem] = field(default_factory=list)
    members: list[SymbolItem] = field(default_factory=list)


def context_of_symbol(structure: Structure, asked: str, filters: Filters, limit: int) -> Context:
    """Of the best definition of a name: its code, callers, callees, bases, tests and siblings."""
    found = ranked(structure, asked, filters, exact=True)
    if not found:
        return Context()
    row = found[0][1].row
    symbol = structure.detailed(row)
    code = cut_lines(structure.lines(row.path)[symbol.start_line - 1 : symbol.end_line], BODY_CHARS)
    item = replace(structure.item(row.path, symbol, rank=1, match=found[0][1].match), snippet=code)
    result = Context([item], members=_beside(structure, row.path, symbol, limit))
    found_here = same_definitions(structure, row.path, symbol)
    for direction in ("callers", "callees", "inherits", "tests"):
        answer = usages_of(structure, [item], found_here, direction, filters, limit, with_possible=False)
        setattr(result, direction, answer.items)
    return result


def context_of_file(structure: Structure, path: str, filters: Filters, limit: int) -> Context:
    """Of a file: its definitions, what it imports (`callees`) and who imports it (`callers`)."""
    graph = structure.graph
    node = graph.file_node(path)
    symbols = structure.symbols_of(path)
    result = Context([structure.item(path, symbol, rank=rank) for rank, symbol in enumerate(symbols, 1)])
    if node >= 0:
        result.callers = [
            structure.usage(graph.node(edge.source), edge.line, edge.kind, edge.confidence)
            for edge in graph.incoming(node, ("imports",))
        ][:limit]
        result.callees = [
            structure.usage(graph.node(edge.target), edge.line, edge.kind, edge.confidence, at=path)
            for edge in graph.outgoing(node, ("imports",))
        ][:limit]
    return result


def _beside(structure: Structure, path: str, symbol: Symbol, limit: int) -> list[SymbolItem]:
    """The members of a type; for a method or function what stands beside it."""
    symbols = structure.symbols_of(path)
    inside = [one for one in symbols if one.parent == symbol.qualified_name]
    chosen = inside or [one for one in symbols if one.parent == symbol.parent and one != symbol]
    return [structure.item(path, one, rank=rank) for rank, one in enumerate(chosen[:limit], 1)]
