"""The matchers behind a pattern: plain text, RE2 (linear time), and a back-tracking one with a time limit.

All yield *spans*: half-open character offsets of the matches in a text, in order, without overlap, none of
them across a line end. A match of nothing yields one empty span, and no more of its line.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from fourfold.model.errors import TimedOut
from fourfold.retrieve.literal_lines import Line, Span, matched_lines, other_lines

BLOCK_WORK = 10_000_000
"""Instructions of the program times bytes of text that RE2 runs on at once, before it looks at the clock: a
quarter of a second at worst (40 to 70 million a second where it keeps track of groups and its automaton outgrows
its memory). Programs without large counted repeats are some twenty instructions and run at 100 MB/s or more."""
MIN_BLOCK_BYTES = 64
LONG_WORK = 100_000_000
"""The same for one line, which cannot be cut: two seconds at worst. A longer one is first tried in pieces."""
MAX_WORK = 2_000_000_000
"""Beyond this the line is not even tried."""
MATCHES_AT_ONCE = 31
"""Matches less one between two looks at the clock (a mask), in a block of no more than :data:`BLOCK_WORK`."""
MODERATE_LINE = 500
"""Characters. One repeat or alternation costs at most some square of this in steps: a few milliseconds. (A
look at the clock costs the matcher nine microseconds, five times a search of a line.)"""


class Engine(Protocol):
    """Finds the matches in one text. `deadline` is a moment of ``time.monotonic()``."""

    def spans(self, text: str, deadline: float) -> Iterator[Span]:
        """The spans. Raises :class:`TimedOut` where the text cannot be searched in time."""
        ...


@dataclass(frozen=True)
class PlainEngine:
    """Looks for plain text. `general` is the engine for the same where upper and lower case are more than
    ASCII."""

    needle: str
    ignore_case: bool
    word: bool
    general: Engine

    def spans(self, text: str, deadline: float) -> Iterator[Span]:
        """As in :class:`Engine`."""
        if not self.ignore_case:
            return self._find(text, self.needle)
        if self.needle.isascii() and text.isascii():
            return self._find(text.lower(), self._folded)
        return self.general.spans(text, deadline)

    @cached_property
    def _folded(self) -> str:
        return self.needle.lower()

    def _find(self, text: str, needle: str) -> Iterator[Span]:
        size, start = len(needle), text.find(needle)
        while start >= 0:
            end = start + size
            if self.word and not _stands_alone(text, start, end):
                start = text.find(needle, start + 1)
                continue
            yield start, end
            start = text.find(needle, end)


@dataclass(frozen=True)
class LinearEngine:
    """Runs RE2.

    Where whole words are wanted, `compiled` also matches what stands before and behind the word, the word is
    its first group, and `adjacent` matches a word that begins right where the search does. `wide`, where
    there is one, takes over where a text is more than ASCII.
    """

    compiled: Any
    adjacent: Any = None
    wide: Engine | None = None

    def spans(self, text: str, deadline: float) -> Iterator[Span]:
        """As in :class:`Engine`."""
        if self.wide is not None and not text.isascii():
            yield from self.wide.spans(text, deadline)
            return
        data = text.encode("utf-8", "replace")
        blocks = self._blocks(data, deadline)
        if len(data) == len(text):
            for begin, end in blocks:
                _check(deadline)
                yield from self._byte_spans(data, begin, end, deadline)
            return
        characters, known = 0, 0
        for begin, end in blocks:
            _check(deadline)
            for start, stop in self._byte_spans(data, begin, end, deadline):
                characters += _length(data, known, start)
                width = _length(data, start, stop)
                yield characters, characters + width
                characters, known = characters + width, stop

    def _byte_spans(self, data: bytes, begin: int, end: int, deadline: float) -> Iterator[Span]:
        if self.adjacent is None:
            return self._matches(data, begin, end, deadline)
        return self._words(data, begin, end, deadline)

    def _matches(self, data: bytes, begin: int, end: int, deadline: float) -> Iterator[Span]:
        seldom = MATCHES_AT_ONCE if (end - begin) * self.compiled.programsize <= BLOCK_WORK else 0
        position: int | None = begin
        while position is not None:
            restart = None
            for number, match in enumerate(self.compiled.finditer(data, position, end)):
                if not number & seldom:
                    _check(deadline)
                start, stop = match.span()
                if start == stop:
                    restart = _next_line(data, start, end)
                    if not _behind_last_line(data, start):
                        yield start, start
                    break
                yield start, stop
            position = restart

    def _words(self, data: bytes, begin: int, end: int, deadline: float) -> Iterator[Span]:
        """Each search begins where the last word ended: the character behind it may also stand before the
        next."""
        position: int | None = begin
        separated = False
        while position is not None:
            _check(deadline)
            match = self.adjacent.match(data, position, end) if separated else None
            match = match or self.compiled.search(data, position, end)
            if match is None:
                return
            start, stop = match.span(1)
            position = stop if stop > start else _next_line(data, start, end)
            separated = stop > start and not _is_word(_last_character(data, stop))
            if stop > start or not _behind_last_line(data, start):
                yield start, stop

    def _blocks(self, data: bytes, deadline: float) -> Iterator[Span]:
        """The data in blocks of whole lines, small ones where the program is large."""
        size = self.compiled.programsize
        block = max(MIN_BLOCK_BYTES, BLOCK_WORK // size)
        begin = 0
        while begin <= len(data):
            end = len(data)
            if end - begin > block:
                # Whole lines of no more than a block, else the one line that is longer.
                end = data.rfind(b"\n", begin, begin + block)
                end = data.find(b"\n", begin + block) if end < 0 else end
                end = len(data) if end < 0 else end
            work = (end - begin) * size
            if work > MAX_WORK or (work > LONG_WORK and not self._fast(data, begin, end, block, deadline)):
                raise TimedOut("a line is too long for this regular expression", hint=_SIMPLER)
            yield begin, end
            begin = end + 1

    def _fast(self, data: bytes, begin: int, end: int, block: int, deadline: float) -> bool:
        """True where a long line, searched piece by piece, took less than half of the time that is left.

        What the pieces match says nothing; the time does, and here the clock can be looked at.
        """
        started = time.monotonic()
        for piece in range(begin, end, block):
            if 2 * (time.monotonic() - started) > deadline - started:
                return False
            for _ in self._byte_spans(data, piece, min(piece + block, end), deadline):
                pass
        return 2 * (time.monotonic() - started) <= deadline - started


@dataclass(frozen=True)
class LimitedEngine:
    """Runs a back-tracking matcher (look-around, back-references) on one line after another.

    `timeout_s` bounds the time for one text. `narrow`, where there is one, finds the lines that can match.
    `tame` says that the time for a line of moderate length cannot explode, so that the matcher need not look
    at the clock in it.
    """

    compiled: Any
    timeout_s: float
    narrow: Engine | None
    tame: bool

    def spans(self, text: str, deadline: float) -> Iterator[Span]:
        """As in :class:`Engine`; look-around sees the line only."""
        limit = min(deadline, time.monotonic() + self.timeout_s)
        if self.narrow is None:
            lines: Iterable[Line] = other_lines(text, ())
        else:
            lines = matched_lines(text, self.narrow.spans(text, deadline))
        for line in lines:
            for start, end in self._line_spans(text[line.start : line.end], limit):
                yield line.start + start, line.start + end

    def _line_spans(self, line: str, limit: float) -> Iterator[Span]:
        position = 0
        while True:
            left = limit - time.monotonic()
            try:
                if left <= 0:
                    raise TimeoutError
                if self.tame and len(line) <= MODERATE_LINE:
                    match = self.compiled.search(line, position)
                else:
                    match = self.compiled.search(line, position, timeout=left)
            except TimeoutError:
                message = f"regular expression took more than {self.timeout_s:g} s on one file"
                raise TimedOut(message, hint=_SIMPLER) from None
            if match is None:
                return
            start, position = match.span()
            yield start, position
            if start == position:
                return


_SIMPLER = "write it without look-around, back-references and nested or large repeats"


def _stands_alone(text: str, start: int, end: int) -> bool:
    """True where no letter, digit or underscore touches the span."""
    return not (start > 0 and _is_word(text[start - 1])) and not (end < len(text) and _is_word(text[end]))


def _is_word(char: str) -> bool:
    return char == "_" or char.isalnum()


def _check(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise TimedOut("the search took too long", hint="narrow it by path or language, or raise the time limit")


def _next_line(data: bytes, position: int, end: int) -> int | None:
    found = data.find(b"\n", position, end)
    return found + 1 if found >= 0 else None


def _behind_last_line(data: bytes, position: int) -> bool:
    """True at the end of a text whose last line is complete: no line begins there."""
    return position == len(data) and (position == 0 or data.endswith(b"\n"))


def _last_character(data: bytes, end: int) -> str:
    """The character of UTF-8 bytes that ends at `end`."""
    return data[max(0, end - 4) : end].decode("utf-8", "ignore")[-1:]


def _length(data: bytes, start: int, end: int) -> int:
    """Characters of UTF-8 bytes."""
    return len(data[start:end].decode("utf-8", "ignore"))
