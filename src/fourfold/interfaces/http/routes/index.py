"""The index itself: its state, and bringing it up to date with progress that can be watched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse

from fourfold.interfaces.http.failures import HttpFailure
from fourfold.interfaces.http.jobs import RUNNING, JobState
from fourfold.interfaces.http.routes.common import PREFIX, WORK, Asked, errors
from fourfold.interfaces.http.schemas import STATES, model_of
from fourfold.interfaces.http.service import Service
from fourfold.model.result import plain

router = APIRouter(prefix=PREFIX, tags=["index"])
EVENTS_EVERY_S = 0.2
EVENTS_FOR_S = 3600.0
"""A stream that is watched longer than this is ended; the browser opens it again."""
MAX_STREAMS = 50
NDJSON, EVENT_STREAM = "application/x-ndjson", "text/event-stream"
_STREAMED: dict[str, Any] = {
    "description": "The state each time it changes: a JSON object a line, or server-sent events (`Accept`).",
    "content": {NDJSON: {}, EVENT_STREAM: {}},
}


@router.get("/status", response_model=model_of(STATES["status"]), responses=errors(*WORK), summary="The index")
async def status(service: Asked) -> JSONResponse:
    """What the index holds, and how far the tree has moved since."""
    found = await service.run(lambda index: index.status())
    return JSONResponse(plain(asdict(replace(found, root=".", location="", writer=service.scrub.clean(found.writer)))))


@router.get(
    "/status/path", response_model=model_of(STATES["status/path"]), responses=errors(*WORK, 422), summary="One path"
)
async def status_of(
    service: Asked, path: Annotated[str, Query(description="A path relative to the root.", max_length=4096)]
) -> JSONResponse:
    """Whether a path is indexed and, where not, why."""
    found = await service.run(lambda index: index.status_of(path))
    return JSONResponse(plain(asdict(replace(found, detail=service.scrub.clean(found.detail)))))


@router.post(
    "/index",
    response_model=model_of(STATES["index"]),
    status_code=202,
    responses={**errors(422, 503), 200: _STREAMED},
    summary="Bring the index up to date",
)
async def start(
    request: Request,
    service: Asked,
    force: Annotated[bool, Query(description="Read every file anew.")] = False,
) -> JSONResponse | StreamingResponse:
    """Start a refresh, or watch the one that runs. Answers at once (202), or streams where `Accept` asks for it."""
    job, _ = service.jobs.start(force=force, asked=True)
    kind = _wanted(request)
    if kind:
        return _stream(service, kind)
    return JSONResponse(_said(service, job.state), status_code=202)


@router.get(
    "/index/events",
    response_class=StreamingResponse,
    responses={**errors(422, 503), 200: _STREAMED},
    summary="Watch the index",
)
async def events(
    request: Request,
    service: Asked,
    follow: Annotated[bool, Query(description="Go on when the refresh has ended.")] = False,
) -> StreamingResponse:
    """The state of the newest refresh each time it changes; server-sent events unless NDJSON is accepted."""
    return _stream(service, _wanted(request) or EVENT_STREAM, follow=follow)


@router.post("/index/cancel", response_model=model_of(STATES["index"]), responses=errors(404), summary="Stop indexing")
async def cancel(service: Asked) -> JSONResponse:
    """Stop the refresh that runs; what is committed stays."""
    job = service.jobs.newest
    if job is None or job.finished.is_set():
        raise HttpFailure(404, "nothing is being indexed")
    job.cancel()
    return JSONResponse(_said(service, job.state))


def _wanted(request: Request) -> str:
    accept = request.headers.get("accept", "")
    return next((kind for kind in (NDJSON, EVENT_STREAM) if kind in accept), "")


def _said(service: Service, state: JobState) -> dict[str, Any]:
    """A state without paths of the machine."""
    data = state.to_dict()
    if data["error"]:
        data["error"] = {key: service.scrub.clean(text) for key, text in data["error"].items()}
    if data["report"]:
        data["report"]["warnings"] = [service.scrub.clean(text) for text in data["report"]["warnings"]]
    return data


def _stream(service: Service, kind: str, *, follow: bool = False) -> StreamingResponse:
    if service.streams >= MAX_STREAMS:
        raise HttpFailure(503, "too many streams are open", hint="close some pages")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_states(service, kind, follow), media_type=kind, headers=headers)


async def _states(service: Service, kind: str, follow: bool) -> AsyncIterator[str]:
    """Each new state of the refresh worth showing; ends with it unless `follow`."""
    loop = asyncio.get_running_loop()
    until = loop.time() + EVENTS_FOR_S
    before, silent_since = "", loop.time()
    service.streams += 1
    try:
        while loop.time() < until and not service.closing:
            job = service.jobs.shown
            state = _said(service, job.state) if job is not None else {"id": 0, "state": "idle"}
            text = json.dumps(state, separators=(",", ":"))
            if text != before:
                before, silent_since = text, loop.time()
                yield f"data: {text}\n\n" if kind == EVENT_STREAM else text + "\n"
            elif loop.time() - silent_since > 15 and kind == EVENT_STREAM:
                silent_since = loop.time()
                yield ": still here\n\n"
            if not follow and state["state"] != RUNNING:
                return
            await asyncio.sleep(EVENTS_EVERY_S)
    finally:
        service.streams -= 1
