"""The statements of a text that its grammar cannot read, each found by reading it alone.

A grammar that meets a statement it does not know may lose all that follows. So the text is taken apart where its
indentation says that a statement begins, each part is read alone, and what cannot be read is taken apart again, between
the first and the last lines of what holds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fourfold.syntax.mend.heads import is_head, plain_head
from fourfold.syntax.mend.preprocessor import CONDITIONAL
from fourfold.syntax.mend.tokens import Row

MAX_DEPTH = 4
"""A type, a method, a block in it, a statement."""

READINGS = 2
"""So many times what cannot be read is read at least to find out why: a part, and what is inside of it."""

_CONTINUES = (")", "]", "}", "{", "else", "catch", "finally", "elif", "except", "rescue", "ensure", "end", "while ")
_LABEL = re.compile(r"\w+:")
_BEGINS = ("@", "#[", "[")
"""Attributes belong to what follows them."""


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around the parts of a level: lines before and after them, and the number of the row where they
    end."""

    end: int
    head: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()

    def inside(self, head: Sequence[str], closing: Sequence[str], end: int) -> _Around:
        """What stands around the parts of a part."""
        return _Around(end, (*self.head, *head), (*closing, *self.tail))


class Isolator:
    """Finds the unreadable rows of `text`. `is_clean` says whether a grammar reads a text without an error; it is asked
    about `left` characters at most, and what is not looked at until then counts as readable. `rows` are those of
    `text` that hold code. `broken` are the (first,
    last) rows of what a grammar could not read of the whole, where that is known: outermost statements without them are
    not looked at.

    After :meth:`run`, `lines` are those of the text with all that the grammar cannot read left out and unreadable heads
    of types made plain, and `stretches` are the (first, last) numbers of rows to be read alone in place of what was
    left out.
    """

    def __init__(
        self,
        text: str,
        language: str,
        is_clean: Callable[[str], bool],
        left: int,
        *,
        rows: Sequence[Row],
        broken: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.heads: dict[int, str] = {}
        self.stretches: list[tuple[int, int]] = []
        self.left = left
        self._is_clean = is_clean
        self._language = language
        self._rows = rows
        self._broken = broken

    def run(self) -> bool:
        """Fill `lines`, `heads` and `stretches`; False where what is left does not suffice to look at what is broken,
        or nothing unreadable is found."""
        rows = [row for row in self._rows if self._counts(row)]
        parts = list(self._parts(rows))
        ends = [*(part[0].number for part in parts[1:]), len(self.lines)]
        suspects = [(part, end) for part, end in zip(parts, ends, strict=True) if self._is_broken(part[0].number, end)]
        size = sum(len(line) for part, end in suspects for line in self.lines[part[0].number : end])
        if READINGS * size > self.left:
            return False
        head = ("<?php",) if self._language == "php" else ()
        self._level(parts, ends, _Around(len(self.lines), head), 0)
        return bool(self.stretches or self.heads)

    def _is_broken(self, first: int, end: int) -> bool:
        """Whether the whole could not be read somewhere in these rows."""
        return not self._broken or any(start < end and first <= last for start, last in self._broken)

    def _counts(self, row: Row) -> bool:
        """False for what a preprocessor reads: its halves are no statements."""
        return self._language not in CONDITIONAL or self.text[row.first] != "#"

    def _level(self, parts: Sequence[list[Row]], ends: Sequence[int], around: _Around, depth: int) -> None:
        """Look at the parts of a level, which end where `ends` says: each alone, then all together without what cannot
        be read."""
        for part, end in zip(parts, ends, strict=True):
            if (depth or self._is_broken(part[0].number, end)) and not self._reads(around, part[0].number, end):
                self._part(part, end, around, depth)
        if len(parts) < 2 or self._reads(around, parts[0][0].number, around.end):
            return
        for part, end in zip(parts, ends, strict=True):  # together they are too much for the grammar
            inner = self._inside(part)
            if inner:
                self.stretches.append((part[0].number, end - 1))
                self._leave_out(inner[0].number, inner[-1].number)

    def _reads(self, around: _Around, first: int, end: int, instead: Sequence[str] | None = None) -> bool:
        """Whether rows (or what is there instead of them) can be read between what stands around them."""
        if self.left <= 0:
            return True
        lines = self.lines[first:end] if instead is None else instead
        text = "\n".join([*around.head, *lines, *around.tail])
        self.left -= len(text)
        return self._is_clean(text)

    def _part(self, part: list[Row], end: int, around: _Around, depth: int) -> None:
        """Look inside of a part that cannot be read."""
        first = part[0].number
        inner = self._inside(part)
        if not inner or depth >= MAX_DEPTH:
            self.stretches.append((first, end - 1))
            self._leave_out(first, end - 1)
            return
        start, stop = inner[0].number, next((row.number for row in part if row.number > inner[-1].number), end)
        last = part[-1].number + self.text.count("\n", part[-1].first, part[-1].end)
        head, closing = self.lines[first:start], self.lines[stop : last + 1]
        plain = self._plain(head)
        if self._reads(around, first, end, [*head, *closing]):
            pass
        elif plain and self._reads(around, first, end, [*plain, *closing]):
            self.heads.update(zip(range(first, start), plain, strict=True))
            self.lines[first:start] = head = plain
        elif any(is_head(self.text[row.first : row.end]) for row in inner):
            self.stretches += [one for one in ((first, start - 1), (stop, end - 1)) if one[0] <= one[1]]
            self._leave_out(first, start - 1)
            self._leave_out(stop, end - 1)
            head = closing = []
        else:
            self.stretches.append((first, end - 1))
            self._leave_out(first, end - 1)
            return
        inside = around.inside(head, closing, stop)
        inner_parts = list(self._parts(inner))
        ends = [*(one[0].number for one in inner_parts[1:]), stop]
        self._level(inner_parts, ends, inside, depth + 1)

    def _leave_out(self, first: int, last: int) -> None:
        for row in range(first, last + 1):
            self.lines[row] = ""

    @staticmethod
    def _plain(head: list[str]) -> list[str]:
        """The lines of a head with only what names a type; empty where nothing does."""
        brace = head[-1] if len(head) > 1 and head[-1].strip() == "{" else ""
        one = plain_head(" ".join(head[:-1] if brace else head))
        if not one:
            return []
        return [one, *[""] * (len(head) - 2), *([brace] if len(head) > 1 else [])]

    def _parts(self, rows: Sequence[Row]) -> Iterator[list[Row]]:
        """Rows from one that stands at the margin to the next that does."""
        if not rows:
            return
        margin = min(row.indent for row in rows)
        part: list[Row] = []
        waiting = False
        for row in rows:
            line = self.text[row.first : row.end]
            begins = row.indent == margin and not line.startswith(_CONTINUES) and not waiting
            if begins and self._language in CONDITIONAL and _LABEL.fullmatch(line):
                begins = False
            if part and begins:
                yield part
                part = []
            if row.indent == margin:
                waiting = line.startswith(_BEGINS) and row.end - row.first == len(line)
            part.append(row)
        if part:
            yield part

    def _inside(self, part: list[Row]) -> list[Row]:
        """The rows of a part that stand deeper than its first and last ones."""
        margin = part[0].indent
        deeper = [place for place, row in enumerate(part) if row.indent > margin]
        if not deeper:
            return []
        first, last = deeper[0], deeper[-1]
        for place in range(first + 1, last):  # the parameters of a head on lines of their own
            line = self.text[part[place].first : part[place].end]
            if part[place].indent == margin and line[0] in ")]" and line[-1] in "{:":
                first = place + 1
                break
        return part[first : last + 1]
