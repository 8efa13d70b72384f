"""Brackets that somebody forgot to close, found by the indentation of the lines around them.

Whoever writes code indents what stands inside of brackets. So a line that stands no deeper than the line of an open
bracket, and does not close it, says that the bracket was meant to end before; and a closing brace stands as deep as the
line of the brace that it closes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fourfold.syntax.mend.heads import is_head
from fourfold.syntax.mend.tokens import Row, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_CLOSES = {"(": ")", "[": "]", "{": "}"}
_OPENS = {")": "(", "]": "[", "}": "{"}
_BLOCKLESS = frozenset({"python", "ruby", "lua", "elixir", "haskell", "sql", "bash"})
"""Languages whose blocks are no braces, so that a brace is closed like a parenthesis."""
_AT_THE_MARGIN = re.compile(r"#|case\b|default\b|\w+:(?!:)|else\b|\|")
"""Lines that stand no deeper than the block that they are part of."""
_DO = re.compile(r"\s+(?:do|then)\b(?:\s*\|[^|]*\|)?$")

_LOOKED_AT = 64
"""Brackets around a place that are looked at; more are nested in hostile source only."""

Edit = tuple[int, int, str]
"""Replace a stretch of the text."""


@dataclass(slots=True)
class _Open:
    """An open bracket: its place, the row it stands in; `block` is a brace at the end of that row that follows it."""

    mark: str
    place: int
    row: Row
    block: int = -1


@dataclass(slots=True)
class Repair:
    """Edits that close what was left open, and the numbers of the rows that they were made for."""

    edits: list[Edit] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)

    def add(self, row: int, edit: Edit) -> None:
        """Note an edit on account of a row."""
        self.edits.append(edit)
        self.rows.append(row)


def repair(text: str, language: str, rows: Iterable[Row] | None = None, *, strict: bool) -> Repair:
    """What makes the brackets of `text` agree with its indentation. No edit adds or removes a line. `rows` are those
    that hold its code, where they are known.

    `strict`: only a line that looks like the head of a definition ends an open parenthesis.
    """
    return _Repairer(text, language, strict).run(rows_of(text, language) if rows is None else rows)


def applied(text: str, edits: Iterable[Edit]) -> str:
    """`text` with all edits made. Of two that overlap the later is left out."""
    parts, position = [], 0
    for start, end, new in sorted(edits, key=lambda one: one[:2]):
        if start < position:
            continue
        parts += [text[position:start], new]
        position = end
    return "".join([*parts, text[position:]])


class _Repairer:
    def __init__(self, text: str, language: str, strict: bool) -> None:
        self._text = text
        self._language = language
        self._strict = strict
        self._blocks = language not in _BLOCKLESS
        self._open: list[_Open] = []
        self._before: Row | None = None
        self._found = Repair()

    def run(self, rows: Iterable[Row]) -> Repair:
        for row in rows:
            self._begin(row)
            for place in row.brackets:
                self._bracket(row, place)
            if row.quote >= 0:
                self._found.add(row.number, (row.end, row.end, '"'))
            self._before = row
        while self._open:
            self._close(self._open.pop())
        return self._found

    def _begin(self, row: Row) -> None:
        """Close what a row that stands no deeper than an open bracket shows to be unclosed."""
        first = self._text[row.first]
        if first in _OPENS:
            wanted = _OPENS[first]
            while self._open and self._is_left_open(row, wanted):
                self._close(self._open.pop())
            return
        line = self._text[row.first : row.end]
        begins = is_head(line)
        if not begins and (self._strict or _AT_THE_MARGIN.match(line)):
            return
        while self._open and row.indent <= self._open[-1].row.indent:
            one = self._open[-1]
            is_block = one.mark == "{" and self._blocks
            if is_block and (not begins or self._is_flat(one, row)):
                return
            self._close(self._open.pop())

    def _is_flat(self, one: _Open, row: Row) -> bool:
        """True where what stands in a block is not indented at all (a C++ namespace)."""
        return self._before is None or one.row is self._before or one.block == -2 or row.indent > one.row.indent

    def _is_left_open(self, row: Row, wanted: str) -> bool:
        """True where the innermost bracket is not the one that the first bracket of `row` closes."""
        top = self._open[-1]
        others = [one for one in self._open[-_LOOKED_AT:-1] if one.mark == wanted and one.row.indent <= row.indent]
        if top.mark != wanted:
            return bool(others)
        return top.row.indent > row.indent and any(one.row.indent == row.indent for one in others)

    def _bracket(self, row: Row, place: int) -> None:
        mark = self._text[place]
        if mark in _CLOSES:
            if self._open and mark == "{" and place + 1 >= row.end and self._open[-1].row is row:
                self._open[-1].block = place
            self._open.append(_Open(mark, place, row))
            return
        wanted = _OPENS[mark]
        if self._open and self._open[-1].mark == wanted:
            if mark == "}" and self._blocks and place == row.first and row.indent > self._open[-1].row.indent:
                self._stray(row, place)
                return
            self._open.pop()
        elif len(self._open) > 1 and self._open[-2].mark == wanted and self._open[-1].row is row:
            self._found.add(row.number, (place, place, _CLOSES[self._open.pop().mark]))
            self._open.pop()
        else:
            self._stray(row, place)

    def _stray(self, row: Row, place: int) -> None:
        """A closing bracket that nothing opened."""
        self._found.add(row.number, (place, place + 1, " "))

    def _close(self, one: _Open) -> None:
        """Close a bracket before the block that begins after it, else after the last code before this row."""
        mark = _CLOSES[one.mark]
        row = one.row
        if one.mark != "{" or not self._blocks:
            place = one.block if one.block >= 0 else self._before_block(one)
            if place > one.place:
                self._found.add(row.number, (place, place, mark))
                return
        end = self._before.end if self._before is not None else len(self._text)
        self._found.add(row.number, (end, end, mark))

    def _before_block(self, one: _Open) -> int:
        """Where on the row of a bracket a block without braces begins, -1 where none does."""
        row = one.row
        line = self._text[row.first : row.end]
        if self._blocks:
            return -1
        if self._language == "python":
            return row.end - 1 if line[-1] == ":" else -1
        found = _DO.search(line)
        if found is not None:
            return row.first + found.start()
        return row.end if is_head(line) else -1
