"""What to say where nothing was found: never that it does not exist, but what was looked at and what was not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.fence import code
from fourfold.interfaces.mcp.service import Service
from fourfold.model.errors import FourfoldError
from fourfold.model.report import PathStatus

MAX_NEAR = 8


def nothing(call: Call, services: Sequence[Service], what: str, near: Iterable[str] = ()) -> list[str]:
    """Lines for an answer without results: near names, paths that are not indexed, and what is left out."""
    lines = [f"Nothing found for {what}. That is no proof that it does not exist:"]
    close = list(dict.fromkeys(near))[:MAX_NEAR]
    if close:
        lines.append(f"- near names: {', '.join(code(name) for name in close)}")
    path = call.arguments.get("path")
    for service in services:
        lines.extend(_of_service(service, path))
    return lines


def path_reason(status: PathStatus) -> str:
    """Why a path is not indexed, as a sentence's end."""
    detail = f" ({status.detail})" if status.detail else ""
    return f"{status.reason or status.status}{detail}"


def _of_service(service: Service, path: str | None) -> list[str]:
    from fourfold.source.found import DIRECTORY

    lines = []
    try:
        index = service.index()
        if path and not set("*?[").intersection(path):
            status = index.status_of(path)
            if status.status != "indexed" and status.reason != DIRECTORY:
                lines.append(f"- {service.name}: {code(path)} is not indexed because: {path_reason(status)}")
        state = index.status()
    except FourfoldError as error:
        return [*lines, f"- {service.name}: {error.message}"]
    skipped = ", ".join(f"{count:,} {reason}" for reason, count in sorted(state.skipped.items(), key=_by_count)[:5])
    left_out = f"; not indexed: {skipped}" if skipped else ""
    lines.append(f"- {service.name}: searched {state.files:,} indexed files{left_out}")
    lines.append("- index_status with a path says whether and why a file is not indexed")
    return lines


def _by_count(item: tuple[str, int]) -> int:
    return -item[1]
