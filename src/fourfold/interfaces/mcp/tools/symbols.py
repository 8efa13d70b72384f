"""``find_symbol``: definitions by name."""

from __future__ import annotations

from fourfold.interfaces.mcp.blocks import symbol_entry
from fourfold.interfaces.mcp.call import Call, filters_of, interleaved
from fourfold.interfaces.mcp.fence import code
from fourfold.interfaces.mcp.missing import nothing
from fourfold.interfaces.mcp.reply import Answer, Reply, reply

EXACT_LIMIT = 20
LIMIT = 50


def find_symbol(call: Call) -> Reply:
    """Definitions that a name meets: at most 20 with `exact`, else at most 50."""
    asked = call.arguments
    filters = filters_of({}, asked["symbol_type"] or "")
    services = call.workspace.chosen(asked["service"])
    limit = EXACT_LIMIT if asked["exact"] else LIMIT
    answers, notes = call.ask_each(
        services,
        lambda index, refresh: index.symbol(
            asked["name"], exact=asked["exact"], limit=limit, filters=filters, refresh=refresh
        ),
    )
    merged = interleaved([[(service, item) for item in found.items] for service, found in answers])[:limit]
    several = len(call.workspace.services) > 1
    offset = call.offset
    entries = [
        symbol_entry(item, rank, service.name, several)
        for rank, (service, item) in enumerate(merged[offset:], offset + 1)
    ]
    if any(found.meta.truncated for _, found in answers):
        notes.append(f"More than {limit} definitions fit; give a longer or qualified name, or a symbol_type.")
    near = [name for _, found in answers for name in found.near]
    return reply(
        Answer(
            title=f"# Definitions of {code(asked['name'][:200])}",
            query={"text": asked["name"], "exact": asked["exact"]},
            metas=[(service.name, found.meta) for service, found in answers],
            entries=entries,
            offset=offset,
            lead="" if merged else "\n".join(nothing(call, services, code(asked["name"][:200]), near)),
            notes=notes,
            extra={"near": near},
        ),
        asked,
    )
