"""The History and Services pages: commits that answer a question or touched a symbol; what is served, and its syncs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fourfold.engine.sync_queue import ENDED
from fourfold.interfaces.cli.snippet import marker
from fourfold.interfaces.web.highlight import line_html
from fourfold.model.errors import FourfoldError, TimedOut
from fourfold.model.query import MAX_QUERY_CHARS, Filters
from fourfold.store.contract import INDEXED

if TYPE_CHECKING:
    from markupsafe import Markup

    from fourfold.engine import Index
    from fourfold.engine.history import HistoryItem, HistoryResult
    from fourfold.interfaces.http.service import Service
    from fourfold.interfaces.web.render import Renderer

COMMITS = 20
"""Commits of a page."""
FILES = 6
"""Files shown of a commit."""
JOBS = 30
"""Syncs shown, the newest."""
Words = Annotated[str, Query(max_length=MAX_QUERY_CHARS)]
Short = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class AskedHistory:
    """What the History page was asked: words, or the symbol whose commits are wanted (of several the one in `path`
    near `line`); and what narrows it."""

    q: str = ""
    symbol: str = ""
    path: str = ""
    line: int = 0
    author: str = ""
    since: str = ""
    until: str = ""
    n: int = COMMITS


@dataclass(frozen=True, slots=True)
class ShownCommit:
    """A commit, ready to be shown. `files` are (path, whether it is indexed now and can be opened)."""

    item: HistoryItem
    subject: Markup
    files: tuple[tuple[str, bool], ...]


def add_history(router: APIRouter, service: Service, renderer: Renderer) -> None:
    """Add the page of commits."""

    @router.get("/history")
    async def history(
        q: Words = "",
        symbol: Words = "",
        path: Annotated[str, Query(max_length=4096)] = "",
        line: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        author: Short = "",
        since: Short = "",
        until: Short = "",
        n: Annotated[int, Query(ge=1, le=1000)] = COMMITS,
    ) -> Response:
        asked = AskedHistory(q.strip(), symbol.strip(), path.strip(), line, author.strip(), since, until, n)
        refresh = not service.options.read_only
        answer: dict[str, Any] = {"found": None, "commits": (), "error": None}
        try:
            found, answer["commits"] = await service.run(partial(_look, asked=asked, refresh=refresh))
            answer["found"] = service.said(found, "")
        except TimedOut:
            hint = "it goes on being read: load this page again in a moment"
            answer["error"] = {"code": TimedOut.code, "message": "the history is not read to its end yet", "hint": hint}
        except FourfoldError as error:
            # The form stays: what is wrong may be a date in it.
            message, hint = service.scrub.clean(error.message), service.scrub.clean(error.hint)
            answer["error"] = {"code": error.code, "message": message, "hint": hint}
        return renderer.page("history.html", nav="history", title=q or symbol or "History", asked=asked, **answer)


def add_services(router: APIRouter, service: Service, renderer: Renderer) -> None:
    """Add the page of services and its part that is fetched again while something is synced."""

    async def page(request: Request, template: str) -> Response:
        desk = request.app.state.desk
        rows = await run_in_threadpool(desk.states) if desk is not None else []
        jobs = [desk.said(job) for job in desk.queue.jobs[:JOBS]] if desk is not None else []
        return renderer.page(
            template,
            nav="services",
            title="Services",
            served=desk is not None,
            rows=rows,
            jobs=jobs,
            busy={job["service"] for job in jobs if job["state"] not in ENDED},
            read_only=service.options.read_only,
        )

    @router.get("/services")
    async def services(request: Request) -> Response:
        return await page(request, "services.html")

    @router.get("/part/services")
    async def part(request: Request) -> Response:
        return await page(request, "_services.html")


def _look(index: Index, asked: AskedHistory, refresh: bool) -> tuple[HistoryResult, tuple[ShownCommit, ...]]:
    if asked.symbol:
        found = index.touched(asked.symbol, path=asked.path, line=asked.line, limit=asked.n, refresh=refresh)
    else:
        narrowed: dict[str, Any] = {"author": asked.author, "since": asked.since, "until": asked.until}
        filters = Filters(paths=(asked.path,) if asked.path else ())
        found = index.history(asked.q, asked.n, filters=filters, refresh=refresh, **narrowed)
    marks = marker(asked.q)
    snapshot = index._store.snapshot() if index.built else None

    def known(path: str) -> bool:
        record = snapshot.record(path) if snapshot is not None else None
        return record is not None and record.status == INDEXED

    return found, tuple(
        ShownCommit(
            item, line_html((("", item.subject),), marks), tuple((path, known(path)) for path in item.files[:FILES])
        )
        for item in found.items
    )
