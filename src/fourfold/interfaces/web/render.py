"""Templates, and what all of them know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from fourfold.interfaces.cli.render import index_state
from fourfold.interfaces.cli.words import count, milliseconds, seconds, size
from fourfold.interfaces.web.answers import Start, start
from fourfold.interfaces.web.drawing import shortened
from fourfold.interfaces.web.links import address, crumbs, file_address, graph_address
from fourfold.interfaces.web.thread import earlier, thread_query
from fourfold.interfaces.web.times import ago, utc

if TYPE_CHECKING:
    from fourfold.interfaces.http.service import Service


class Renderer:
    """Fills the templates of this package."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._start: tuple[int, Start] | None = None
        self._environment = Environment(
            loader=PackageLoader("fourfold.interfaces.web"),
            autoescape=select_autoescape(default=True),
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(count=count, ms=milliseconds, seconds=seconds, size=size, ago=ago, utc=utc)
        self._environment.globals.update(
            address=address,
            crumbs=crumbs,
            file_address=file_address,
            graph_address=graph_address,
            earlier=earlier,
            index_state=index_state,
            shortened=shortened,
            service_name=service.name,
            thread_query=thread_query,
            guarded=bool(service.options.token),
            several=bool(service.options.services),
        )

    def page(self, template: str, *, code: int = 200, **values: object) -> HTMLResponse:
        """The response that a template makes of `values`."""
        return HTMLResponse(self.html(template, **values), status_code=code)

    def html(self, template: str, **values: object) -> str:
        """What a template makes of `values`."""
        return self._environment.get_template(template).render(**values)

    async def start(self) -> Start:
        """What the page shows to who has not asked yet; made once for a finished refresh."""
        job = self._service.jobs.newest
        number = job.id if job is not None and job.finished.is_set() else 0
        if self._start is None or not self._start[1].questions or (self._start[0] == 0 and number):
            self._start = (number, await self._service.run(start))
        return self._start[1]
