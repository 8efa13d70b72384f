"""One call of a tool: the workspace, the arguments, and asking services side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.interfaces.mcp.cursor import read_cursor
from fourfold.interfaces.mcp.service import Service
from fourfold.interfaces.mcp.workspace import Workspace
from fourfold.model.errors import BadFilter, FourfoldError
from fourfold.model.query import Filters
from fourfold.model.result import Meta

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.llm.protocol import LanguageModel

T = TypeVar("T")
R = TypeVar("R")

MAX_ASKED = 1000
"""Most results that the engine gives; the last page of a long answer ends there."""


@dataclass(slots=True)
class Call:
    """A tool's arguments and what it may use. `cancelled` is set when the client has given up; `lent` gives the
    language model that the client lends (None: it lends none), which has so many seconds for a reply."""

    workspace: Workspace
    arguments: dict[str, Any]
    cancelled: threading.Event = field(default_factory=threading.Event)
    lent: Callable[[float], LanguageModel | None] = field(default=lambda timeout_s: None)

    @property
    def offset(self) -> int:
        """How many results earlier pages have shown."""
        cursor = self.arguments.get("cursor")
        return read_cursor(cursor, self.arguments) if cursor else 0

    def wanted(self, limit: int) -> int:
        """How many results to ask for: those of earlier pages, this page's, and one more."""
        return min(self.offset + limit + 1, MAX_ASKED)

    def ask(self, service: Service, work: Callable[[Index, bool], R]) -> R:
        """Ask one service; the meta of the answer says where the index is behind."""
        answer, degraded = service.ask(work, self.cancelled)
        return _degraded(answer, degraded) if degraded else answer

    def ask_each(
        self, services: Sequence[Service], work: Callable[[Index, bool], R]
    ) -> tuple[list[tuple[Service, R]], list[str]]:
        """Ask several services; one that fails is told of beside the others' answers, unless all fail."""
        answers: list[tuple[Service, R]] = []
        failed: list[FourfoldError] = []
        notes: list[str] = []
        for service in services:
            try:
                answers.append((service, self.ask(service, work)))
            except FourfoldError as error:
                failed.append(error)
                notes.append(f"{service.name} was not searched: {error.message}. {error.hint}".rstrip(". ") + ".")
        if failed and not answers:
            raise failed[0]
        return answers, notes

    def ask_joined(
        self, services: Sequence[Service], work: Callable[[Index, bool], R]
    ) -> tuple[list[tuple[Service, R]], list[str]]:
        """Ask several services in one ranking: the one answer stands for each of them, its meta telling of each."""
        fresh, notes = self.ask_each(services, lambda index, refresh: index)
        if len(fresh) == 1:
            service, _ = fresh[0]
            return [(service, self.ask(service, work))], notes
        joined = self.workspace.joined({service.name: index for service, index in fresh})
        answer = work(joined, False)
        return [(service, _meta_of(answer, service.name)) for service, _ in fresh], notes


def _meta_of(answer: R, name: str) -> R:
    """The answer with the meta of one of its services."""
    meta = getattr(answer, "meta", None)
    own = next((found for found in meta.services if found.name == name), None) if isinstance(meta, Meta) else None
    if not isinstance(meta, Meta) or own is None:
        return answer
    told = replace(meta, indexed_commit=own.indexed_commit, live_commit=own.indexed_commit, branch=own.ref or None)
    return replace(answer, meta=replace(told, stale=own.stale, services=()))  # type: ignore[type-var]


def _degraded(answer: R, text: str) -> R:
    """The answer with how far the index is in its meta."""
    meta = getattr(answer, "meta", None)
    if not isinstance(meta, Meta):
        return answer
    told = "; ".join(part for part in (text, meta.degraded) if part)
    return replace(answer, meta=replace(meta, degraded=told, stale=True))  # type: ignore[type-var]


def interleaved(lists: Sequence[Sequence[T]]) -> list[T]:
    """Several ranked lists as one: the first of each, then the second of each."""
    gone = object()
    rows = zip_longest(*lists, fillvalue=gone)
    return [item for row in rows for item in row if item is not gone]  # type: ignore[misc]


def filters_of(arguments: dict[str, Any], kind: str = "") -> Filters:
    """The filters that the arguments ask for; raises BadFilter for an unknown language or kind."""
    from fourfold.rank.query_text import make_filters
    from fourfold.syntax.languages import resolve_language

    path = arguments.get("path") or ""
    if path.strip().startswith("/") or ".." in path.split("/"):
        raise BadFilter(f"the path {path[:200]} leaves the root", hint="paths are relative to the root: src/net")
    path = path.strip().removeprefix("./").rstrip("/")
    return make_filters(
        languages=[arguments["language"]] if arguments.get("language") else [],
        paths=[path] if path and path != "." else [],
        kinds=[kind] if kind else [],
        resolve_language=resolve_language,
    )
