"""A file as the page shows it: outline, coloured lines, usages of the symbol that is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from fourfold.interfaces.cli.snippet import marker
from fourfold.interfaces.http import reading
from fourfold.interfaces.http.answers import FileResult, Neighbour
from fourfold.interfaces.web.cards import GRAPHED
from fourfold.interfaces.web.highlight import line_html, tokens
from fourfold.interfaces.web.links import address, editor_address, file_address, graph_address
from fourfold.model.result import Meta

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.model.structure import SymbolItem

WINDOW = 3000
"""Lines of a file on one page: more take a browser long to lay out."""
AROUND = 12
"""Lines of context before and after a result in the preview."""
MOST_PREVIEWED = 160


@dataclass(frozen=True, slots=True)
class Entry:
    """A symbol in the outline, `depth` levels deep."""

    item: SymbolItem
    depth: int
    url: str
    on: bool


@dataclass(frozen=True, slots=True)
class FileView:
    """A file, ready to be shown. `lines` are (number, HTML, part of the chosen symbol)."""

    file: FileResult
    meta: Meta
    lines: tuple[tuple[int, Markup, bool], ...]
    outline: tuple[Entry, ...]
    chosen: SymbolItem | None
    uses: tuple[Neighbour, ...]
    uses_total: int
    editor_url: str
    graph_url: str
    earlier_url: str
    later_url: str


@dataclass(frozen=True, slots=True)
class LinesView:
    """Some lines of a file, those of the result told apart."""

    path: str
    start: int
    end: int
    lines: tuple[tuple[int, Markup, bool], ...]
    file_url: str
    editor_url: str


def view_file(index: Index, path: str, symbol: str, at: int, start: int, editor: str) -> FileView:
    """A file, or a window of a very long one around the symbol chosen or the line `start`."""
    whole = reading.read_file(index, path)
    chosen = _chosen(whole, symbol, at)
    first, last = _window(whole, start or (chosen.start_line if chosen else 1))
    coloured = tokens(whole.text, whole.language)
    inside = range(chosen.start_line, chosen.end_line + 1) if chosen else range(0)
    lines = tuple((number, line_html(coloured[number - 1]), number in inside) for number in range(first, last + 1))
    found: list[Neighbour] = []
    total = 0
    if chosen is not None:
        found, total = reading.uses(index, whole.path, chosen.symbol, chosen.start_line)
    here = file_address(whole.path)
    return FileView(
        file=whole,
        meta=whole.meta,
        lines=lines,
        outline=_outline(whole, chosen),
        chosen=chosen,
        uses=tuple(found),
        uses_total=total,
        editor_url=editor_address(editor, index.root, whole.path, chosen.start_line if chosen else 1),
        graph_url=graph_address(chosen.symbol, whole.path, chosen.start_line)
        if chosen is not None and chosen.kind in GRAPHED
        else "",
        earlier_url=address(here, {"start": max(first - WINDOW, 1)}) if first > 1 else "",
        later_url=address(here, {"start": last + 1}) if last < whole.lines else "",
    )


def view_lines(index: Index, path: str, start: int, end: int, question: str, editor: str) -> LinesView:
    """The lines of a result and some around them."""
    first = max(start - AROUND, 1)
    last = min(end + AROUND, first + MOST_PREVIEWED)
    found = reading.read_file(index, path, first, last)
    marks = marker(question)
    lines = tuple(
        (number, line_html(parts, marks), start <= number <= end)
        for number, parts in enumerate(tokens(found.text, found.language), first)
    )
    return LinesView(
        found.path,
        found.start_line,
        found.end_line,
        lines,
        file_address(found.path, start),
        editor_address(editor, index.root, found.path, start),
    )


def _chosen(file: FileResult, symbol: str, at: int) -> SymbolItem | None:
    """The symbol of that name nearest to line `at`, else the one that begins there."""
    named = [item for item in file.items if symbol and symbol in (item.symbol, item.name)]
    if named:
        return min(named, key=lambda item: abs(item.start_line - at))
    return next((item for item in file.items if at and item.start_line == at), None)


def _window(file: FileResult, line: int) -> tuple[int, int]:
    if file.lines <= WINDOW:
        return 1, file.lines
    first = max(1, (line - 1) // WINDOW * WINDOW + 1)
    return first, min(first + WINDOW - 1, file.lines)


def _outline(file: FileResult, chosen: SymbolItem | None) -> tuple[Entry, ...]:
    """The definitions in line order, each as deep as the definitions around it."""
    entries: list[Entry] = []
    around: list[SymbolItem] = []
    for item in sorted(file.items, key=lambda one: (one.start_line, -one.end_line)):
        while around and around[-1].end_line < item.start_line:
            around.pop()
        url = file_address(file.path, item.start_line, item.symbol, item.start_line)
        entries.append(Entry(item, min(len(around), 4), url, item is chosen))
        around.append(item)
    return tuple(entries)
