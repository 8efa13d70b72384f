"""Templates, and what all of them know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from fourfold.interfaces.cli.render import index_state
from fourfold.interfaces.cli.words import count, milliseconds, seconds, size
from fourfold.interfaces.web.answers import examples
from fourfold.interfaces.web.links import address, crumbs, file_address, graph_address

if TYPE_CHECKING:
    from fourfold.interfaces.http.service import Service


class Renderer:
    """Fills the templates of this package."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._examples: tuple[int, tuple[str, ...]] | None = None
        self._environment = Environment(
            loader=PackageLoader("fourfold.interfaces.web"),
            autoescape=select_autoescape(default=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(count=count, ms=milliseconds, seconds=seconds, size=size)
        self._environment.globals.update(
            address=address,
            crumbs=crumbs,
            file_address=file_address,
            graph_address=graph_address,
            index_state=index_state,
            service_name=service.name,
            guarded=bool(service.options.token),
        )

    def page(self, template: str, *, code: int = 200, **values: object) -> HTMLResponse:
        """The response that a template makes of `values`."""
        return HTMLResponse(self._environment.get_template(template).render(**values), status_code=code)

    async def examples(self) -> tuple[str, ...]:
        """Questions for who has not asked yet; made once for a finished refresh."""
        job = self._service.jobs.newest
        number = job.id if job is not None and job.finished.is_set() else 0
        if self._examples is None or (self._examples[0] == 0 and number):
            found = await self._service.run(examples)
            self._examples = (number, found)
        return self._examples[1]
