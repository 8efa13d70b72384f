"""What the routes share: the service, the filters of a query, how answers and errors are documented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

from fastapi import Depends, Query, Request
from fastapi.responses import JSONResponse

from fourfold.interfaces.http.schemas import Failure
from fourfold.interfaces.http.service import Service
from fourfold.model.errors import BadFilter
from fourfold.model.query import Filters

if TYPE_CHECKING:
    from fourfold.engine import Index

PREFIX = "/api/v1"

_MEANINGS = {
    400: "The request cannot be answered as it stands.",
    401: "A token is needed.",
    403: "A foreign page, a path outside the root, or a write that is not allowed.",
    404: "There is nothing there.",
    408: "It took too long.",
    409: "There is no index (yet), or one of another model.",
    413: "The body is too large.",
    414: "The address is too long.",
    421: "The server is not called by that name.",
    422: "A parameter is missing or of the wrong kind.",
    423: "Another process writes the index.",
    429: "Too many requests.",
    500: "A fault in fourfold, or a damaged index.",
    503: "Too many questions at once, or a model that cannot be reached.",
}


GUARDED = (400, 401, 403, 413, 414, 421, 429, 500)
"""What the guard may answer with on any route that needs a token."""
WORK = (408, 503)
"""What a route may answer with that has a thread do its work."""
ASKED = (*WORK, 409, 422)
"""What a route may answer with that asks the index and takes parameters."""


def errors(*statuses: int, without: tuple[int, ...] = ()) -> dict[int | str, dict[str, Any]]:
    """How a route's errors are documented: those that the guard may answer with, and `statuses`; `without` those that
    this route cannot have. tests/http/test_reachable.py provokes every one that stands here."""
    chosen = sorted({*GUARDED, *statuses} - {*without})
    return {status: {"model": Failure, "description": _MEANINGS[status]} for status in chosen}


def service_of(request: Request) -> Service:
    """The service of the application that a request came to."""
    return cast(Service, request.app.state.service)


Asked = Annotated[Service, Depends(service_of)]

Language = Annotated[
    list[str],
    Query(description="Only these languages; names and aliases (py, ts).", max_length=20, examples=[["python"]]),
]
Path = Annotated[list[str], Query(description="Only below these paths, or like these globs.", max_length=50)]
NotPath = Annotated[list[str], Query(description="Nothing below these paths or like these globs.", max_length=50)]
Kind = Annotated[list[str], Query(description="Only these kinds: function, class, method ...", max_length=20)]
Limit = Annotated[int, Query(description="Results at most.", ge=1, le=1000)]


ServiceName = Annotated[
    list[str], Query(alias="service", description="Only these services, where several are served.", max_length=100)
]


def among(index: Index, names: list[str]) -> Index:
    """The index of these services alone; as it is where none is named. Raises BadFilter where there are none."""
    from fourfold.engine.joined import JoinedIndex

    if not names:
        return index
    if not isinstance(index, JoinedIndex):
        raise BadFilter("this server serves one project, not services", hint="leave out the parameter service")
    return index.only(names)


def filters_of(
    language: Language = [],  # noqa: B006 (FastAPI copies defaults)
    path: Path = [],  # noqa: B006
    not_path: NotPath = [],  # noqa: B006
    kind: Kind = [],  # noqa: B006
) -> Filters:
    """The filters of a request; raises BadFilter for what does not exist."""
    from fourfold.rank.query_text import make_filters
    from fourfold.syntax.languages import resolve_language

    return make_filters(
        languages=language, paths=path, not_paths=not_path, kinds=kind, resolve_language=resolve_language
    )


Narrowed = Annotated[Filters, Depends(filters_of)]


def answered(found: Any) -> JSONResponse:
    """An answer as its ``to_dict`` has it."""
    return JSONResponse(found.to_dict())
