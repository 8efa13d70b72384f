"""The application: routes, errors in one shape, the page, and the guard around all of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from fourfold import __version__
from fourfold.interfaces.http import failures
from fourfold.interfaces.http.guard import Guard
from fourfold.interfaces.http.metrics import Metrics
from fourfold.interfaces.http.options import ServeOptions
from fourfold.interfaces.http.routes import asking, history, search, services, structure
from fourfold.interfaces.http.routes import index as index_routes
from fourfold.interfaces.http.routes.operations import operations
from fourfold.interfaces.http.service import Service
from fourfold.interfaces.http.services import ServiceDesk
from fourfold.model.errors import FourfoldError

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.engine.workspace import Workspace

ABOUT = """Questions about one codebase: the answers of the command line and of MCP, in the same JSON.

Every answer holds `schema`, `query`, `items` and `meta`; every error is `{"error": {"code", "message", "hint"}}`.
Writes need the header `X-Fourfold: 1`; off loopback everything needs `Authorization: Bearer TOKEN`."""


def create_app(index: Index, options: ServeOptions | None = None, workspace: Workspace | None = None) -> Guard:
    """Everything that one process serves, guarded. With a `workspace` the index is that of its services."""
    options = options or ServeOptions()
    metrics = Metrics()
    return Guard(build_app(index, options, metrics, workspace), options, metrics)


def build_app(index: Index, options: ServeOptions, metrics: Metrics, workspace: Workspace | None = None) -> FastAPI:
    """The routes without the guard."""
    from fourfold.interfaces.web.pages import mount_pages

    service = Service(index, options)
    desk = ServiceDesk(workspace, service.scrub, options) if workspace is not None else None

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if not options.read_only:
            service.jobs.start()
        yield
        if desk is not None:
            desk.close()
        service.close()

    app = FastAPI(
        title="Fourfold",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.service = service
    app.state.desk = desk
    app.include_router(operations(metrics))
    for router in (
        search.router,
        structure.router,
        asking.router,
        history.router,
        index_routes.router,
        services.router,
    ):
        app.include_router(router)
    mount_pages(app, service)
    _handle_errors(app, service)
    return app


def _handle_errors(app: FastAPI, service: Service) -> None:
    """Every error in one shape: as a page for who looks at pages, as JSON for all others."""
    from fourfold.interfaces.web.pages import error_page

    def respond(request: Request, status: int, code: str, message: str, hint: str) -> Response:
        message, hint = service.scrub.clean(message), service.scrub.clean(hint)
        shown = error_page(request, status, code, message, hint)
        return shown or JSONResponse(failures.body(code, message, hint), status_code=status)

    @app.exception_handler(FourfoldError)
    async def known(request: Request, error: FourfoldError) -> Response:
        return respond(request, failures.status_of(error), failures.code_of(error), error.message, error.hint)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        # The guard logs it: what is handled here is raised on.
        return respond(request, 500, failures.CODES[500], "this is a fault in fourfold", "see the server's log")

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return respond(request, 422, failures.CODES[422], failures.faults(error.errors()), "see /docs")

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        code = failures.CODES.get(error.status_code, "F000")
        messages: dict[int, Any] = {404: "there is nothing at this address", 405: "this address knows another method"}
        message = messages.get(error.status_code, str(error.detail))
        return respond(request, error.status_code, code, message, "the routes are listed at /docs")
