"""``analyze_impact``: what a change of a symbol reaches."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from fourfold.interfaces.mcp.blocks import grouped
from fourfold.interfaces.mcp.call import Call, interleaved
from fourfold.interfaces.mcp.fence import code
from fourfold.interfaces.mcp.missing import nothing
from fourfold.interfaces.mcp.reply import Answer, Entry, Reply, plain_dict, reply
from fourfold.model.counting import count
from fourfold.model.structure import ImpactResult, UsageItem

if TYPE_CHECKING:
    from fourfold.interfaces.mcp.service import Service

PAGE = 100
"""Places on one page; the budget usually ends it earlier."""


def analyze_impact(call: Call) -> Reply:
    """What lies within so many steps, nearest first, in every service that knows the symbol."""
    asked = call.arguments
    services = call.workspace.services
    wanted = call.wanted(PAGE)
    answers, notes = call.ask_each(
        services,
        lambda index, refresh: index.impact(
            asked["symbol"], direction=asked["direction"], depth=asked["depth"], limit=wanted, refresh=refresh
        ),
    )
    rows: list[tuple[Service, UsageItem, str]] = interleaved(
        [[(service, item, _steps(item)) for item in found.items] for service, found in answers]
    )
    rows.sort(key=lambda row: row[1].depth)
    for service, found in answers:
        rows += [(service, item, "Possible (the source does not tell whose they are)") for item in found.possible]
    several = len(services) > 1
    offset = call.offset
    entries = [
        _entry(service, item, group, rank, several)
        for rank, (service, item, group) in enumerate(rows[offset : offset + PAGE + 1], offset + 1)
    ]
    near = [name for _, found in answers for name in found.near]
    known = any(found.symbols for _, found in answers)
    lead = "\n".join(_summary(service, found, asked["direction"]) for service, found in answers if found.symbols)
    if not known and not rows:
        lead = "\n".join(nothing(call, services, code(asked["symbol"][:200]), near))
    return reply(
        Answer(
            title=f"# Impact of {code(asked['symbol'][:200])} ({asked['direction']}, up to {asked['depth']} steps)",
            query={"text": asked["symbol"], "direction": asked["direction"], "depth": asked["depth"]},
            metas=[(service.name, found.meta) for service, found in answers],
            entries=entries,
            offset=offset,
            limit=PAGE,
            lead=lead,
            notes=notes,
            extra={
                "near": near,
                "summary": [
                    {
                        "service": service.name,
                        "definitions": [f"{item.symbol} {item.location}" for item in found.symbols[:10]],
                        "by_depth": found.by_depth,
                        "files": found.files,
                        "tests": found.tests,
                        "possible": len(found.possible),
                    }
                    for service, found in answers
                ],
            },
            render=lambda shown: grouped(shown, "\n"),
        ),
        asked,
    )


def _steps(item: UsageItem) -> str:
    return "1 step away" if item.depth == 1 else f"{item.depth} steps away"


def _summary(service: Service, found: ImpactResult, direction: str) -> str:
    defined = ", ".join(f"{code(item.symbol)} {code(item.location)}" for item in found.symbols[:5])
    depths = ", ".join(f"{count:,} at step {depth}" for depth, count in found.by_depth.items())
    does = "Reaches" if direction == "callers" else "Rests on"
    total = sum(found.by_depth.values())
    symbols = count(total, "symbol")
    reach = (
        f"{does} {symbols} in {found.files:,} {'file' if found.files == 1 else 'files'} ({depths})"
        if total
        else (f"{does} nothing that the graph knows of; find_usages also finds the bare name")
    )
    tests = f"; {found.tests:,} of them {'is a test' if found.tests == 1 else 'are tests'}" if found.tests else ""
    possible = f"; {len(found.possible):,} possible" if found.possible else ""
    return f"{service.name}: {defined}\n{reach}{tests}{possible}."


def _entry(service: Service, item: UsageItem, group: str, rank: int, several: bool) -> Entry:
    where = f"{code(service.name)} " if several else ""
    name = code(item.symbol or item.path.rsplit("/", 1)[-1])
    via = f" via {code(item.via)}" if item.via and item.depth > 1 else ""
    sure = "" if item.confidence == "resolved" else f" [{item.confidence}]"
    test = " [test]" if item.is_test else ""
    block = f"- {where}{name} ({item.kind}) {code(item.location)} {item.relation}{via}{sure}{test}"
    data = {key: value for key, value in plain_dict(asdict(item)).items() if value != ""}
    data.update(rank=rank, service=service.name, possible=group.startswith("Possible"))
    return Entry(block, data, group)
