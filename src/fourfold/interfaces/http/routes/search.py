"""Questions in plain words, text search, similar code, syntax patterns."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from fourfold.interfaces.http.routes.common import (
    ASKED,
    PREFIX,
    Asked,
    Limit,
    Narrowed,
    ServiceName,
    among,
    answered,
    errors,
)
from fourfold.interfaces.http.schemas import ANSWERS, answer_of, grep_answer
from fourfold.model.query import MAX_QUERY_CHARS

router = APIRouter(prefix=PREFIX, tags=["search"])
MAX_GREP_LINES = 1000
Text = Annotated[str, Query(description="The question; filters may stand in it.", max_length=MAX_QUERY_CHARS)]
QUESTION = {"q": {"summary": "A question", "value": "where is the config parsed lang:py"}}


@router.get(
    "/search", response_model=answer_of(ANSWERS["search"]), responses=errors(*ASKED), summary="Ask in plain words"
)
async def search(
    service: Asked,
    filters: Narrowed,
    q: Annotated[str, Query(description="The question.", max_length=MAX_QUERY_CHARS, openapi_examples=QUESTION)],
    limit: Limit = 10,
    preset: Annotated[str, Query(description="How to retrieve.")] = "default",
    explain: Annotated[bool, Query(description="Every share of every score.")] = False,
    services: ServiceName = [],  # noqa: B006 (FastAPI copies defaults)
) -> JSONResponse:
    """Ranked places of the code. The question may hold filters: `lang:py path:src -path:tests kind:class`."""
    return answered(
        await service.ask(
            lambda index: among(index, services).search(
                q, limit=limit, filters=filters, preset=preset, explain=explain, refresh=False
            ),
            ranked=True,
        )
    )


@router.get("/grep", response_model=grep_answer(), responses=errors(*ASKED), summary="Find text")
async def grep(
    service: Asked,
    filters: Narrowed,
    pattern: Annotated[str, Query(description="A regular expression.", min_length=1, max_length=2000)],
    literal: Annotated[bool, Query(description="The pattern is the text itself.")] = False,
    ignore_case: bool = False,
    word: Annotated[bool, Query(description="Whole words only.")] = False,
    before: Annotated[int, Query(description="Lines of context before.", ge=0, le=50)] = 0,
    after: Annotated[int, Query(description="Lines of context after.", ge=0, le=50)] = 0,
    limit: Annotated[int, Query(description="Lines at most.", ge=1, le=MAX_GREP_LINES)] = 100,
    services: ServiceName = [],  # noqa: B006
) -> JSONResponse:
    """Matching lines in path order."""
    return answered(
        await service.ask(
            lambda index: among(index, services).grep(
                pattern,
                literal=literal,
                ignore_case=ignore_case,
                word=word,
                filters=filters,
                before=before,
                after=after,
                limit=limit,
                refresh=False,
            )
        )
    )


@router.get(
    "/similar", response_model=answer_of(ANSWERS["similar"]), responses=errors(*ASKED), summary="Find similar code"
)
async def similar(
    service: Asked,
    filters: Narrowed,
    file: Annotated[str, Query(description="A path relative to the root.", max_length=4096)],
    line: Annotated[int, Query(ge=1, le=10_000_000)],
    limit: Limit = 10,
) -> JSONResponse:
    """Code like the code at a line of a file."""
    return answered(
        await service.ask(lambda index: index.similar(file, line, limit=limit, filters=filters, refresh=False))
    )


@router.get(
    "/match", response_model=answer_of(ANSWERS["match"]), responses=errors(*ASKED), summary="Find a shape of code"
)
async def match(
    service: Asked,
    filters: Narrowed,
    pattern: Annotated[str, Query(description="`$NAME` is one node, `$$$NAME` any number.", max_length=2000)],
    in_language: Annotated[str, Query(description="The language of the pattern.", max_length=40)],
    limit: Limit = 100,
) -> JSONResponse:
    """Places that have the shape of a pattern, in path order."""
    return answered(
        await service.ask(lambda index: index.match(pattern, in_language, limit=limit, filters=filters, refresh=False))
    )
