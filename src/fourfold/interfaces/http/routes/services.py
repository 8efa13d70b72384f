"""Services of the server: their list, syncing them as jobs, and webhooks that ask for it."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, cast

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from fourfold.engine.sync_queue import ENDED, SyncJob
from fourfold.interfaces.http import webhooks
from fourfold.interfaces.http.answers import JobRow, ServiceRow
from fourfold.interfaces.http.failures import HttpFailure
from fourfold.interfaces.http.routes.common import PREFIX, errors
from fourfold.interfaces.http.schemas import model_of
from fourfold.model.result import SCHEMA

if TYPE_CHECKING:
    from fourfold.interfaces.http.services import ServiceDesk

router = APIRouter(prefix=PREFIX, tags=["services"])
WATCH_EVERY_S = 0.1
NDJSON = "application/x-ndjson"
SEEN = 1_000
"""Webhook deliveries that are remembered, so that one that is sent twice counts once."""
_seen: OrderedDict[str, None] = OrderedDict()


def desk_of(request: Request) -> ServiceDesk:
    """What answers for services; HttpFailure 404 where the server serves one project."""
    found = request.app.state.desk
    if found is None:
        raise HttpFailure(404, "this server serves one project, not services", hint="fourfold serve --service '*'")
    return cast("ServiceDesk", found)


Desk = Annotated[Any, Depends(desk_of)]
Forge = Annotated[str, Path(description="Who sends it: github or gitlab.", max_length=20)]
Number = Annotated[int, Path(description="The job's number.", ge=1, le=2**53)]


class NewService(BaseModel):
    """A service to register: only a repository by https or ssh, and no token."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=64, examples=["web"])
    git: str = Field(max_length=2000, examples=["https://github.com/example/web"])
    ref: str = Field("", max_length=250, examples=["main"])
    root: str = Field("", max_length=1000)
    include: list[str] = Field(default=[], max_length=100)
    exclude: list[str] = Field(default=[], max_length=100)


class Reindex(BaseModel):
    """Which service is to be synced (all where none is named), or one to register first."""

    model_config = ConfigDict(extra="forbid")
    service: str = Field("", max_length=64, examples=["web"])
    register_: NewService | None = Field(None, alias="register")
    force: bool = Field(False, description="Read every file anew.")


Job: Any = model_of(JobRow)
"""The model of a job."""


class Services(BaseModel):
    """The services, by name."""

    model_config = ConfigDict(extra="forbid")
    schema_: str = Field(alias="schema", examples=[SCHEMA])
    items: list[model_of(ServiceRow)]  # type: ignore[valid-type]


class Jobs(BaseModel):
    """Jobs, the newest first."""

    model_config = ConfigDict(extra="forbid")
    schema_: str = Field(alias="schema", examples=[SCHEMA])
    items: list[Job]


@router.get("/services", response_model=Services, responses=errors(), summary="The services")
async def services(request: Request) -> JSONResponse:
    """Name, source, ref and state of each service; none where the server serves one project."""
    desk: ServiceDesk | None = request.app.state.desk
    rows = await asyncio.to_thread(desk.states) if desk is not None else []
    return JSONResponse({"schema": SCHEMA, "items": [asdict(row) for row in rows]})


@router.post(
    "/reindex",
    response_model=Jobs,
    status_code=202,
    responses={**errors(404, 422), 200: {"description": "Progress, one JSON object a line.", "content": {NDJSON: {}}}},
    summary="Sync services",
)
async def reindex(request: Request, desk: Desk, asked: Reindex) -> JSONResponse | StreamingResponse:
    """Queue the sync of a service, of all, or of one that is registered first. Answers at once (202) with the jobs, or
    with their progress as NDJSON until all have ended where `Accept` asks for it."""
    jobs = await asyncio.to_thread(desk.reindex, asked)
    if NDJSON in request.headers.get("accept", ""):
        return StreamingResponse(_progress(desk, jobs), media_type=NDJSON, headers={"Cache-Control": "no-store"})
    return JSONResponse({"schema": SCHEMA, "items": [desk.said(job) for job in jobs]}, status_code=202)


@router.get("/jobs", response_model=Jobs, responses=errors(), summary="The jobs")
async def jobs(request: Request) -> JSONResponse:
    """Every sync that is remembered, the newest first; none where the server serves one project."""
    desk: ServiceDesk | None = request.app.state.desk
    rows = [desk.said(job) for job in desk.queue.jobs] if desk is not None else []
    return JSONResponse({"schema": SCHEMA, "items": rows})


@router.get("/jobs/{number}", response_model=Job, responses=errors(404, 422), summary="One job")
async def job(desk: Desk, number: Number) -> JSONResponse:
    """How a sync stands."""
    return JSONResponse(desk.said(_known(desk, number)))


@router.post("/jobs/{number}/cancel", response_model=Job, responses=errors(404, 422), summary="Stop a job")
async def cancel(desk: Desk, number: Number) -> JSONResponse:
    """Stop a sync that waits or runs; what it has committed stays."""
    found = _known(desk, number)
    desk.queue.cancel(found)
    return JSONResponse(desk.said(found))


@router.post("/webhooks/{forge}", response_model=Jobs, status_code=202, responses=errors(404, 422), summary="A webhook")
async def webhook(request: Request, desk: Desk, forge: Forge) -> JSONResponse:
    """A push that GitHub or GitLab tells of (`forge` is `github` or `gitlab`): its services are synced. Only genuine
    ones count: signed with the secret that the server was started with."""
    readers = {"github": webhooks.github, "gitlab": webhooks.gitlab}
    if forge not in readers or not desk.webhook_secret:
        raise HttpFailure(404, "no webhook is expected here", hint="fourfold serve --webhook-secret-env VAR")
    delivery = readers[forge](request.headers, await request.body(), desk.webhook_secret)
    if delivery.id and _repeated(f"{forge} {delivery.id}"):
        return JSONResponse({"schema": SCHEMA, "items": []}, status_code=202)
    queued = await asyncio.to_thread(desk.told, delivery) if delivery.moved else []
    return JSONResponse({"schema": SCHEMA, "items": [desk.said(job) for job in queued]}, status_code=202)


def _known(desk: ServiceDesk, number: Number) -> SyncJob:
    found = desk.queue.job(number)
    if found is None:
        raise HttpFailure(404, f"there is no job {number}", hint="the newest are at /api/v1/jobs")
    return found


def _repeated(delivery: str) -> bool:
    if delivery in _seen:
        return True
    _seen[delivery] = None
    while len(_seen) > SEEN:
        _seen.popitem(last=False)
    return False


async def _progress(desk: ServiceDesk, jobs: list[SyncJob]) -> AsyncIterator[str]:
    """Each change of each job as a line, until all have ended."""
    before: dict[int, str] = {}
    while True:
        ended = all(job.state in ENDED for job in jobs)
        for job in jobs:
            text = json.dumps(desk.said(job), separators=(",", ":"))
            if before.get(job.id) != text:
                before[job.id] = text
                yield text + "\n"
        if ended:
            return
        await asyncio.sleep(WATCH_EVERY_S)
