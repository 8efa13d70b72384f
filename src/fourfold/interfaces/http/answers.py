"""Answers that only people ask for: a file with its outline, and a symbol's neighbours."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from fourfold.engine.service import SyncReport
from fourfold.model.report import Progress
from fourfold.model.result import SCHEMA, Meta, plain
from fourfold.model.structure import SymbolItem


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
    """A symbol that an edge leads to or comes from. `side` is one of callers, callees, inherits, inheritors,
    overrides; `line` and `text` are the reference, in the file `at`; `count` is how many such references there are;
    `importance` is the PageRank (1 is the mean)."""

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


@dataclass(frozen=True, slots=True)
class ServiceRow:
    """A service that is served. `git` is its address ("" for a folder of the server), `ref` what of it is read and
    `commit` where that was when it was last asked for; `indexed_commit` is what answers speak of. `synced` is that
    time, in seconds since the epoch; `error` says why the last attempt failed, or why it cannot be opened."""

    name: str
    git: str
    ref: str
    root: str
    commit: str | None = None
    indexed_commit: str | None = None
    synced: float | None = None
    error: str | None = None
    files: int = 0
    chunks: int = 0
    lines: int = 0

    @property
    def behind(self) -> bool:
        """True where the index is of another commit than the one that was fetched last."""
        return bool(self.commit and self.indexed_commit and self.commit != self.indexed_commit)


@dataclass(frozen=True, slots=True)
class JobRow:
    """A sync. `state` is queued, running, done, failed or cancelled, `reason` what asked for it (asked, webhook,
    registered); times are seconds since the epoch, 0 where it has not come to that. `error` has code, message, hint."""

    id: int
    service: str
    reason: str
    force: bool
    state: str
    attempts: int
    queued: float
    started: float
    ended: float
    progress: Progress | None
    report: SyncReport | None
    error: dict[str, str] | None
