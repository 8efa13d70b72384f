"""``search_code``: any question."""

from __future__ import annotations

from fourfold.interfaces.mcp.blocks import search_entry
from fourfold.interfaces.mcp.call import Call, filters_of
from fourfold.interfaces.mcp.fence import code
from fourfold.interfaces.mcp.missing import nothing
from fourfold.interfaces.mcp.reply import Answer, Reply, reply
from fourfold.interfaces.mcp.service import Service
from fourfold.model.errors import FourfoldError
from fourfold.model.result import ResultItem

SHORT = 3
"""Lines of a result below which the lines that follow are shown as well: a head without a body says nothing."""
FOLLOWING = 12


def search_code(call: Call) -> Reply:
    """The best places for a question, of one service or of all."""
    asked = call.arguments
    filters = filters_of(asked, asked["kind"] or "")
    services = call.workspace.chosen(asked["service"])
    wanted = call.wanted(asked["limit"])
    ask = call.ask_joined if len(services) > 1 else call.ask_each
    answers, notes = ask(
        services, lambda index, refresh: index.search(asked["query"], limit=wanted, filters=filters, refresh=refresh)
    )
    by_name = {service.name: service for service, _ in answers}
    first = answers[0][1]
    merged = [(by_name.get(item.service, answers[0][0]), item) for item in first.items]
    several = len(call.workspace.services) > 1
    offset = call.offset
    files = [(service.name, item.path) for service, item in merged]
    entries = [
        search_entry(
            item, rank, service.name, several, _longer(service, item), again=files[rank - 1] in files[: rank - 1]
        )
        for rank, (service, item) in enumerate(merged[offset : offset + asked["limit"] + 1], offset + 1)
    ]
    understood = f"read as {first.query.intent} {first.query.confidence:.2f}, {first.meta.fusion_strategy}"
    beside = list(dict.fromkeys(found.meta.suggestion for _, found in answers if found.meta.suggestion))
    notes += [] if entries else beside
    lead = "\n".join(beside if entries else nothing(call, services, code(asked["query"][:200])))
    return reply(
        Answer(
            title=f"# Results for {code(asked['query'][:200])} ({understood})",
            query={
                "text": asked["query"],
                "intent": first.query.intent,
                "confidence": first.query.confidence,
                "identifiers": list(first.query.identifiers),
            },
            metas=[(service.name, found.meta) for service, found in answers],
            entries=entries,
            offset=offset,
            limit=asked["limit"],
            lead=lead,
            notes=notes,
        ),
        asked,
    )


def _longer(service: Service, item: ResultItem) -> str:
    """The code of a very short result with the lines behind it, "" where it is long enough or the file moved on."""
    lines = item.snippet.split("\n")
    if len(lines) >= SHORT:
        return ""
    try:
        text = service.index().read(item.path).text or ""
    except (FourfoldError, OSError):
        return ""
    found = text.split("\n")[item.start_line - 1 : item.end_line + FOLLOWING]
    return "\n".join(found) if found[: len(lines)] == lines else ""
