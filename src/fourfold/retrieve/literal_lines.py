"""From the spans of matches to the lines that hold them. A final line end closes the last line, it opens
none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(slots=True)
class Line:
    """One line: `number` counts from 1, `start` and `end` are its offsets in the text without the line end.

    `spans` are the matches in it, as offsets in the text.
    """

    number: int
    start: int
    end: int
    spans: list[Span]


def matched_lines(text: str, spans: Iterable[Span]) -> Iterator[Line]:
    """The lines with a match, in order. `spans` are in order and none crosses a line end."""
    line: Line | None = None
    number, counted = 1, 0
    for span in spans:
        begin = span[0]
        if line is not None:
            if begin <= line.end:
                line.spans.append(span)
                continue
            yield line
        start = text.rfind("\n", 0, begin) + 1
        number += text.count("\n", counted, start)
        counted = start
        line = Line(number, start, _line_end(text, span[1]), [span])
    if line is not None:
        yield line


def other_lines(text: str, matched: Iterable[Line]) -> Iterator[Line]:
    """The lines without a match, in order."""
    number, start = 1, 0
    for line in matched:
        yield from _between(text, number, start, line.start)
        number, start = line.number + 1, line.end + 1
    yield from _between(text, number, start, len(text))


def context_before(text: str, start: int, count: int) -> tuple[str, ...]:
    """Up to `count` lines before the line that begins at `start`."""
    lines: list[str] = []
    end = start - 1
    while end >= 0 and len(lines) < count:
        begin = text.rfind("\n", 0, end) + 1
        lines.append(text[begin:end])
        end = begin - 1
    return tuple(reversed(lines))


def context_after(text: str, end: int, count: int) -> tuple[str, ...]:
    """Up to `count` lines after the line that ends at `end`."""
    lines: list[str] = []
    begin = end + 1
    while begin < len(text) and len(lines) < count:
        stop = _line_end(text, begin)
        lines.append(text[begin:stop])
        begin = stop + 1
    return tuple(lines)


def _between(text: str, number: int, start: int, stop: int) -> Iterator[Line]:
    """The lines that begin in ``text[start:stop]``; `start` is the beginning of line `number`."""
    while start < stop:
        end = _line_end(text, start)
        yield Line(number, start, end, [])
        number, start = number + 1, end + 1


def _line_end(text: str, position: int) -> int:
    found = text.find("\n", position)
    return found if found >= 0 else len(text)
