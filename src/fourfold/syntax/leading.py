"""What stands directly above a definition and belongs to it: comments, decorators, attributes, doc
strings."""

from __future__ import annotations

_BLOCK_MARKS = (("*/", "/*"), ("-}", "{-"), ('"""', '"""'), ("-->", "<!--"), ("]]", "--[["))
"""Ends of block comments and doc strings, and how they begin."""

_MAX_BLOCK_ROWS = 400
_MAX_ATTRIBUTE_ROWS = 60
_ATTRIBUTE_STARTS = ("@", "#[", "[")


def owned_start(lines: list[str], comments: tuple[str, ...], row: int, floor: int) -> int:
    """The first row, not above `floor`, of what directly precedes the definition at `row` and belongs to it.

    `comments` are prefixes of lines that belong to the definition below them. Lines indented deeper than the
    definition belong to what is above. Attributes of several lines (``@Component({ ... })``) and block
    comments are taken whole.
    """
    limit = _indent(lines[row]) + 1
    while row > floor:
        above = lines[row - 1]
        text = above.strip()
        if not text:
            return row
        block = _block_start(lines, row - 1, floor)
        if block < 0 and text[0] in ")]}":
            block = _attribute_start(lines, comments, row - 1, floor)
        if block < 0 and text.startswith(comments):
            block = row - 1
        if block < 0 or _indent(lines[block]) > limit:
            return row
        row = block
    return row


def _block_start(lines: list[str], row: int, floor: int) -> int:
    """The row where the block comment or doc string that ends on `row` begins; -1 where none of several rows
    ends."""
    text = lines[row].strip()
    for end, start in _BLOCK_MARKS:
        if not text.endswith(end) or start in text[: -len(end)]:
            continue
        for first in range(row - 1, max(floor, row - _MAX_BLOCK_ROWS) - 1, -1):
            if start in lines[first]:
                return first if lines[first].lstrip().startswith((start, "@", "#", "--")) else -1
    return -1


def _attribute_start(lines: list[str], comments: tuple[str, ...], row: int, floor: int) -> int:
    """The row of the ``@`` or ``#[`` whose arguments end on `row`, at the same indentation; -1 where there is
    none."""
    starts = tuple(mark for mark in _ATTRIBUTE_STARTS if mark in comments)
    indent = _indent(lines[row])
    for first in range(row - 1, max(floor, row - _MAX_ATTRIBUTE_ROWS) - 1, -1):
        line = lines[first]
        if line and not line.isspace() and _indent(line) <= indent:
            return first if starts and line.lstrip().startswith(starts) else -1
    return -1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
