"""Who refers to whom, as text: sure references first, possible ones apart, each with its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from fourfold.interfaces.cli.render import View
from fourfold.interfaces.cli.structure import head_lines
from fourfold.interfaces.cli.structure_rows import GAP, Row, called, heading, named, place_of, places
from fourfold.interfaces.cli.words import count
from fourfold.model.structure import ImpactResult, SymbolItem, UsageItem, UsageResult

SUBJECTS = 3
"""Definitions of one name that are listed above the answer; more are counted."""
PHRASES = {
    "callers": "callers of",
    "callees": "called by",
    "inherits": "bases of",
    "inheritors": "what inherits from",
    "imports": "imported by",
    "importers": "importers of",
    "tests": "tests of",
    "overrides": "overrides of",
    "uses": "uses of",
}
NOTHING = {
    "callers": "nothing calls {}",
    "callees": "{} calls nothing that is known here",
    "inherits": "{} inherits from nothing",
    "inheritors": "nothing inherits from {}",
    "imports": "{} imports nothing of this repository",
    "importers": "nothing imports {}",
    "tests": "no test is known to reach {}",
    "overrides": "{} overrides nothing and is overridden by nothing",
    "uses": "nothing refers to {}",
}
"""What is said where a symbol is known and nothing was found in a direction."""
OUTGOING = frozenset({"callees", "inherits", "imports"})
WHOSE_UNKNOWN = "whose it is, the source does not tell"
THROUGH = "called through {}, which it overrides"
LED_NOWHERE = "calls that lead to no definition here"


def usage_lines(result: UsageResult, view: View) -> list[str]:
    """The lines of an answer to ``refs``."""
    direction = str(result.query["direction"])
    name = str(result.query["text"])
    said = [f"{PHRASES[direction]} {name}", _counted(result)]
    lines = head_lines(said, result.meta, view)
    lines += subjects(result.symbols, view)
    outgoing = direction in OUTGOING
    several = len({item.symbol for item in result.symbols}) > 1
    lines += places(_rows(result.items, several, outgoing), view)
    unknown, through = _through_bases(result)
    lines += _possible(unknown, view, outgoing, blank=bool(result.items))
    for base, items in through.items():
        lines += [""] if result.items or unknown else []
        lines.append(heading(f"possible: {THROUGH.format(base)}", view))
        lines += places(_rows(items, False, outgoing), view)
    return lines


def impact_lines(result: ImpactResult, view: View) -> list[str]:
    """The lines of an answer to ``impact``: by the number of steps, nearest first."""
    outgoing = result.query["direction"] == "callees"
    verb = "rests on" if outgoing else "reaches"
    reached = sum(result.by_depth.values())
    said = [
        f"{result.query['text']} {verb} {count(reached, 'symbol')} in {count(result.files, 'file')}",
        f"{result.unsure:,} of them by name alone" if result.unsure else "",
        f"{len(result.possible):,} more possible" if result.possible else "",
        count(result.tests, "test") if result.tests else "",
    ]
    lines = head_lines(said, result.meta, view)
    lines += subjects(result.symbols, view)
    for depth, group in groupby(result.items, key=lambda item: item.depth):
        below = list(group)
        total = result.by_depth.get(str(depth), len(below))
        shown = "" if total == len(below) else f", {len(below):,} shown"
        lines.append(heading(f"{count(depth, 'step')}: {total:,}{shown}", view))
        lines += places(_rows(below, True, outgoing), view)
        lines.append("")
    lines += _possible(result.possible, view, False, blank=False)
    return lines[:-1] if lines and not lines[-1] else lines


def subjects(symbols: Sequence[SymbolItem], view: View) -> Iterator[str]:
    """What the name stands for."""
    for item in symbols[:SUBJECTS]:
        place = view.terminal.link(
            view.terminal.style("path", place_of(item, view)), view.root / item.path, item.start_line
        )
        name = view.terminal.style("symbol", called(item.symbol, item.kind))
        yield GAP.join((name, view.terminal.style("dim", item.kind), place))
    if len(symbols) > SUBJECTS:
        yield heading(f"and {count(len(symbols) - SUBJECTS, 'definition')} more of this name", view)
    if symbols:
        yield ""


def rows_of(items: Iterable[UsageItem], *, outgoing: bool) -> list[Row]:
    """Usages as rows, as a section of another answer shows them."""
    return list(_rows(items, False, outgoing))


def _rows(items: Iterable[UsageItem], several: bool, outgoing: bool) -> Iterator[Row]:
    """Usages as rows: of incoming ones where they stand, of outgoing ones where they lead."""
    for item in items:
        notes = [] if item.confidence in ("resolved", "unresolved") else [item.confidence]
        if item.relation == "overrides" and not outgoing:
            notes.append("overrides")
        name = called(item.symbol, item.kind) or ("(file)" if item.kind == "file" else "")
        if outgoing and item.start_line:
            # What is looked for is the definition that it leads to; the line of the call is in the file asked about.
            notes.append(f"line {item.line}")
            yield Row(item.path, item.start_line, name, " ".join(notes), item.text, named(item.text, item.symbol))
            continue
        if several and item.via:
            notes.append(f"→ {item.via.rpartition('/')[2]}")
        yield Row(item.at or item.path, item.line, name, " ".join(notes), item.text, named(item.text, item.via))


def _possible(items: Sequence[UsageItem], view: View, outgoing: bool, *, blank: bool) -> list[str]:
    if not items:
        return []
    lines = [""] if blank else []
    lines.append(heading(f"possible: {LED_NOWHERE if outgoing else WHOSE_UNKNOWN}", view))
    lines += places(_rows(items, False, outgoing), view)
    return lines


def _through_bases(result: UsageResult) -> tuple[list[UsageItem], dict[str, list[UsageItem]]]:
    """Possible references: those of the name asked for, and calls of the methods that it overrides, by method."""
    own = {item.symbol for item in result.symbols}
    unknown: list[UsageItem] = []
    through: dict[str, list[UsageItem]] = {}
    for item in result.possible:
        if own and item.via and item.via not in own and result.query["direction"] not in OUTGOING:
            through.setdefault(item.via, []).append(item)
        else:
            unknown.append(item)
    return unknown, through


def _counted(result: UsageResult) -> str:
    """How many references there are; possible ones are only shown, and so counted, after all that are sure."""
    items, possible, dropped = result.items, result.possible, result.meta.dropped
    files = len({item.at or item.path for item in items})
    sure = f"{count(len(items), 'place')} in {count(files, 'file')}" if items else "none for sure"
    if not possible:
        return f"{sure}, {dropped:,} more" if dropped else sure
    return f"{sure}, {len(possible) + dropped:,} possible"
