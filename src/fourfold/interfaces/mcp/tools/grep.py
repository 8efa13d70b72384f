"""``grep_code``: every line that holds a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fourfold.interfaces.mcp.call import Call, filters_of
from fourfold.interfaces.mcp.fence import Line, clean, code, fenced
from fourfold.interfaces.mcp.missing import nothing
from fourfold.interfaces.mcp.reply import Answer, Entry, Reply, reply
from fourfold.model.errors import BadPattern
from fourfold.model.result import GrepLine


def grep_code(call: Call) -> Reply:
    """Matching lines in path order, one service after the other."""
    asked = call.arguments
    filters = filters_of(asked)
    services = call.workspace.chosen(asked["service"])
    limit, offset = asked["limit"], call.offset
    wanted = call.wanted(limit)
    try:
        answers, notes = call.ask_each(
            services,
            lambda index, refresh: index.grep(
                asked["pattern"],
                literal=not asked["regex"],
                ignore_case=asked["ignore_case"],
                filters=filters,
                limit=wanted,
                refresh=refresh,
            ),
        )
    except BadPattern as error:
        raise BadPattern(
            error.message, hint="search the text itself with regex=false", position=error.position
        ) from error
    rows = [(service.name, item) for service, found in answers for item in found.items]
    several = len(call.workspace.services) > 1
    entries = [_entry(name, item, several) for name, item in rows[offset : offset + limit + 1]]
    # The page ends where this call was told to end: only a cut inside it (a time limit) is to be told of.
    metas = [
        (
            service.name,
            replace(found.meta, dropped=0, truncated=len(found.items) >= wanted or found.meta.truncated),
        )
        for service, found in answers
    ]
    notes += [found.meta.suggestion for _, found in answers if found.meta.suggestion]
    return reply(
        Answer(
            title=f"# Lines with {code(asked['pattern'][:200])}",
            query={"text": asked["pattern"], "intent": "exact_match", "regex": asked["regex"]},
            metas=metas,
            entries=entries,
            offset=offset,
            limit=limit,
            lead="" if entries else "\n".join(nothing(call, services, code(asked["pattern"][:200]))),
            notes=notes,
            render=_by_file,
        ),
        asked,
    )


def _entry(service: str, item: GrepLine, several: bool) -> Entry:
    data = {
        "path": item.path,
        "line": item.line,
        "column": item.column,
        "snippet": clean(item.text),
        "language": item.language,
        "service": service,
    }
    group = f"{service}/{item.path}" if several else item.path
    return Entry(clean(item.text), data, group)


def _by_file(entries: Sequence[Entry]) -> str:
    """A fence for the lines of each file."""
    files: dict[str, list[Entry]] = {}
    for entry in entries:
        files.setdefault(entry.group, []).append(entry)
    return "\n".join(
        f"{code(path)}\n{fenced(_lines(found), str(found[0].data['language']))}" for path, found in files.items()
    )


def _lines(entries: Sequence[Entry]) -> list[Line]:
    """Each line once: a line with several matches is one."""
    kept: dict[int, str] = {entry.data["line"]: entry.block for entry in entries}
    return sorted(kept.items())
