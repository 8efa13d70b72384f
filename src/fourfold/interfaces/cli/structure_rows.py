"""Rows of answers about structure: definitions with their telling lines, places under the heading of their file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from fourfold.interfaces.cli.render import View
from fourfold.interfaces.cli.styled import styled_line
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, cut_left, safe_name, width
from fourfold.model.structure import SymbolItem

GAP = "  "
MIN_NAME_COLUMNS = 16
"""A name is shortened to no less than this before its row takes two lines."""
MAX_NAME_COLUMNS = 48
"""Longer names do not push the code of their neighbours aside."""
_CALLED = frozenset({"function", "method", "macro", "test"})


@dataclass(frozen=True, slots=True)
class Row:
    """One place: `line` of `path` (0: the file itself), who is there, what is said of it, and its line of code."""

    path: str
    line: int
    name: str
    note: str = ""
    text: str = ""
    spans: tuple[tuple[int, int], ...] = ()


def called(name: str, kind: str) -> str:
    """A symbol as shown: with parentheses where it is called."""
    shown = safe_name(name)
    return f"{shown}()" if shown and kind in _CALLED and not shown.endswith(")") else shown


def named(text: str, name: str) -> tuple[tuple[int, int], ...]:
    """Where a bare name stands in a line, as whole words."""
    bare = re.split(r"[.:#\\]", name)[-1]
    if not bare:
        return ()
    return tuple(match.span() for match in re.finditer(rf"(?<!\w){re.escape(bare)}(?!\w)", text))


def definitions(items: Sequence[SymbolItem], view: View, *, code: int = 2, indent: str = "") -> Iterator[str]:
    """Definitions, one a line (two where the terminal is narrow), each with up to `code` lines of its source."""
    terminal = view.terminal
    number = len(str(len(items)))
    heads = [(place_of(item, view), called(item.symbol, item.kind), item.kind, _note(item)) for item in items]
    place_columns = max((width(head[0]) for head in heads), default=0)
    name_columns = max((width(head[1]) for head in heads), default=0)
    tail = max((width(GAP.join(filter(None, head[2:]))) for head in heads), default=0)
    lead = len(indent) + number + len(GAP)
    narrow = False
    if terminal.columns is not None:
        room = terminal.columns - lead - place_columns - 2 * len(GAP) - tail
        narrow = room < min(name_columns, MIN_NAME_COLUMNS)
        name_columns = max(min(name_columns, room), 1)
    for rank, (item, (place, name, kind, note)) in enumerate(zip(items, heads, strict=True), 1):
        start = f"{indent}{rank:>{number}}{GAP}"
        said = terminal.style("dim", GAP.join(filter(None, (kind, note))))
        target = view.root / item.path
        if narrow:
            shown = cut_left(place, room_of(terminal, lead))
            yield start + terminal.link(terminal.style("path", shown), target, item.start_line)
            left = room_of(terminal, lead + width(kind) + len(GAP))
            yield " " * lead + terminal.style("symbol", cut(name, left)) + GAP + terminal.style("dim", kind)
        else:
            shown = terminal.link(terminal.style("path", place), target, item.start_line)
            short = cut(name, name_columns)
            gap = " " * (place_columns - width(place)) + GAP
            label = padded(terminal.style("symbol", short), short, name_columns)
            yield f"{start}{shown}{gap}{label}{GAP}{said}".rstrip()
        yield from source_lines(item, view, " " * lead, code)


def _note(item: SymbolItem) -> str:
    """What is said of a definition beside its kind: how the name met it, its part, its routes."""
    match = "" if item.match in ("", "exact") else f"by {item.match}"
    parts = [item.stereotype, *item.routes[:2], match]
    if item.service:
        parts.append(f"service {item.service}")
    return " · ".join(safe_name(part) for part in parts if part)


def source_lines(item: SymbolItem, view: View, indent: str, most: int) -> Iterator[str]:
    """Up to `most` telling lines of a definition: its head (decorators left out) and what follows it."""
    lines = item.snippet.split("\n") if item.snippet else []
    first = _head_index(item, lines)
    chosen = [number for number in range(first, len(lines)) if lines[number].strip()][:most]
    if not chosen or not most:
        return
    numbered = [(item.start_line + number, lines[number]) for number in chosen]
    yield from code_lines(numbered, view.terminal, indent, item.name)


def code_lines(lines: Sequence[tuple[int, str]], terminal: Terminal, indent: str, name: str = "") -> Iterator[str]:
    """Numbered lines of code without their common indentation, `name` in bold."""
    digits = len(str(lines[-1][0])) if lines else 0
    heads = [text[: len(text) - len(text.lstrip())] for _, text in lines if text.strip()]
    shortest = min(heads, key=len, default="")
    common = len(shortest) if all(head.startswith(shortest) for head in heads) else 0
    room = room_of(terminal, len(indent) + digits + len(GAP)) if terminal.columns is not None else None
    for number, text in lines:
        code = text[common:]
        shown = styled_line(code, named(code, name), terminal, room, role="bold")
        yield f"{indent}{terminal.style('line', f'{number:>{digits}}')}{GAP}{shown}".rstrip()


def _head_index(item: SymbolItem, lines: Sequence[str]) -> int:
    """Index of the line that names the definition, else of the first."""
    for index, line in enumerate(lines):
        if named(line, item.name) and not line.lstrip().startswith(("@", "#[", "//", "#", "*", "/*")):
            return index
    return 0


def place_of(item: SymbolItem, view: View) -> str:
    """``path:start-end``, safe to print."""
    return safe_name(f"{view.path_of(item.path)}:{item.start_line}-{item.end_line}")


def places(rows: Iterable[Row], view: View, indent: str = "") -> Iterator[str]:
    """Rows below a heading for each file on a terminal, each with its whole place on a pipe."""
    known = list(rows)
    name_columns = min(max((width(row.name) for row in known), default=0), MAX_NAME_COLUMNS)
    note_columns = max((width(row.note) for row in known), default=0)
    for path, group in groupby(known, key=lambda row: row.path):
        shown = safe_name(view.path_of(path))
        below = list(group)
        if view.terminal.tty:
            digits = max(len(str(row.line)) for row in below)
            short = view.terminal.style("path", cut_left(shown, room_of(view.terminal, len(indent))))
            yield indent + view.terminal.link(short, view.root / path, below[0].line or 1)
            for row in below:
                yield _below(row, digits, name_columns, note_columns, view.terminal, indent)
        else:
            for row in below:
                cells = [f"{shown}:{row.line}" if row.line else shown, row.name, row.note]
                code = styled_line(row.text, (), view.terminal, None)
                yield indent + GAP.join(cell for cell in (*cells, code) if cell)


def _below(row: Row, digits: int, name_columns: int, note_columns: int, terminal: Terminal, indent: str) -> str:
    """A row below the heading of its file, cut to the terminal's width."""
    columns = terminal.columns or 80
    number = f"{row.line or '':>{digits}}"
    used = len(indent) + len(GAP) * 2 + digits
    name_room = min(name_columns, max((columns - used) // 2, MIN_NAME_COLUMNS))
    name = cut(row.name, name_room)
    label = padded(terminal.style("symbol", name), name, name_room)
    line = f"{indent}{GAP}{terminal.style('line', number)}{GAP}{label}"
    used += name_room
    if note_columns:
        line += GAP + padded(terminal.style("dim", row.note), row.note, note_columns)
        used += len(GAP) + note_columns
    room = columns - used - len(GAP)
    if row.text and room >= 10:
        line += GAP + styled_line(row.text, row.spans, terminal, room, role="bold")
    return line.rstrip()


def heading(text: str, view: View) -> str:
    """A dimmed heading within an answer."""
    return view.terminal.style("dim", cut(text, view.terminal.columns))


def padded(styled: str, plain: str, columns: int) -> str:
    """`styled`, which shows as `plain`, followed by spaces up to `columns`."""
    return styled + " " * max(columns - width(plain), 0)


def room_of(terminal: Terminal, used: int) -> int:
    """Columns left of a line, at least 10; a great many where lines need not fit."""
    return 10_000 if terminal.columns is None else max(terminal.columns - used, 10)


def wrapped(parts: Sequence[str], room: int | None) -> list[str]:
    """`parts` joined by dots, on as many lines as `room` asks for."""
    lines: list[str] = []
    for part in parts:
        joined = f"{lines[-1]} · {part}" if lines else part
        if lines and (room is None or width(joined) <= room):
            lines[-1] = joined
        else:
            lines.append(cut(part, room))
    return lines
