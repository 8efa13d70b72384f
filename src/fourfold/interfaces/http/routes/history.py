"""Commits that answer a question, and the pipelines that there are."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from fourfold.interfaces.http.routes.common import ASKED, PREFIX, WORK, Asked, Limit, NotPath, Path, answered, errors
from fourfold.interfaces.http.schemas import ANSWERS, answer_of
from fourfold.model.query import MAX_QUERY_CHARS, Filters
from fourfold.model.result import SCHEMA

router = APIRouter(prefix=PREFIX)
Moment = Annotated[str, Query(description="2024-05-31, 2024-05-31T12:00, 3 weeks, 6m.", max_length=40)]


class Pipeline(BaseModel):
    """A preset: what it is for, its steps by name, its YAML; or what is wrong with it."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(examples=["hybrid"])
    shipped: bool
    about: str
    steps: list[str]
    text: str
    error: str | None = None


class Pipelines(BaseModel):
    """Every preset, those shipped first."""

    model_config = ConfigDict(extra="forbid")
    schema_: str = Field(alias="schema", examples=[SCHEMA])
    items: list[Pipeline]


@router.get(
    "/history",
    response_model=answer_of(ANSWERS["history"]),
    responses=errors(*ASKED, 423),
    tags=["search"],
    summary="Find commits",
)
async def history(
    service: Asked,
    q: Annotated[str, Query(description="What the commit did.", max_length=MAX_QUERY_CHARS)] = "",
    path: Path = [],  # noqa: B006 (FastAPI copies defaults)
    not_path: NotPath = [],  # noqa: B006
    author: Annotated[str, Query(description="Part of a name or an e-mail address.", max_length=200)] = "",
    since: Moment = "",
    until: Moment = "",
    symbol: Annotated[
        str,
        Query(
            description="Instead of words: the commits that changed its lines; see `path`, `line`.",
            max_length=500,
        ),
    ] = "",
    line: Annotated[int, Query(description="Which definition: its first line.", ge=0, le=10_000_000)] = 0,
    limit: Limit = 10,
) -> JSONResponse:
    """The commits whose message and files answer best; without words the newest ones that satisfy the filters. New
    commits are read first, unless the server is read-only."""
    filters = Filters(paths=tuple(path), not_paths=tuple(not_path))
    refresh = not service.options.read_only
    if symbol:
        place = path[0] if path else ""
        return answered(
            service.said(
                await service.run(
                    lambda index: index.touched(symbol, path=place, line=line, limit=limit, refresh=refresh)
                ),
                "",
            )
        )
    found = await service.run(
        lambda index: index.history(q, limit, filters=filters, author=author, since=since, until=until, refresh=refresh)
    )
    return answered(service.said(found, ""))


@router.get(
    "/pipelines", response_model=Pipelines, responses=errors(*WORK), tags=["index"], summary="Retrieval presets"
)
async def pipelines(service: Asked) -> JSONResponse:
    """The presets that `preset` of a search may name, with their YAML."""
    from fourfold.pipeline.catalogue import preset_facts
    from fourfold.pipeline.loader import preset_names, preset_text

    def look(_: object) -> list[dict[str, object]]:
        found = []
        for name in preset_names():
            one = {"error": None, **preset_facts(name), "text": preset_text(name)}
            found.append({**one, "error": service.scrub.clean(str(one["error"])) if one["error"] else None})
        return found

    return JSONResponse({"schema": SCHEMA, "items": await service.run(look)})
