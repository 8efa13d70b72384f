"""Answers about structure: symbols, who refers to whom, what a change reaches, what a repository is made of."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from fourfold.model.result import SCHEMA, Meta, plain


@dataclass(frozen=True, slots=True)
class SymbolItem:
    """A definition. `match` says how the name asked for met it (``exact``, ``case``, ``qualified``, ``prefix``,
    ``substring``, ``words``, ``fuzzy``); `routes` are the HTTP routes it answers ("GET /users"); `importance` is its
    PageRank (1 is the mean; 0 where no graph was asked)."""

    path: str
    start_line: int
    end_line: int
    language: str
    kind: str
    symbol: str
    name: str
    rank: int = 0
    score: float = 0.0
    parent: str = ""
    package: str = ""
    signature: str = ""
    doc: str = ""
    decorators: tuple[str, ...] = ()
    visibility: str = ""
    modifiers: tuple[str, ...] = ()
    stereotype: str = ""
    routes: tuple[str, ...] = ()
    match: str = ""
    importance: float = 0.0
    snippet: str = ""
    service: str = ""

    @property
    def location(self) -> str:
        """``path:start-end``."""
        return f"{self.path}:{self.start_line}-{self.end_line}"


@dataclass(frozen=True, slots=True)
class UsageItem:
    """One place that refers to a symbol, or that a symbol refers to.

    `symbol` (of kind `kind`, lines `start_line` to `end_line` of `path`) is the other side: the caller, the callee, the
    subclass. `line` is the line of the reference and `text` that line, in the file of `at` where that is not `path`.
    `relation` is the kind of edge; `confidence` one of ``resolved``, ``unique``, ``ambiguous``, ``unresolved``; `depth`
    counts steps (1: direct); `via` is the symbol one step nearer to the one asked about.
    """

    path: str
    line: int
    text: str
    symbol: str
    kind: str
    start_line: int
    end_line: int
    language: str
    relation: str
    confidence: str
    rank: int = 0
    depth: int = 1
    via: str = ""
    at: str = ""
    is_test: bool = False
    service: str = ""

    @property
    def location(self) -> str:
        """``path:line``."""
        return f"{self.at or self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What all answers share."""

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape: ``{"schema", ..., "items", "meta"}``, all plain lists, dicts, numbers and strings."""
        data: dict[str, Any] = plain(asdict(self))
        return {"schema": SCHEMA, **data}


@dataclass(frozen=True, slots=True)
class SymbolResult(_Answer):
    """Definitions that a name meets, best first. `near` are names like it where nothing has it."""

    query: dict[str, Any]
    items: tuple[SymbolItem, ...]
    meta: Meta
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UsageResult(_Answer):
    """References in one direction. `symbols` are the definitions the name stands for; `items` are sure (resolved or
    unique by name), `possible` are references of that name whose owner the source does not tell: shown apart, never
    dropped."""

    query: dict[str, Any]
    symbols: tuple[SymbolItem, ...]
    items: tuple[UsageItem, ...]
    meta: Meta
    possible: tuple[UsageItem, ...] = ()
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImpactResult(_Answer):
    """What a change of a symbol reaches, nearest first. `by_depth` counts the symbols at each step, `files` and `tests`
    the files and the test functions among them, `unsure` those that are reached by a name alone; `possible` names more
    whose calls may mean something else."""

    query: dict[str, Any]
    symbols: tuple[SymbolItem, ...]
    items: tuple[UsageItem, ...]
    meta: Meta
    by_depth: dict[str, int] = field(default_factory=dict)
    files: int = 0
    tests: int = 0
    possible: tuple[UsageItem, ...] = ()
    near: tuple[str, ...] = ()
    unsure: int = 0


@dataclass(frozen=True, slots=True)
class ContextResult(_Answer):
    """What one needs to change a symbol: its code, its callers, what it calls, the tests that reach it, what stands
    beside it in its type or file. For a file: its definitions and who imports it."""

    query: dict[str, Any]
    items: tuple[SymbolItem, ...]
    meta: Meta
    callers: tuple[UsageItem, ...] = ()
    callees: tuple[UsageItem, ...] = ()
    inherits: tuple[UsageItem, ...] = ()
    tests: tuple[UsageItem, ...] = ()
    members: tuple[SymbolItem, ...] = ()
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RouteItem:
    """One HTTP route: `handler` is its name as written, `symbol` the definition found for it ("" where none is)."""

    method: str
    route: str
    path: str
    line: int
    framework: str
    handler: str = ""
    symbol: str = ""
    service: str = ""


@dataclass(frozen=True, slots=True)
class RouteResult(_Answer):
    """Routes in path order of their URL."""

    query: dict[str, Any]
    items: tuple[RouteItem, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class OverviewResult(_Answer):
    """A repository at a glance. `items` are its most central symbols; `languages` files and lines of each language;
    `folders` the largest folders; `entry_points` where programs begin; `communities` groups of symbols that belong
    together, each with its size, its folder and its central names; `edges` how many edges there are by confidence."""

    query: dict[str, Any]
    items: tuple[SymbolItem, ...]
    meta: Meta
    languages: tuple[dict[str, Any], ...] = ()
    folders: tuple[dict[str, Any], ...] = ()
    entry_points: tuple[SymbolItem, ...] = ()
    communities: tuple[dict[str, Any], ...] = ()
    tests: dict[str, int] = field(default_factory=dict)
    routes: int = 0
    edges: dict[str, int] = field(default_factory=dict)
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchItem:
    """One place that a syntax pattern matches; `captures` are the metavariables' texts by name."""

    path: str
    start_line: int
    end_line: int
    column: int
    text: str
    language: str
    captures: dict[str, str] = field(default_factory=dict)
    symbol: str = ""
    service: str = ""


@dataclass(frozen=True, slots=True)
class MatchResult(_Answer):
    """Places that match, in path order."""

    query: dict[str, Any]
    items: tuple[MatchItem, ...]
    meta: Meta
    files: int = 0
