"""Matching lines as text, in the shapes that grep and ripgrep made familiar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from fourfold.interfaces.cli.styled import styled_line
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import safe, safe_name
from fourfold.model.result import GrepLine


@dataclass(frozen=True, slots=True)
class GrepView:
    """How matching lines are shown. `numbers` False leaves line numbers out; `spaced` says that context was
    asked for, so that runs of lines are divided by ``--``."""

    terminal: Terminal
    root: Path
    path_of: Callable[[str], str] = str
    numbers: bool = True
    spaced: bool = False


@dataclass(slots=True)
class _Row:
    """A line to print: its spans where it matches, None where it is context."""

    text: str
    spans: tuple[tuple[int, int], ...] | None = field(default=None)


def matching_lines(items: Iterable[GrepLine], view: GrepView) -> Iterator[str]:
    """Every matching line and its context: below a heading on a terminal, ``path:line:text`` on a pipe."""
    terminal = view.terminal
    first = True
    for path, group in groupby(items, key=lambda item: item.path):
        rows = _rows(group)
        shown = safe_name(view.path_of(path))
        if terminal.tty:
            if not first:
                yield ""
            yield terminal.link(terminal.style("path", shown), view.root / path, min(rows))
        elif not first and view.spaced:
            yield "--"
        first = False
        digits = len(str(max(rows)))
        previous = 0
        for number in sorted(rows):
            if view.spaced and previous and number > previous + 1:
                yield "--"
            previous = number
            yield (
                _headed(number, digits, rows[number], view)
                if terminal.tty
                else _plain(shown, number, rows[number], view)
            )


def only_matching(items: Iterable[GrepLine], view: GrepView) -> Iterator[str]:
    """Each matching part on its own line, after ``path:line:``."""
    for item in items:
        for start, end in item.spans or ((0, len(item.text)),):
            place = _place(safe_name(view.path_of(item.path)), item.line, ":", view)
            yield place + view.terminal.style("match", safe(item.text[start:end]))


def vimgrep(items: Iterable[GrepLine], view: GrepView) -> Iterator[str]:
    """``path:line:column:text``, one line a match, without colour: what editors read."""
    for item in items:
        shown = safe_name(view.path_of(item.path))
        columns = [len(item.text[:start].encode("utf-8", "replace")) + 1 for start, _ in item.spans] or [item.column]
        for column in columns:
            yield f"{shown}:{item.line}:{column}:{safe(item.text)}"


def counts(items: Iterable[GrepLine], view: GrepView) -> Iterator[str]:
    """``path:number of matching lines``."""
    for path, group in groupby(items, key=lambda item: item.path):
        yield f"{view.terminal.style('path', safe_name(view.path_of(path)))}:{sum(1 for _ in group)}"


def files(items: Iterable[GrepLine], view: GrepView) -> Iterator[str]:
    """Each path once."""
    for path, _ in groupby(items, key=lambda item: item.path):
        yield view.terminal.style("path", safe_name(view.path_of(path)))


def _rows(group: Iterable[GrepLine]) -> dict[int, _Row]:
    """Lines of one file by number; where contexts overlap a line appears once, and a match wins."""
    rows: dict[int, _Row] = {}
    for item in group:
        for offset, text in enumerate(item.before):
            rows.setdefault(item.line - len(item.before) + offset, _Row(text))
        for offset, text in enumerate(item.after, start=1):
            rows.setdefault(item.line + offset, _Row(text))
        rows[item.line] = _Row(item.text, item.spans)
    return rows


def _headed(number: int, digits: int, row: _Row, view: GrepView) -> str:
    """A line below its file's heading, cut to the terminal's width."""
    terminal = view.terminal
    label = f"{number:>{digits}}" if view.numbers else ""
    mark = "" if not view.numbers else ":" if row.spans is not None else "-"
    room = None if terminal.columns is None else max(terminal.columns - len(label) - len(mark), 10)
    return f"{terminal.style('line', label)}{mark}{styled_line(row.text, row.spans or (), terminal, room)}"


def _plain(shown: str, number: int, row: _Row, view: GrepView) -> str:
    """A whole line after its place, ``:`` where it matches and ``-`` where it is context."""
    mark = ":" if row.spans is not None else "-"
    return _place(shown, number, mark, view) + styled_line(row.text, row.spans or (), view.terminal, None)


def _place(shown: str, number: int, mark: str, view: GrepView) -> str:
    label = f"{view.terminal.style('line', str(number))}{mark}" if view.numbers else ""
    return f"{view.terminal.style('path', shown)}{mark}{label}"
