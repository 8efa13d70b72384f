"""A result as a card: where it is, its telling lines, what found it, and why it stands where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from fourfold.interfaces.cli.snippet import telling_lines
from fourfold.interfaces.web.highlight import line_html, tokens
from fourfold.interfaces.web.links import editor_address, file_address, graph_address
from fourfold.model.query import MODALITIES
from fourfold.model.result import ResultItem
from fourfold.rank.paths import categories

GRAPHED = frozenset({"function", "method", "class", "interface", "struct", "enum", "trait", "type", "macro", "test"})
"""Kinds that have a place in the reference graph worth looking at."""
_LEVELS = ((1, 4), (3, 3), (10, 2))
"""A dot's filling by rank: the first, the first three, the first ten; 1 for all further."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of code: its number, its HTML, whether it answers the question, whether lines before it are left out."""

    number: int
    html: Markup
    matched: bool
    gap: bool


@dataclass(frozen=True, slots=True)
class Dot:
    """A modality as a dot: filled in four steps by its rank, 0 where it did not find the result."""

    name: str
    level: int
    rank: int


@dataclass(frozen=True, slots=True)
class Card:
    """A result, ready to be shown."""

    item: ResultItem
    folder: str
    file: str
    name: str
    rows: tuple[Row, ...]
    dots: tuple[Dot, ...]
    badges: tuple[str, ...]
    ways: tuple[tuple[str, int | None, float | None], ...]
    """(modality, rank, weight) of the table that says why."""
    file_url: str
    editor_url: str
    graph_url: str
    more: tuple[tuple[str, str], ...]


def card(item: ResultItem, marks: re.Pattern[str] | None, root: Path, editor: str) -> Card:
    """The card of a result."""
    folder, _, file = item.path.rpartition("/")
    rows = _rows(item, marks)
    # A chunk may begin above the definition that is meant: its first telling line is where that one begins.
    line = rows[0].number if item.symbol and rows else item.start_line
    ranks, weights = item.why.modalities, item.why.weights
    others = [name for name in ranks if name not in MODALITIES]
    return Card(
        item=item,
        folder=folder + "/" if folder else "",
        file=file,
        name=f"{item.symbol}()" if item.symbol and item.kind in ("function", "method") else item.symbol,
        rows=rows,
        dots=tuple(Dot(name, _level(ranks.get(name)), ranks.get(name, 0)) for name in MODALITIES),
        badges=tuple(part for part in (item.kind, item.language, *sorted(categories(item.path)), item.service) if part),
        ways=tuple((name, ranks.get(name), weights.get(name)) for name in (*MODALITIES, *others)),
        file_url=file_address(item.path, line, item.symbol, line if item.symbol else 0),
        editor_url=editor_address(editor, root, item.path, line),
        graph_url=graph_address(item.symbol, item.path, line) if item.symbol and item.kind in GRAPHED else "",
        more=tuple(
            (f"{start}–{end} {name}".rstrip(), file_address(item.path, start)) for start, end, name in item.more
        ),
    )


def _rows(item: ResultItem, marks: re.Pattern[str] | None) -> tuple[Row, ...]:
    """The telling lines, coloured as parts of their chunk, without their common indentation."""
    shown = telling_lines(item, marks, context=0)
    if not shown:
        return ()
    source = item.snippet.split("\n")[: shown[-1].number - item.start_line + 1]  # below, no colour is needed
    coloured = tokens("\n".join(source), item.language)
    rows, last = [], shown[0].number - 1
    for line in shown:
        index = line.number - item.start_line
        parts = coloured[index] if index < len(coloured) else (("", line.text),)
        dropped = len(source[index]) - len(line.text)
        html = line_html(_without(parts, dropped), marks)
        rows.append(Row(line.number, html, line.number in item.matched_lines, line.number != last + 1))
        last = line.number
    return tuple(rows)


def _without(parts: tuple[tuple[str, str], ...], count: int) -> tuple[tuple[str, str], ...]:
    """The parts of a line less its first `count` characters."""
    kept = []
    for name, text in parts:
        if count < len(text):
            kept.append((name, text[count:]))
        count = max(count - len(text), 0)
    return tuple(kept)


def _level(rank: int | None) -> int:
    if rank is None:
        return 0
    return next((level for most, level in _LEVELS if rank <= most), 1)
