"""``find_usages``: the places that refer to a symbol."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from fourfold.interfaces.mcp.blocks import grouped, shown_lines
from fourfold.interfaces.mcp.call import Call, interleaved
from fourfold.interfaces.mcp.excerpt import around
from fourfold.interfaces.mcp.fence import Line, code, fenced
from fourfold.interfaces.mcp.missing import nothing
from fourfold.interfaces.mcp.reply import Answer, Entry, Reply, plain_dict, reply
from fourfold.model.errors import FourfoldError
from fourfold.model.structure import SymbolItem, UsageItem, UsageResult

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.interfaces.mcp.service import Service

ASKED = 500
"""References looked at before they are put together by the place that holds them."""
SURE = "References"
POSSIBLE = "Possible references (the source does not tell whose they are)"
MODULE = "Files that import the module it is defined in"
TEXT = "Further places where the name stands (found as a word; it may mean something else)"


@dataclass(slots=True)
class Place:
    """References of one symbol (or file) to the one asked about; `first` is shown, `lines` are all of them."""

    first: UsageItem
    group: str
    lines: list[int] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The file of the reference."""
        return self.first.at or self.first.path


def find_usages(call: Call) -> Reply:
    """References by the graph; where it knows none, the places where the name stands as a word."""
    asked = call.arguments
    name = asked["symbol_name"]
    services = call.workspace.chosen(asked["service"])
    answers, notes = call.ask_each(services, lambda index, refresh: _usages(index, name, refresh))
    lists = [_places(found) for _, found in answers]
    if not any(place.group != MODULE for places in lists for place in places) or re.fullmatch(r"\w+", name.strip()):
        # References that the graph misses still have the bare name; of a qualified one it says too little.
        for (service, found), places in zip(answers, lists, strict=True):
            places += _as_words(service, found, {(place.path, line) for place in places for line in place.lines})
    merged = interleaved(
        [[(service, place) for place in places] for (service, _), places in zip(answers, lists, strict=True)]
    )
    merged.sort(key=lambda pair: (SURE, POSSIBLE, TEXT, MODULE).index(pair[1].group))
    several = len(call.workspace.services) > 1
    moved_on = {service.name for service, found in answers if found.meta.stale}
    offset, limit = call.offset, asked["limit"]
    entries = [
        _entry(service, place, rank, several, service.name in moved_on)
        for rank, (service, place) in enumerate(merged[offset : offset + limit + 1], offset + 1)
    ]
    count = sum(place.group != MODULE for _, place in merged)
    near = [close for _, found in answers for close in found.near]
    definitions = [item for _, found in answers for item in found.symbols]
    lead = _definitions(definitions) if merged else "\n".join(nothing(call, services, code(name[:200]), near))
    return reply(
        Answer(
            title=f"# Usages of {code(name[:200])} ({count:,} {'place' if count == 1 else 'places'})",
            query={"text": name, "direction": "uses"},
            metas=[(service.name, found.meta) for service, found in answers],
            entries=entries,
            offset=offset,
            limit=limit,
            lead=lead,
            notes=notes,
            extra={"near": near, "definitions": [plain_dict(_brief(item)) for item in definitions[:10]]},
            render=grouped,
        ),
        asked,
    )


def _usages(index: Index, name: str, refresh: bool) -> UsageResult:
    return index.usages(name, direction="uses", limit=ASKED, refresh=refresh)


def _places(found: UsageResult) -> list[Place]:
    """References put together by what holds them: uses before imports, code before tests."""
    word = _last_part(found.query["text"])
    places: dict[tuple[str, str, str], Place] = {}
    for group, items in ((SURE, found.items), (POSSIBLE, found.possible)):
        for item in items:
            # An import of the whole module says little of one of its names.
            shown = MODULE if item.relation == "imports" and word not in item.text else group
            key = (shown, item.at or item.path, item.symbol)
            place = places.setdefault(key, Place(item, shown))
            place.lines.append(item.line)
    return sorted(places.values(), key=lambda place: (place.first.relation == "imports", place.first.is_test))


def _last_part(name: str) -> str:
    """``save`` of ``Model.save``."""
    return re.split(r"[.:#>\s]+", name.strip())[-1]


def _as_words(service: Service, found: UsageResult, known: set[tuple[str, int]]) -> list[Place]:
    """Other lines that hold the last part of the name as a word, the definitions themselves left out."""
    word = _last_part(found.query["text"])
    if not word:
        return []
    known = known | {(item.path, item.start_line) for item in found.symbols}
    try:
        lines = service.index().grep(word, literal=True, word=True, limit=ASKED, refresh=False).items
    except FourfoldError:
        return []
    places: dict[str, Place] = {}
    for line in lines:
        if (line.path, line.line) in known:
            continue
        item = UsageItem(
            line.path, line.line, line.text.strip(), "", "file", line.line, line.line, line.language, "text", "text"
        )
        places.setdefault(line.path, Place(item, TEXT)).lines.append(line.line)
    return list(places.values())


def _entry(service: Service, place: Place, rank: int, several: bool, moved_on: bool) -> Entry:
    item = place.first
    lines = _context(service, place, moved_on)
    where = f"**Service**: {code(service.name)} | " if several else ""
    more = sorted(set(place.lines) - {item.line})
    also = f" | also lines {', '.join(map(str, more[:12]))}{' ...' if len(more) > 12 else ''}" if more else ""
    block = [
        f"### {rank}. {code(item.symbol or place.path.rsplit('/', 1)[-1])} ({item.kind}) - {item.relation}",
        f"**Location**: {code(f'{place.path}:{item.line}')}{also}",
        f"{where}**Confidence**: {item.confidence}{' | test code' if item.is_test else ''}",
        fenced(lines, item.language),
    ]
    data = {key: value for key, value in plain_dict(asdict(item)).items() if value != ""}
    data.update(rank=rank, service=service.name, lines=sorted(set(place.lines)), **shown_lines(lines))
    return Entry("\n".join(block), data, place.group)


def _context(service: Service, place: Place, moved_on: bool) -> list[Line]:
    """The lines around the first reference, as they are in the tree; where that has `moved_on` from the index perhaps
    the line alone."""
    item = place.first
    try:
        lines = _read(service, place.path) if moved_on else service.index().indexed_lines(place.path)
    except (FourfoldError, OSError):
        lines = []
    if 0 < item.line <= len(lines) and lines[item.line - 1].strip().startswith(item.text[:40]):
        return around(lines, item.line)
    return [(item.line, item.text)]


def _read(service: Service, path: str) -> list[str]:
    """The lines of a file as they are in the tree, none where it cannot be read."""
    text = service.index().read(path).text
    return text.split("\n") if text is not None else []


def _definitions(items: Sequence[SymbolItem]) -> str:
    if not items:
        return ""
    shown = ", ".join(f"{code(item.symbol)} {code(item.location)}" for item in items[:5])
    more = f" and {len(items) - 5:,} more" if len(items) > 5 else ""
    return f"Defined: {shown}{more}"


def _brief(item: SymbolItem) -> dict[str, object]:
    return {
        "symbol": item.symbol,
        "kind": item.kind,
        "path": item.path,
        "start_line": item.start_line,
        "end_line": item.end_line,
    }
