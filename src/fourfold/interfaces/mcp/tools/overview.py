"""``repository_overview``: what a repository is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.fence import code, plain
from fourfold.interfaces.mcp.reply import Answer, Entry, Reply, plain_dict, reply
from fourfold.model.counting import count
from fourfold.model.structure import OverviewResult, SymbolItem

if TYPE_CHECKING:
    from fourfold.interfaces.mcp.service import Service

MOST_FOLDERS = 12
MOST_SYMBOLS = 15
MOST_GROUPS = 8


def repository_overview(call: Call) -> Reply:
    """Each repository at a glance; the central symbols are the items."""
    services = call.workspace.chosen(call.arguments["service"])
    answers, notes = call.ask_each(services, lambda index, refresh: index.overview(refresh=refresh))
    several = len(answers) > 1
    parts, entries = [], []
    for service, found in answers:
        parts.append("\n".join(_lines(service, found, several)))
        entries += [_entry(item, service.name, several) for item in found.items[:MOST_SYMBOLS]]
    if entries:
        parts.append("## Central symbols")
    return reply(
        Answer(
            title="# Overview",
            query={"text": ""},
            metas=[(service.name, found.meta) for service, found in answers],
            entries=entries,
            lead="\n\n".join(parts),
            notes=[*notes, "Next: search_code with what you want to know."],
            extra={"services": [_data(service.name, found) for service, found in answers]},
            render=lambda shown: "\n".join(entry.block for entry in shown),
        ),
        call.arguments,
    )


def _lines(service: Service, found: OverviewResult, several: bool) -> list[str]:
    heading = [f"# {code(service.name)}"] if several else []
    tests = ", ".join(f"{count:,} {plain(name)}" for name, count in found.tests.items())
    edges = ", ".join(f"{count:,} {name}" for name, count in found.edges.items())
    return [
        *heading,
        f"**Languages**: {_counted(found.languages, 'language')}",
        f"**Folders**: {_counted(found.folders[:MOST_FOLDERS], 'folder', 'path')}",
        f"**Entry points**: {_places(found.entry_points) or 'none found'}",
        f"**Tests**: {tests or 'none found'}",
        f"**HTTP routes**: {found.routes:,}",
        f"**References**: {edges or 'none'}",
        *([f"**Documents**: {', '.join(code(path) for path in found.documents[:8])}"] if found.documents else []),
        *_groups(found.communities),
    ]


def _counted(rows: Sequence[Mapping[str, Any]], *names: str) -> str:
    shown = []
    for row in rows:
        name = next((str(row[key]) for key in names if key in row), "")
        numbers = ", ".join(
            f"{value:,} {key if value != 1 else key.removesuffix('s')}"
            for key, value in row.items()
            if isinstance(value, int)
        )
        shown.append(f"{code(name)} ({numbers})")
    return "; ".join(shown) or "none"


def _places(items: Sequence[SymbolItem]) -> str:
    return "; ".join(f"{code(item.symbol)} {code(item.location)}" for item in items[:10])


def _groups(communities: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = ["", "## Groups of code that belong together"] if communities else []
    for group in communities[:MOST_GROUPS]:
        names = ", ".join(code(str(name)) for name in list(group["symbols"])[:5])
        lines.append(f"- {code(str(group['folder']))}: {count(int(group['size']), 'symbol')}; {names}")
    return lines


def _entry(item: SymbolItem, service: str, several: bool) -> Entry:
    where = f"{code(service)} " if several else ""
    data = {key: value for key, value in plain_dict(_fields(item)).items() if value not in ("", [], 0.0)}
    return Entry(f"- {where}{code(item.symbol)} ({item.kind}) {code(item.location)}", {**data, "service": service})


def _fields(item: SymbolItem) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(item)


def _data(name: str, found: OverviewResult) -> dict[str, Any]:
    return {
        "service": name,
        "languages": found.languages,
        "folders": found.folders[:MOST_FOLDERS],
        "entry_points": [{"symbol": item.symbol, "location": item.location} for item in found.entry_points[:10]],
        "communities": found.communities[:MOST_GROUPS],
        "tests": found.tests,
        "routes": found.routes,
        "edges": found.edges,
        "documents": found.documents[:8],
    }
