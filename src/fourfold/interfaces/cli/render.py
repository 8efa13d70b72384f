"""A search result as text: what was understood, then each place with its telling lines and why."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fourfold.interfaces.cli.snippet import ShownLine, marker, telling_lines
from fourfold.interfaces.cli.styled import styled_line
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, cut_left, pad, safe, safe_name, width
from fourfold.interfaces.cli.words import count, milliseconds
from fourfold.model.query import MODALITIES
from fourfold.model.record import record
from fourfold.model.result import Meta, ResultItem, SearchResult
from fourfold.rank.explain import signal_text

_CALLED = frozenset({"function", "method", "macro"})
_GAP = "  "
MIN_SYMBOL_COLUMNS = 16
"""A symbol is shortened to no less than this before a result takes two lines for its head."""


@record(frozen=True, slots=True)
class View:
    """How results are shown. `path_of` gives the path shown for a relative one; links go below `root`."""

    terminal: Terminal
    root: Path
    path_of: Callable[[str], str] = str
    context: int = 0
    full: bool = False
    explain: bool = False


@record(frozen=True, slots=True)
class _Head:
    """The parts of a result's first line, safe to print. `name` is the symbol."""

    place: str
    name: str
    kind: str
    why: str


def render_search(result: SearchResult, view: View) -> list[str]:
    """The lines of a search result."""
    understood = _wrapped(summary(result).split(" · "), view.terminal.columns)
    lines = [view.terminal.style("dim", line) for line in understood]
    if result.meta.suggestion:
        lines += _wrapped([safe(result.meta.suggestion)], view.terminal.columns)
    if view.explain:
        lines += [view.terminal.style("dim", cut(text, view.terminal.columns)) for text in _explained(result)]
    marks = marker(result.query.meaning)
    heads = [_head(item, view) for item in result.items]
    rank_columns = len(str(len(heads))) + 1
    layout = _layout(heads, rank_columns, view.terminal.columns)
    lines.append("")
    for item, head in zip(result.items, heads, strict=True):
        lines += _head_lines(item, head, layout, rank_columns, view)
        lines += _body(item, marks, rank_columns, view)
    return lines


def summary(result: SearchResult) -> str:
    """``read as understand_code (0.75) · weighted_rrf · 4 ms · index 9bfd0c7 main, 2 files dirty, fresh``.

    The number is how sure the reading of the question is; of the results it says nothing."""
    query, meta = result.query, result.meta
    understood = f"read as {query.intent} ({query.confidence:.2f})"
    return " · ".join([understood, meta.fusion_strategy, milliseconds(meta.took_ms), index_state(meta)])


def index_state(meta: Meta) -> str:
    """Which state of the tree the answer speaks of."""
    parts = []
    if meta.indexed_commit:
        parts.append(f"{meta.indexed_commit[:7]} {safe_name(meta.branch or '(no branch)')}")
    if meta.dirty_files:
        parts.append(f"{count(meta.dirty_files, 'file')} dirty")
    parts.append("stale" if meta.stale else "fresh")
    moved = meta.live_commit and meta.indexed_commit and meta.live_commit != meta.indexed_commit
    if meta.stale and moved and meta.live_commit:
        parts.append(f"the tree is at {meta.live_commit[:7]}")
    return "index " + ", ".join(parts)


def item_name(item: ResultItem) -> str:
    """The symbol as shown: with parentheses where it is called."""
    name = safe_name(item.symbol)
    return f"{name}()" if name and item.kind in _CALLED and not name.endswith(")") else name


def _head(item: ResultItem, view: View) -> _Head:
    place = safe_name(f"{view.path_of(item.path)}:{item.start_line}-{item.end_line}")
    ranks = item.why.modalities
    named = [name for name in MODALITIES if name in ranks] + sorted(set(ranks) - set(MODALITIES))
    reasons = [f"{name} {ranks[name]}" for name in named]
    if item.service:
        reasons.append(f"service {safe_name(item.service)}" + (f"@{safe_name(item.ref)}" if item.ref else ""))
    return _Head(place, item_name(item), item.kind, " · ".join(reasons))


def _layout(heads: list[_Head], rank_columns: int, columns: int | None) -> tuple[int, int, int] | None:
    """Columns of place, symbol and kind for heads on one line, or None where they need two."""
    place = max((width(head.place) for head in heads), default=0)
    name = max((width(head.name) for head in heads), default=0)
    kind = max((width(head.kind) for head in heads), default=0)
    why = max((width(head.why) for head in heads), default=0)
    if columns is None:
        return place, name, kind
    room = columns - rank_columns - len(_GAP) * 4 - place - kind - why
    if room >= name or room >= MIN_SYMBOL_COLUMNS:
        return place, min(name, room), kind
    return None


