"""A repository at a glance, and its routes and matches, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fourfold.interfaces.cli.render import View
from fourfold.interfaces.cli.structure import head_lines
from fourfold.interfaces.cli.structure_rows import GAP, called, code_lines, heading, padded, room_of
from fourfold.interfaces.cli.width import cut, cut_left, pad, safe, safe_name, width
from fourfold.interfaces.cli.words import count
from fourfold.model.structure import MatchItem, MatchResult, OverviewResult, RouteResult, SymbolItem

MATCH_LINES = 4
"""Lines shown of one match."""
LANGUAGES = 8


def overview_lines(result: OverviewResult, view: View) -> list[str]:
    """The lines of an answer to ``overview``."""
    files = sum(row["files"] for row in result.languages)
    total = sum(row["lines"] for row in result.languages)
    lines = head_lines([count(files, "file"), count(total, "line")], result.meta, view)
    sections = [
        ("languages", _counts(result.languages[:LANGUAGES], "language", view)),
        ("folders", _counts(result.folders, "path", view)),
        ("entry points", _symbols(result.entry_points, view)),
        ("most leaned on", _symbols(result.items, view)),
        ("belong together", _communities(result, view)),
        ("also", _also(result)),
    ]
    for title, body in sections:
        shown = list(body)
        if shown:
            lines += [heading(title, view), *(f"{GAP}{line}".rstrip() for line in shown), ""]
    return lines[:-1] if not lines[-1] else lines


def _counts(rows: Sequence[dict[str, object]], key: str, view: View) -> Iterator[str]:
    names = [safe_name(str(row[key])) for row in rows]
    room = max(room_of(view.terminal, 30), 10)
    columns = min(max(map(width, names), default=0), room)
    files = [f"{row['files']:,}" for row in rows]
    lines = [f"{row['lines']:,}" for row in rows]
    file_columns, line_columns = max(map(len, files), default=0), max(map(len, lines), default=0)
    for name, of_files, of_lines in zip(names, files, lines, strict=True):
        label = pad(cut_left(name, columns), columns)
        yield f"{label}{GAP}{of_files:>{file_columns}} files{GAP}{of_lines:>{line_columns}} lines"


def _symbols(items: Sequence[SymbolItem], view: View) -> Iterator[str]:
    """One definition a line: name, kind, place."""
    names = [called(item.symbol, item.kind) for item in items]
    found = [_place(item.path, item.start_line, view) for item in items]
    kinds = max((len(item.kind) for item in items), default=0)
    room = room_of(view.terminal, 2)
    columns = min(max(map(width, names), default=0), max(room // 2 - kinds, 16))
    for item, name, place in zip(items, names, found, strict=True):
        left = max(room - columns - kinds - 2 * len(GAP), 10)
        short = cut_left(place, left)
        link = view.terminal.link(view.terminal.style("path", short), view.root / item.path, item.start_line)
        label = cut(name, columns)
        styled = padded(view.terminal.style("symbol", label), label, columns)
        yield f"{styled}{GAP}{view.terminal.style('dim', pad(item.kind, kinds))}{GAP}{link}"


def _communities(result: OverviewResult, view: View) -> Iterator[str]:
    sizes = [f"{row['size']:,}" for row in result.communities]
    columns = max(map(len, sizes), default=0)
    for row, size in zip(result.communities, sizes, strict=True):
        names = ", ".join(safe_name(name) for name in row["symbols"])
        yield cut(f"{size:>{columns}} in {safe_name(row['folder'])}: {names}", room_of(view.terminal, 2))


def _also(result: OverviewResult) -> Iterator[str]:
    if result.tests.get("files"):
        yield f"tests: {count(result.tests['files'], 'file')}, {count(result.tests['lines'], 'line')}"
    if result.routes:
        yield f"{count(result.routes, 'route')}: fourfold routes"
    sure = {name: number for name, number in result.edges.items() if number}
    if sure:
        yield "references: " + ", ".join(f"{number:,} {name}" for name, number in sure.items())
    if result.documents:
        yield "read first: " + ", ".join(safe_name(path) for path in result.documents)


def route_lines(result: RouteResult, view: View) -> list[str]:
    """The lines of an answer to ``routes``: method, path, handler, place."""
    frameworks = sorted({item.framework for item in result.items if item.framework})
    lines = head_lines(
        [count(len(result.items) + result.meta.dropped, "route"), ", ".join(frameworks)], result.meta, view
    )
    cells = [
        (item, safe_name(item.route), safe_name(item.symbol or item.handler), _place(item.path, item.line, view))
        for item in result.items
    ]
    method_columns = max((width(item.method) for item in result.items), default=0)
    route_columns = max((width(route) for _, route, _, _ in cells), default=0)
    handler_columns = max((width(handler) for _, _, handler, _ in cells), default=0)
    if view.terminal.columns is not None:
        route_columns = min(route_columns, max(view.terminal.columns // 2 - method_columns, 16))
        handler_columns = min(handler_columns, max(view.terminal.columns // 4, 12))
    for item, route, handler, place in cells:
        left = room_of(view.terminal, method_columns + route_columns + handler_columns + 3 * len(GAP))
        method = padded(view.terminal.style("dim", item.method), item.method, method_columns)
        path = cut(route, route_columns)
        name = cut(handler, handler_columns)
        shown = cut_left(place, left)
        link = view.terminal.link(view.terminal.style("path", shown), view.root / item.path, item.line)
        styled = padded(view.terminal.style("symbol", path), path, route_columns)
        lines.append(f"{method}{GAP}{styled}{GAP}{pad(name, handler_columns)}{GAP}{link}")
    return lines


def match_lines(result: MatchResult, view: View) -> list[str]:
    """The lines of an answer to ``match``: each place with its code."""
    said = f"{count(len(result.items) + result.meta.dropped, 'match')} in {count(result.files, 'file')}"
    lines = head_lines([f"{result.query['language']} pattern", said], result.meta, view)
    if not view.terminal.tty:
        for item in result.items:
            first, more = _first_line(item)
            place = _place(item.path, item.start_line, view)
            lines.append(GAP.join(part for part in (place, called(item.symbol, ""), safe(first) + more) if part))
        return lines
    path = ""
    for item in result.items:
        if item.path != path:
            lines += [""] if path else []
            path = item.path
            shown = cut_left(safe_name(view.path_of(path)), view.terminal.columns)
            lines.append(view.terminal.link(view.terminal.style("path", shown), view.root / path, item.start_line))
        numbered = list(enumerate(item.text.split("\n"), item.start_line))
        # The first line begins where the match does, the others with their indentation.
        lines += code_lines(_dedented(numbered)[:MATCH_LINES], view.terminal, GAP)
        if len(numbered) > MATCH_LINES:
            lines.append(view.terminal.style("dim", f"{GAP}… to line {item.end_line}"))
    return lines


def _place(path: str, line: int, view: View) -> str:
    return f"{safe_name(view.path_of(path))}:{line}"


def _dedented(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Lines of a match: those after the first shifted left together, as far as their last line stands."""
    if len(lines) < 2:
        return lines
    (first, *rest), last = lines, lines[-1][1]
    indent = len(last) - len(last.lstrip())
    return [first, *((number, text[indent:] if not text[:indent].strip() else text.lstrip()) for number, text in rest)]


def _first_line(item: MatchItem) -> tuple[str, str]:
    first, newline, _ = item.text.partition("\n")
    return first, f" … to line {item.end_line}" if newline else ""
