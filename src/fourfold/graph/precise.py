"""Who is meant, as an ``index.scip`` says it: in place of what the names tell, where the source still agrees.

The index may be older than the source and is not trusted: a reference of it counts only where the source has one of
that name on that line, a definition only where it has one of that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.graph.facts import EDGE_CODES, RESOLVED
from fourfold.graph.scip import Scip, symbol_name
from fourfold.graph.table import TYPES, SymbolTable

if TYPE_CHECKING:
    from fourfold.graph.resolve import Edges

ELSEWHERE = -1
"""Said of a reference whose definition is in no file of this repository."""


class Precise:
    """The references of an index by the nodes of a repository."""

    def __init__(self, scip: Scip, table: SymbolTable) -> None:
        self._scip = scip
        self._table = table
        self._numbers = {file.path: number for number, file in enumerate(table.files)}
        self._nodes: dict[str, int | None] = {}
        self._lines: dict[int, dict[tuple[int, str], str | None]] = {}

    def meant(self, file: int, line: int, name: str) -> int | None:
        """The node that a name on a line of a file means, :data:`ELSEWHERE`, or None where the index does not tell (or
        tells of two that are called so)."""
        known = self._lines.get(file)
        if known is None:
            known = self._lines[file] = {}
            for at, symbol in self._scip.used.get(self._table.files[file].path, ()):
                key = (at, symbol_name(symbol))
                known[key] = symbol if known.get(key, symbol) == symbol else None
        meant = known.get((line, name))
        return self._node(meant) if meant is not None else None

    def implemented(self, edges: Edges) -> None:
        """Add what implements what: types inherit, methods override."""
        table = self._table
        for symbol, other in self._scip.implements:
            source, target = self._node(symbol), self._node(other)
            if source is None or target is None or min(source, target) < 0 or source == target:
                continue
            owner = table.symbols[source]
            kind = "inherits" if table.kind(source) in TYPES else "overrides"
            edges.add(source, target, EDGE_CODES[kind], RESOLVED, owner.start_line if owner is not None else 0)

    def _node(self, symbol: str) -> int | None:
        """The node of a symbol: None where the source has none of its name at the place of its definition."""
        if symbol not in self._nodes:
            places = self._scip.defined.get(symbol)
            name = symbol_name(symbol)
            found = [self._at(path, line, name) for path, line in places or ()]
            self._nodes[symbol] = next((node for node in found if node is not None), None) if places else ELSEWHERE
        return self._nodes[symbol]

    def _at(self, path: str, line: int, name: str) -> int | None:
        """The innermost definition of a name around a line, else the only one of the file."""
        number = self._numbers.get(path)
        if number is None:
            return None
        base = self._table.bases[number] + 1
        named = [(base + place, one) for place, one in enumerate(self._table.files[number].symbols) if one.name == name]
        around = [pair for pair in named if pair[1].start_line <= line <= pair[1].end_line]
        if around:
            return max(around, key=lambda pair: (pair[1].start_line, -pair[1].end_line))[0]
        return named[0][0] if len(named) == 1 else None