def _head_lines(
    item: ResultItem, head: _Head, layout: tuple[int, int, int] | None, rank_columns: int, view: View
) -> list[str]:
    """The head of one result: one aligned line, or two where the terminal is narrow."""
    terminal = view.terminal if not item.service else replace(view.terminal, links=False)
    number = f"{item.rank:>{rank_columns}}"
    target = view.root / item.path
    if layout is not None:
        place_columns, name_columns, kind_columns = layout
        place = terminal.link(terminal.style("path", head.place), target, item.start_line)
        name = terminal.style("symbol", cut(head.name, name_columns))
        cells = [place + " " * (place_columns - width(head.place))]
        cells.append(name + " " * (name_columns - width(cut(head.name, name_columns))))
        cells += [pad(head.kind, kind_columns), terminal.style("dim", head.why)]
        return [f"{number}{_GAP}{_GAP.join(cell for cell in cells if cell)}".rstrip()]
    room = (terminal.columns or 80) - rank_columns - len(_GAP)
    shown = cut_left(head.place, room)
    first = f"{number}{_GAP}" + terminal.link(terminal.style("path", shown), target, item.start_line)
    tail = _GAP.join(part for part in (head.kind, head.why) if part)
    name = cut(head.name, max(room - width(tail) - len(_GAP), MIN_SYMBOL_COLUMNS))
    left = room - (width(name) + len(_GAP) if name else 0)
    second = (terminal.style("symbol", name) + _GAP if name else "") + terminal.style("dim", cut(tail, left))
    return [first, " " * (rank_columns + len(_GAP)) + second]


def _body(item: ResultItem, marks: re.Pattern[str] | None, rank_columns: int, view: View) -> list[str]:
    """The telling lines, further places in the file, and the explanation where asked for."""
    terminal = view.terminal
    indent = " " * (rank_columns + len(_GAP))
    shown = telling_lines(item, marks, context=view.context, full=view.full)
    digits = len(str(shown[-1].number)) if shown else 0
    lines = [_code_line(line, indent, digits, terminal) for line in shown]
    if item.more:
        places = ", ".join(f"{start}-{end} {safe_name(name)}".rstrip() for start, end, name in item.more)
        lines.append(indent + terminal.style("dim", cut(f"also {places}", _room(terminal, len(indent)))))
    if view.explain:
        lines += [indent + terminal.style("dim", text) for text in _why(item, _room(terminal, len(indent)))]
    return lines


def _code_line(line: ShownLine, indent: str, digits: int, terminal: Terminal) -> str:
    """One numbered line of code."""
    number = f"{line.number:>{digits}}"
    room = _room(terminal, len(indent) + digits + len(_GAP))
    code = styled_line(line.text, line.spans, terminal, room, role="bold")
    return f"{indent}{terminal.style('line', number)}{_GAP}{code}".rstrip()


def _room(terminal: Terminal, used: int) -> int | None:
    """Columns left of a line, at least 10; None where lines need not fit."""
    return None if terminal.columns is None else max(terminal.columns - used, 10)


def _explained(result: SearchResult) -> list[str]:
    """What was understood of the question: rule, names, weights, preset."""
    query = result.query
    lines = [f"rule: {safe_name(query.rule) or 'none'} · preset: {safe_name(result.meta.preset)}"]
    if query.identifiers:
        lines.append("names: " + ", ".join(safe_name(name) for name in query.identifiers))
    if query.english:
        lines.append("in English: " + safe(query.english))
    weights = result.items[0].why.weights if result.items else {}
    if weights:
        lines.append("weights: " + " · ".join(f"{name} {value:g}" for name, value in weights.items()))
    return lines


def _why(item: ResultItem, room: int | None) -> list[str]:
    """Ranks, each signal with its factor, and the score, wrapped between facts."""
    why = item.why
    facts = [f"score {item.score:.4g}" + (f" by {safe_name(why.method)}" if why.method else "")]
    for name, rank in why.modalities.items():
        weight = f" × {why.weights[name]:g}" if name in why.weights else ""
        facts.append(f"{name} rank {rank}{weight}")
    facts += [f"{safe_name(name)} {signal_text(why.method, value)}" for name, value in why.signals]
    return _wrapped(facts, room)


def _wrapped(facts: list[str], room: int | None) -> list[str]:
    """`facts` joined by dots, on as many lines as `room` asks for."""
    lines: list[str] = []
    for fact in facts:
        joined = f"{lines[-1]} · {fact}" if lines else fact
        if lines and (room is None or width(joined) <= room):
            lines[-1] = joined
        else:
            lines.append(cut(fact, room))
    return lines
