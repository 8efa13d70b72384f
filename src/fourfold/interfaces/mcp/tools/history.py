"""``search_history``: commits by what they say and touch."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from fourfold.interfaces.mcp.call import Call, interleaved
from fourfold.interfaces.mcp.fence import code, plain
from fourfold.interfaces.mcp.reply import Answer, Entry, Reply, reply

if TYPE_CHECKING:
    from fourfold.engine.history import HistoryItem

FILES_SHOWN = 6


def search_history(call: Call) -> Reply:
    """The commits that answer a question best, of one service or of all."""
    asked = call.arguments
    services = call.workspace.chosen(asked["service"])
    wanted = call.wanted(asked["limit"])
    answers, notes = call.ask_each(services, lambda index, refresh: index.history(asked["query"], wanted, refresh=True))
    merged = interleaved([[(service.name, item) for item in found.items] for service, found in answers])
    several = len(call.workspace.services) > 1
    offset = call.offset
    entries = [
        _entry(item, rank, name, several)
        for rank, (name, item) in enumerate(merged[offset : offset + asked["limit"] + 1], offset + 1)
    ]
    return reply(
        Answer(
            title=f"# Commits for {code(asked['query'][:200])}",
            query={"text": asked["query"]},
            metas=[(service.name, found.meta) for service, found in answers],
            entries=entries,
            offset=offset,
            limit=asked["limit"],
            lead="" if entries else "No commit says or touches that; ask in other words, or name a file.",
            notes=notes,
        ),
        asked,
    )


def _entry(item: HistoryItem, rank: int, service: str, several: bool) -> Entry:
    """One commit."""
    lines = [f"### {rank}. {code(item.commit[:12])} {plain(item.subject)}"]
    where = f"**Service**: {plain(service)} | " if several else ""
    lines.append(f"{where}**Date**: {item.date[:10]} | **Author**: {plain(item.author)}")
    if item.snippet:
        lines.append(plain(item.snippet, 500))
    shown = ", ".join(code(path) for path in item.files[:FILES_SHOWN])
    more = (
        f" and {item.files_total - min(len(item.files), FILES_SHOWN):,} more" if item.files_total > FILES_SHOWN else ""
    )
    if shown:
        lines.append(f"**Files**: {shown}{more}")
    return Entry("\n".join(lines), {**asdict(item), "rank": rank, "service": service})
