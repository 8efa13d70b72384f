"""The answer to a search: the one shape behind ``--json``, MCP and HTTP (schema ``fourfold/1``)."""

from __future__ import annotations

from dataclasses import asdict, field
from typing import TYPE_CHECKING, Any

from fourfold.model.record import record

if TYPE_CHECKING:
    from fourfold.model.query import Query

SCHEMA = "fourfold/1"


@record(frozen=True, slots=True)
class Why:
    """Why a result stands where it stands.

    `modalities` maps a modality to its rank there (from 1); `weights` are those that entered the score; `signals` lists
    each boost, feature or demotion as (name, factor or contribution); `method` names what produced the final score.
    """

    modalities: dict[str, int] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    signals: tuple[tuple[str, float], ...] = ()
    method: str = ""


@record(frozen=True, slots=True)
class ResultItem:
    """One result. Lines count from 1, both included. `snippet` is the code of those lines, exactly as in the file.

    `service` names the source where several are searched, `ref` the branch, tag or commit of it that was read.
    `matched_lines` are the lines that answer the words of the question best; `more` lists further good places of the
    same file as (start_line, end_line, symbol).
    """

    rank: int
    path: str
    start_line: int
    end_line: int
    language: str
    kind: str
    symbol: str
    signature: str
    score: float
    snippet: str
    service: str = ""
    parent: str = ""
    matched_lines: tuple[int, ...] = ()
    more: tuple[tuple[int, int, str], ...] = ()
    why: Why = field(default_factory=Why)
    ref: str = ""

    @property
    def location(self) -> str:
        """``path:start-end``, as people and agents write it."""
        return f"{self.path}:{self.start_line}-{self.end_line}"


@record(frozen=True, slots=True)
class QueryInfo:
    """What was understood of the question; `english` is how one in another language was read."""

    text: str
    intent: str
    confidence: float
    identifiers: tuple[str, ...] = ()
    rule: str = ""
    english: str = ""

    @classmethod
    def of(cls, text: str, query: Query) -> QueryInfo:
        """What was understood of the question that was asked as `text`."""
        return cls(text, query.intent, query.confidence, query.identifiers, query.rule, query.english)

    @property
    def meaning(self) -> str:
        """What was asked and how it was read: the words to mark in a result."""
        return f"{self.text} {self.english}".rstrip()


@record(frozen=True, slots=True)
class ServiceMeta:
    """One of the services that were asked: the ref that is read, the commit that is indexed, whether it was searched,
    and whether its index is behind."""

    name: str
    ref: str = ""
    indexed_commit: str | None = None
    searched: bool = True
    stale: bool = False


@record(frozen=True, slots=True)
class Meta:
    """What the answer speaks of: the index state, the path it took, what was cut. `services` are those that were asked,
    where it is several."""

    fusion_strategy: str = "single"
    preset: str = "default"
    root: str = "."
    indexed_commit: str | None = None
    live_commit: str | None = None
    branch: str | None = None
    dirty_files: int = 0
    stale: bool = False
    truncated: bool = False
    dropped: int = 0
    degraded: str | None = None
    suggestion: str | None = None
    took_ms: float = 0.0
    generation: int = 0
    services: tuple[ServiceMeta, ...] = ()


@record(frozen=True, slots=True)
class SearchResult:
    """Query, items best first, and meta."""

    query: QueryInfo
    items: tuple[ResultItem, ...]
    meta: Meta

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape: ``{"schema", "query", "items", "meta"}``, all plain lists, dicts, numbers and strings."""
        return {"schema": SCHEMA, **plain(asdict(self))}


@record(frozen=True, slots=True)
class GrepLine:
    """One matching line: `line` and `column` count from 1; `before` and `after` are context lines."""

    path: str
    line: int
    column: int
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    language: str = ""
    service: str = ""


@record(frozen=True, slots=True)
class GrepResult:
    """Every matching line up to the limit, in path order. `files` counts files with a match."""

    pattern: str
    items: tuple[GrepLine, ...]
    files: int
    meta: Meta

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape: ``{"schema", "query", "items", "meta"}``."""
        data = plain(asdict(self))
        return {
            "schema": SCHEMA,
            "query": {"text": self.pattern, "intent": "exact_match"},
            "items": data["items"],
            "files": self.files,
            "meta": data["meta"],
        }


def plain(value: Any) -> Any:
    """Tuples become lists, all the way down."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
