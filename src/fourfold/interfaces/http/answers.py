"""Answers that only people ask for: a file with its outline, and a symbol's neighbours."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from fourfold.model.result import SCHEMA, Meta, plain
from fourfold.model.structure import SymbolItem

SIDES = ("callers", "callees", "inherits", "inheritors", "overrides")
"""Where a neighbour stands."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """The lines `start_line` to `end_line` of an indexed file, secrets taken out, and its definitions (`items`).

    `lines` counts the whole file's.
    """

    query: dict[str, Any]
    path: str
    language: str
    lines: int
    start_line: int
    end_line: int
    text: str
    items: tuple[SymbolItem, ...]
    meta: Meta

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        return {"schema": SCHEMA, **plain(asdict(self))}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A symbol that an edge leads to or comes from. `side` is one of :data:`SIDES`; `line` and `text` are the
    reference, in the file `at`; `count` is how many such references there are; `importance` is the PageRank (1 is the
    mean)."""

    side: str
    symbol: str
    kind: str
    path: str
    start_line: int
    end_line: int
    at: str
    line: int
    text: str
    confidence: str
    importance: float
    count: int = 1
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class GraphResult:
    """A symbol's neighbourhood. `symbols` are the definitions that the name stands for, the first is the one shown;
    `items` its neighbours, surest and most central first on each side; `totals` counts all of them by side."""

    query: dict[str, Any]
    symbols: tuple[SymbolItem, ...]
    items: tuple[Neighbour, ...]
    meta: Meta
    totals: dict[str, int] = field(default_factory=dict)
    near: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        return {"schema": SCHEMA, **plain(asdict(self))}
