"""``symbol``: where a name is defined."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fourfold.model.structure import SymbolItem
from fourfold.pipeline.structure.items import Structure
from fourfold.rank.demotion import demote
from fourfold.retrieve.names import CASE, EXACT, FUZZY, PREFIX, QUALIFIED, SUBSTRING, WORDS
from fourfold.retrieve.symbols import EXACT_LIMIT, FoundSymbol, find_symbols

if TYPE_CHECKING:
    from fourfold.model.query import Filters

SNIPPET_CHARS = 800
WORTH = {EXACT: 1.0, QUALIFIED: 0.9, CASE: 0.8, PREFIX: 0.6, SUBSTRING: 0.5, WORDS: 0.45, FUZZY: 0.3}
"""Score of a definition by how its name meets the one asked for, before its path is looked at."""
KIND_STEP = 0.01
"""How much a kind counts within the same match: types before functions before the rest."""
LOOK_AHEAD = 2
"""Names like the one asked for that are looked at for each that is shown."""
NEAR = 5
"""Names like the one asked for that are offered where nothing has it."""


def find(
    structure: Structure, asked: str, filters: Filters, *, exact: bool = False, limit: int = 50
) -> list[SymbolItem]:
    """Definitions that a name meets, best first; tests, vendored code and the like after ordinary source."""
    return [
        replace(structure.item(found.row.path, structure.detailed(found.row), match=found.match, chars=SNIPPET_CHARS),
                rank=rank, score=round(score, 4))
        for rank, (score, found) in enumerate(ranked(structure, asked, filters, exact=exact, limit=limit)[:limit], 1)
    ]  # fmt: skip


def ranked(
    structure: Structure, asked: str, filters: Filters, *, exact: bool, limit: int = EXACT_LIMIT
) -> list[tuple[float, FoundSymbol]]:
    """(score, symbol), best first. Of names like the one asked for some more than `limit` are looked at: their paths
    may move them down; where filters narrow, many more."""
    most = min(LOOK_AHEAD * limit, EXACT_LIMIT) if filters.empty else EXACT_LIMIT
    allowed, exists = structure.allowed(filters), structure.exists()
    kinds = frozenset(filters.kinds)
    scored: list[tuple[float, FoundSymbol]] = []
    for found in find_symbols(structure.snapshot, lambda: structure.names, asked, exact=exact, limit=most):
        row = found.row
        if (kinds and row.symbol.kind not in kinds) or not allowed(row.path) or not exists(row.path):
            continue
        score, _ = demote(WORTH[found.match] + KIND_STEP * _kind_worth(row.symbol.kind), row.path, frozenset())
        scored.append((score, found))
    scored.sort(key=_place)
    return scored


def _place(pair: tuple[float, FoundSymbol]) -> tuple[bool, float, int, str, str, int, int]:
    """Sort key: what has the very name before what is like it, wherever it stands; the best score, the shortest name;
    of the overloads of one name the longest, which holds the code."""
    score, found = pair
    symbol = found.row.symbol
    length = symbol.end_line - symbol.start_line
    return (
        found.match not in (EXACT, QUALIFIED),
        -score,
        len(symbol.name),
        found.row.path,
        symbol.qualified_name,
        -length,
        symbol.start_line,
    )


def near_names(structure: Structure, asked: str) -> tuple[str, ...]:
    """Names like one that nothing has."""
    from fourfold.retrieve.symbols import normalised

    bare = normalised(asked).rpartition(".")[2]
    return tuple(dict.fromkeys(name for name, _ in structure.names.like(bare, NEAR)))[:NEAR]


def _kind_worth(kind: str) -> int:
    from fourfold.model.chunk import TYPE_KINDS

    return 3 if kind in TYPE_KINDS else 2 if kind in ("function", "method", "macro") else 1
