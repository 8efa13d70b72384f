"""The pages: each asks the service and fills a template."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.staticfiles import StaticFiles

from fourfold.interfaces.http import reading
from fourfold.interfaces.http.asking import Asking, answer, stream, turns
from fourfold.interfaces.http.jobs import RUNNING
from fourfold.interfaces.http.service import Service
from fourfold.interfaces.http.sessions import Sessions
from fourfold.interfaces.web import answers
from fourfold.interfaces.web.api_docs import operations_of
from fourfold.interfaces.web.asking import ShownAnswer, parts, shown
from fourfold.interfaces.web.drawing import draw
from fourfold.interfaces.web.evaluations import add_evaluate
from fourfold.interfaces.web.facets import MOST_RESULTS, PAGE, Asked
from fourfold.interfaces.web.fileview import view_file, view_lines
from fourfold.interfaces.web.panels import add_history, add_services
from fourfold.interfaces.web.render import Renderer
from fourfold.interfaces.web.tree import tree
from fourfold.model.answer import MAX_TURNS
from fourfold.model.errors import BadQuery
from fourfold.model.query import MAX_QUERY_CHARS
from fourfold.source.found import REASONS

HERE = Path(__file__).parent
Question = Annotated[str, Query(max_length=MAX_QUERY_CHARS)]
Turns = Annotated[list[str], Query(max_length=MAX_TURNS)]
Names = Annotated[list[str], Query(max_length=20)]
PathText = Annotated[str, Query(max_length=4096)]
Number = Annotated[int, Query(ge=0, le=10_000_000)]


def asked(
    q: Question = "",
    language: Names = [],  # noqa: B006 (FastAPI copies defaults)
    kind: Names = [],  # noqa: B006
    path: Names = [],  # noqa: B006
    service: Names = [],  # noqa: B006
    role: Annotated[str, Query(max_length=20)] = "",
    preset: Annotated[str, Query(max_length=40)] = "default",
    n: Annotated[int, Query(ge=1, le=MOST_RESULTS)] = PAGE,
) -> Asked:
    """What a search was asked."""
    return Asked(q.strip(), tuple(language), tuple(kind), tuple(path), tuple(service), role, preset, n)


Wanted = Annotated[Asked, Depends(asked)]


def asking(
    q: Question = "",
    extractive: bool = False,
    before: Turns = [],  # noqa: B006 (FastAPI copies defaults)
    about: Turns = [],  # noqa: B006
) -> Asking:
    """What is to be answered in words."""
    return Asking(q.strip(), extractive=extractive, thread=turns(before, about))


Questioned = Annotated[Asking, Depends(asking)]


def mount_pages(app: FastAPI, service: Service) -> None:
    """Add the pages, the script and the style to the application."""
    app.state.renderer = Renderer(service)
    router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
    for add in (_search, _asking, _files, _structure, _index, add_evaluate, add_history, add_services, _docs, _login):
        add(router, service, app.state.renderer)
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")


def error_page(request: Request, status: int, code: str, message: str, hint: str) -> Response | None:
    """The page of an error for who asked for a page; None for all others."""
    path = request.url.path
    if path.startswith(("/api/", "/static/")) or "text/html" not in request.headers.get("accept", ""):
        return None
    renderer: Renderer = request.app.state.renderer
    name = "_error.html" if path.startswith("/part/") else "error.html"
    return renderer.page(name, code=status, error={"code": code, "message": message, "hint": hint}, nav="")


def _search(router: APIRouter, service: Service, renderer: Renderer) -> None:
    @router.get("/")
    async def search(wanted: Wanted) -> Response:
        if wanted.q:
            shown = await service.ask(partial(answers.answer, asked=wanted, editor=service.options.editor), ranked=True)
            return renderer.page("search.html", nav="search", asked=wanted, shown=shown)
        return renderer.page("search.html", nav="search", asked=wanted, shown=None, start=await renderer.start())

    @router.get("/part/results")
    async def results(wanted: Wanted) -> Response:
        if not wanted.q:
            return renderer.page("_start.html", asked=wanted, start=await renderer.start())
        shown = await service.ask(partial(answers.answer, asked=wanted, editor=service.options.editor), ranked=True)
        return renderer.page("_results.html", asked=wanted, shown=shown)


def _asking(router: APIRouter, service: Service, renderer: Renderer) -> None:
    def page(name: str, asked: Asking, found: ShownAnswer | None) -> Response:
        return renderer.page(name, nav="ask", title=asked.question or "Ask", asked=asked, shown=found)

    @router.get("/ask")
    async def ask(asked: Questioned) -> Response:
        if not asked.question:
            return page("ask.html", asked, None)
        return page("ask.html", asked, shown(asked, await answer(service, asked)))

    @router.get("/part/ask")
    async def part(asked: Questioned) -> Response:
        if not asked.question:
            raise BadQuery("no question was given", hint="for instance: how does authentication work")
        events = stream(service, asked)
        return StreamingResponse(
            parts(events, asked, renderer), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )


def _files(router: APIRouter, service: Service, renderer: Renderer) -> None:
    @router.get("/file/{path:path}")
    async def file(path: str, symbol: Question = "", at: Number = 0, start: Number = 0) -> Response:
        view = await service.ask(
            partial(view_file, path=path, symbol=symbol, at=at, start=start, editor=service.options.editor)
        )
        return renderer.page("file.html", nav="", view=view, title=path)

    @router.get("/part/lines")
    async def lines(path: PathText, start: Number = 1, end: Number = 1, q: Question = "") -> Response:
        view = await service.run(
            partial(view_lines, path=path, start=start, end=end, question=q, editor=service.options.editor)
        )
        return renderer.page("_lines.html", view=view)


def _structure(router: APIRouter, service: Service, renderer: Renderer) -> None:
    @router.get("/graph")
    async def graph(
        symbol: Question = "",
        path: PathText = "",
        line: Number = 0,
        n: Annotated[int, Query(ge=1, le=200)] = 10,
        tests: bool = True,
    ) -> Response:
        asked = {"symbol": symbol.strip(), "path": path, "line": line, "n": n, "tests": tests}
        if not asked["symbol"]:
            return renderer.page("graph.html", nav="graph", asked=asked, found=None, title="Graph")
        work = partial(reading.neighbourhood, name=symbol.strip(), path=path, line=line, limit=n, tests=tests)
        found = await service.ask(work)
        return renderer.page("graph.html", nav="graph", asked=asked, found=found, drawing=draw(found), title=symbol)

    @router.get("/impact")
    async def impact(
        symbol: Question = "",
        direction: Annotated[str, Query(max_length=20)] = "callers",
        depth: Annotated[int, Query(ge=1, le=10)] = 3,
        n: Annotated[int, Query(ge=1, le=1000)] = 200,
    ) -> Response:
        asked = {"symbol": symbol.strip(), "direction": direction, "depth": depth, "n": n}
        if not asked["symbol"]:
            return renderer.page("impact.html", nav="impact", asked=asked, found=None, title="Impact")
        found = await service.ask(
            lambda index: index.impact(symbol.strip(), direction=direction, depth=depth, limit=n, refresh=False)
        )
        return renderer.page(
            "impact.html", nav="impact", asked=asked, found=found, tree=tree(found.items), title=f"Impact of {symbol}"
        )


def _index(router: APIRouter, service: Service, renderer: Renderer) -> None:
    @router.get("/index")
    async def index(path: PathText = "") -> Response:
        status = await service.run(lambda index: index.status())
        one = await service.run(lambda index: index.status_of(path)) if path else None
        job = service.jobs.shown
        state = job.state if job is not None else None
        return renderer.page(
            "index.html",
            nav="index",
            title="Index",
            status=status,
            one=one,
            path=path,
            job=state,
            running=state is not None and state.state == RUNNING,
            reasons=REASONS,
            read_only=service.options.read_only,
        )


def _docs(router: APIRouter, service: Service, renderer: Renderer) -> None:
    @router.get("/docs")
    async def docs(request: Request) -> Response:
        document: dict[str, Any] = request.app.openapi()
        return renderer.page(
            "docs.html", nav="docs", title="API", groups=operations_of(document), info=document["info"]
        )


def _login(router: APIRouter, service: Service, renderer: Renderer) -> None:
    sessions = Sessions(service.options)

    @router.get("/login")
    async def login() -> Response:
        return renderer.page("login.html", service_name="Fourfold", nav="", title="Sign in", wrong=False)

    @router.post("/login")
    async def sign_in(request: Request) -> Response:
        from urllib.parse import parse_qs

        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        if not service.options.token or not sessions.right(form.get("token", [""])[0]):
            return renderer.page("login.html", code=401, service_name="Fourfold", nav="", title="Sign in", wrong=True)
        reply = RedirectResponse("/", status_code=303)
        reply.headers["set-cookie"] = sessions.cookie(request.scope)
        return reply
