"""The Evaluate page: reports that ``fourfold eval`` made of this index, their plots, what was missed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from markupsafe import Markup

from fourfold.evaluate import page
from fourfold.evaluate.stored import Listed, list_reports, load_report
from fourfold.interfaces.web.links import file_address

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.interfaces.http.service import Service
    from fourfold.interfaces.web.render import Renderer

_PLACE = re.compile(r"(.+):(\d+)-\d+")


def add_evaluate(router: APIRouter, service: Service, renderer: Renderer) -> None:
    """Add the page and its style."""

    @router.get("/evaluate")
    async def evaluate(report: Annotated[str, Query(max_length=40)] = "") -> Response:
        listed, chosen, body = await service.run(lambda index: _read(index, report))
        return renderer.page(
            "evaluate.html", nav="evaluate", title="Evaluate", listed=listed, chosen=chosen, body=Markup(body)
        )

    @router.get("/evaluate.css")
    async def style() -> Response:
        return Response(page.read("plots.css"), media_type="text/css", headers={"Cache-Control": "no-cache"})


def _read(index: Index, name: str) -> tuple[list[Listed], str, str]:
    """The stored reports, the one that is shown, and its inner page. Raises UsageError for an unknown one."""
    listed = list_reports(index.location)
    if not listed and not name:
        return [], "", ""
    chosen = name or listed[0].id
    return listed, chosen, page.body(load_report(index.location, chosen), place_address)


def place_address(place: str) -> str:
    """The page of a file at the line of ``path:1-9``."""
    match = _PLACE.fullmatch(place)
    return file_address(match[1], int(match[2])) if match else file_address(place)
