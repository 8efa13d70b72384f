"""For those who run the server: is it alive, what has it done."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from fourfold.interfaces.http.metrics import CONTENT_TYPE, Metrics
from fourfold.interfaces.http.routes.common import Asked, errors
from fourfold.interfaces.http.schemas import Health


def operations(metrics: Metrics) -> APIRouter:
    """``/healthz`` and ``/metrics``."""
    router = APIRouter(tags=["operations"])

    @router.get("/healthz", response_model=Health, responses=errors(without=(401, 429)), summary="Alive")
    async def healthz() -> Health:
        """Answers as long as the process does; needs no token and asks no index."""
        return Health(status="ok")

    @router.get("/metrics", response_class=PlainTextResponse, responses=errors(), summary="Counters")
    async def show_metrics(service: Asked) -> PlainTextResponse:
        """Counters and times as Prometheus reads them."""
        job = service.jobs.newest
        gauges = {
            "fourfold_questions_waiting": ("Questions that run or wait.", float(service.waiting)),
            "fourfold_streams_open": ("Progress streams that are open.", float(service.streams)),
            "fourfold_indexing": (
                "1 while the index is refreshed.",
                float(job is not None and not job.finished.is_set()),
            ),
        }
        return PlainTextResponse(metrics.text(gauges), media_type=CONTENT_TYPE)

    return router
