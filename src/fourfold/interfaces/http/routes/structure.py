"""Symbols, references, impact, context, routes, overview, files, neighbourhoods."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from fourfold.interfaces.http import reading
from fourfold.interfaces.http.routes.common import (
    ASKED,
    PREFIX,
    WORK,
    Asked,
    Limit,
    Narrowed,
    ServiceName,
    among,
    answered,
    errors,
)
from fourfold.interfaces.http.schemas import ANSWERS, answer_of
from fourfold.model.query import DIRECTIONS

router = APIRouter(prefix=PREFIX, tags=["structure"])
Name = Annotated[str, Query(description="A name, qualified or not: `Client.request`.", max_length=500)]
Line = Annotated[int | None, Query(ge=1, le=10_000_000)]


@router.get(
    "/symbol", response_model=answer_of(ANSWERS["symbol"]), responses=errors(*ASKED), summary="Find a definition"
)
async def symbol(
    service: Asked,
    filters: Narrowed,
    name: Name,
    exact: bool = False,
    limit: Limit = 50,
    services: ServiceName = [],  # noqa: B006 (FastAPI copies defaults)
) -> JSONResponse:
    """Definitions that a name meets, best first."""
    return answered(
        await service.ask(
            lambda index: among(index, services).symbol(name, exact=exact, limit=limit, filters=filters, refresh=False)
        )
    )


@router.get(
    "/usages", response_model=answer_of(ANSWERS["usages"]), responses=errors(*ASKED), summary="Who refers to whom"
)
async def usages(
    service: Asked,
    filters: Narrowed,
    name: Name,
    direction: Annotated[
        str, Query(description="Which references.", json_schema_extra={"enum": list(DIRECTIONS)})
    ] = "callers",
    limit: Limit = 100,
    services: ServiceName = [],  # noqa: B006
) -> JSONResponse:
    """References of a symbol in one direction, each with its confidence."""
    return answered(
        await service.ask(
            lambda index: among(index, services).usages(
                name, direction=direction, limit=limit, filters=filters, refresh=False
            )
        )
    )


@router.get(
    "/impact", response_model=answer_of(ANSWERS["impact"]), responses=errors(*ASKED), summary="What a change reaches"
)
async def impact(
    service: Asked,
    filters: Narrowed,
    name: Name,
    direction: Annotated[
        str,
        Query(description="Who is reached, or what it rests on.", json_schema_extra={"enum": ["callers", "callees"]}),
    ] = "callers",
    depth: Annotated[int, Query(description="Steps at most.", ge=1, le=10)] = 3,
    limit: Limit = 200,
) -> JSONResponse:
    """What a change of a symbol reaches, nearest first."""
    return answered(
        await service.ask(
            lambda index: index.impact(
                name, direction=direction, depth=depth, limit=limit, filters=filters, refresh=False
            )
        )
    )


@router.get(
    "/context", response_model=answer_of(ANSWERS["context"]), responses=errors(*ASKED), summary="What a change needs"
)
async def context(
    service: Asked,
    filters: Narrowed,
    target: Annotated[str, Query(description="A symbol or a path.", max_length=4096)],
    limit: Limit = 20,
) -> JSONResponse:
    """A symbol's code, callers, callees, bases, tests and neighbours; a file's definitions and importers."""
    return answered(await service.ask(lambda index: index.context(target, limit=limit, filters=filters, refresh=False)))


@router.get(
    "/routes", response_model=answer_of(ANSWERS["routes"]), responses=errors(*ASKED), summary="The project's routes"
)
async def routes(
    service: Asked,
    filters: Narrowed,
    text: Annotated[str, Query(description="Words of method, path or handler.", max_length=500)] = "",
    limit: Limit = 1000,
) -> JSONResponse:
    """HTTP routes that the indexed project declares."""
    return answered(await service.ask(lambda index: index.routes(text, limit=limit, filters=filters, refresh=False)))


@router.get(
    "/overview", response_model=answer_of(ANSWERS["overview"]), responses=errors(*WORK, 409), summary="At a glance"
)
async def overview(service: Asked) -> JSONResponse:
    """Languages, folders, entry points, central symbols, communities."""
    return answered(await service.ask(lambda index: index.overview(refresh=False)))


@router.get(
    "/file", response_model=answer_of(ANSWERS["file"]), responses=errors(*ASKED, 404), summary="Lines of a file"
)
async def file(
    service: Asked,
    path: Annotated[str, Query(description="A path relative to the root.", max_length=4096)],
    start: Annotated[int, Query(description="First line.", ge=1, le=10_000_000)] = 1,
    end: Line = None,
) -> JSONResponse:
    """An indexed file or some lines of it, secrets taken out, with the file's definitions."""
    return answered(await service.ask(lambda index: reading.read_file(index, path, start, end)))


@router.get("/graph", response_model=answer_of(ANSWERS["graph"]), responses=errors(*ASKED), summary="A neighbourhood")
async def graph(
    service: Asked,
    name: Name,
    path: Annotated[str, Query(description="Which definition: its file.", max_length=4096)] = "",
    line: Annotated[int, Query(description="Which definition: its first line.", ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(description="Neighbours at most on each side.", ge=1, le=200)] = 10,
    tests: Annotated[bool, Query(description="Show test code, too.")] = True,
) -> JSONResponse:
    """Callers, callees, bases, subclasses and overridden methods of one definition."""
    return answered(
        await service.ask(
            lambda index: reading.neighbourhood(index, name, path=path, line=line, limit=limit, tests=tests)
        )
    )
