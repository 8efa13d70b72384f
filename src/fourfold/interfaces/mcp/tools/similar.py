"""``find_similar``: code like the code at a line."""

from __future__ import annotations

from fourfold.interfaces.mcp.blocks import search_entry
from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.fence import code
from fourfold.interfaces.mcp.missing import path_reason
from fourfold.interfaces.mcp.reply import Answer, Reply, reply
from fourfold.model.counting import count
from fourfold.model.errors import BadQuery


def find_similar(call: Call) -> Reply:
    """Code of the same service that resembles a line's chunk."""
    asked = call.arguments
    service, path = call.workspace.locate(asked["file_path"])
    limit, offset = asked["limit"], call.offset
    wanted = call.wanted(limit)
    try:
        found = call.ask(
            service, lambda index, refresh: index.similar(path, asked["line"], limit=wanted, refresh=refresh)
        )
    except BadQuery as error:
        status = service.index().status_of(path)
        if status.status == "indexed":
            raise BadQuery(
                f"{path} has no code at line {asked['line']}", hint=f"it has {count(status.lines, 'line')}"
            ) from error
        raise BadQuery(
            f"{path} is not indexed because: {path_reason(status)}", hint="give a path that a result shows"
        ) from error
    several = len(call.workspace.services) > 1
    place = f"{path}:{asked['line']}"
    entries = [
        search_entry(item, rank, service.name, several)
        for rank, item in enumerate(found.items[offset : offset + limit + 1], offset + 1)
    ]
    return reply(
        Answer(
            title=f"# Code similar to {code(place)}",
            query={"text": found.query.text, "intent": "find_similar"},
            metas=[(service.name, found.meta)],
            entries=entries,
            offset=offset,
            limit=limit,
            lead="" if entries else "Nothing in this service resembles it enough to be worth showing.",
        ),
        asked,
    )
