"""Answers in words: whole, or piece by piece as a language model writes them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse

from fourfold.interfaces.http.asking import Asking, Event, answer, stream, turns
from fourfold.interfaces.http.failures import HttpFailure
from fourfold.interfaces.http.routes.common import ASKED, PREFIX, Asked, Narrowed, errors
from fourfold.interfaces.http.routes.index import EVENT_STREAM, MAX_STREAMS, NDJSON
from fourfold.interfaces.http.schemas import ANSWERS, answer_of
from fourfold.model.answer import DEFAULT_TOKENS, MAX_TOKENS, MAX_TURNS, MIN_TOKENS
from fourfold.model.query import MAX_QUERY_CHARS

router = APIRouter(prefix=PREFIX, tags=["search"])
QUESTION = {"q": {"summary": "A question", "value": "how are failed requests retried"}}
_STREAMED: dict[str, Any] = {
    "description": "The answer; or, where `Accept` asks for it, server-sent events (or a JSON object a line): `piece` "
    "with checked text of a language model, then `answer` with the whole, or `error`.",
    "content": {NDJSON: {}, EVENT_STREAM: {}},
}
Before = Annotated[list[str], Query(description="Questions asked before, oldest first.", max_length=MAX_TURNS)]
About = Annotated[
    list[str], Query(description="For each of `before` the names it was about, comma between.", max_length=MAX_TURNS)
]


def asking_of(
    filters: Narrowed,
    q: Annotated[str, Query(description="The question.", max_length=MAX_QUERY_CHARS, openapi_examples=QUESTION)],
    tokens: Annotated[int, Query(description="Length at most.", ge=MIN_TOKENS, le=MAX_TOKENS)] = DEFAULT_TOKENS,
    extractive: Annotated[bool, Query(description="Ask no language model, even if one is configured.")] = False,
    before: Before = [],  # noqa: B006 (FastAPI copies defaults)
    about: About = [],  # noqa: B006
) -> Asking:
    """What a request asks."""
    return Asking(q, tokens, extractive, filters, turns(before, about))


@router.get(
    "/ask",
    response_model=answer_of(ANSWERS["ask"]),
    responses={**errors(*ASKED), 200: _STREAMED},
    summary="Ask for an answer",
)
async def ask(
    request: Request, service: Asked, asked: Annotated[Asking, Depends(asking_of)]
) -> JSONResponse | StreamingResponse:
    """An answer in words, each statement with citations that were looked up on disk. Without a configured language
    model it is put together from what the index knows, and says so (`extractive`). A follow-up question sends `before`
    and `about` of the questions before it."""
    accept = request.headers.get("accept", "")
    kind = next((one for one in (NDJSON, EVENT_STREAM) if one in accept), "")
    if not kind:
        return JSONResponse((await answer(service, asked)).to_dict())
    return streamed(service, asked, kind)


def streamed(service: Asked, asked: Asking, kind: str) -> StreamingResponse:
    """The answer as events. Raises HttpFailure 503 where too many streams are open."""
    if service.streams >= MAX_STREAMS:
        raise HttpFailure(503, "too many streams are open", hint="close some pages")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_texts(stream(service, asked), kind), media_type=kind, headers=headers)


async def _texts(events: AsyncIterator[Event], kind: str) -> AsyncIterator[str]:
    async for name, value in events:
        data = value.to_dict() if name == "answer" else value
        if kind == EVENT_STREAM:
            yield f"event: {name}\ndata: {json.dumps(data)}\n\n"
        else:
            yield json.dumps({"event": name, "data": data}) + "\n"
