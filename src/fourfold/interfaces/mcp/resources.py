"""Resources: a file as text, and the overview."""

from __future__ import annotations

from urllib.parse import unquote

from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.missing import path_reason
from fourfold.model.errors import BadQuery

FILE_URI = "fourfold://file/"
FILE_TEMPLATE = "fourfold://file/{+path}"
OVERVIEW_URI = "fourfold://overview"


def read_resource(call: Call, uri: str) -> tuple[str, str]:
    """Text and media type of a resource. Raises BadQuery where there is none, PathOutsideRoot."""
    if uri.rstrip("/") == OVERVIEW_URI:
        from fourfold.interfaces.mcp.tools.overview import repository_overview

        call.arguments = {"service": None, "max_tokens": None}
        return repository_overview(call).text, "text/markdown"
    if not uri.startswith(FILE_URI):
        raise BadQuery(f"there is no resource {uri[:200]}", hint=f"there are {OVERVIEW_URI} and {FILE_TEMPLATE}")
    service, path = call.workspace.locate(unquote(uri.removeprefix(FILE_URI)))
    file = service.index().read(path)
    if file.text is None:
        raise BadQuery(f"{path} cannot be read: {path_reason(file.status)}", hint="index_status says more")
    return file.text, "text/plain"
