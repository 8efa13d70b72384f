"""Line windows: the baseline chunker, and what serves text without structure."""

from __future__ import annotations

from fourfold.model.chunk import Chunk
from fourfold.syntax.pages import Page

BASELINE_LINES = 50
"""Lines of one window of the line-based baseline chunker, without overlap."""

MAX_LINES = 80
"""No chunk is longer than this, tails aside: about two screens."""

MAX_CHARS = 3_000
"""No chunk of several lines is larger than this (about 750 tokens): what small embedders read in full."""

TARGET_CHARS = 1_400
"""Size that windows and merged neighbours aim at, about 35 lines of code."""

_LOOK_BACK = 12
"""Rows that a window gives up at most to end at a blank line or at an outer indentation."""


def baseline_chunks(page: Page) -> list[Chunk]:
    """Windows of :data:`BASELINE_LINES` lines, whatever they hold; blank rows at the ends are left out."""
    chunks = []
    for first in range(0, len(page), BASELINE_LINES):
        chunk = make_chunk(page, first, min(first + BASELINE_LINES, len(page)) - 1, "window")
        if chunk:
            chunks.append(chunk)
    return chunks


def window_runs(page: Page, first: int, last: int, target: int = TARGET_CHARS) -> list[tuple[int, int]]:
    """Cut rows `first` to `last` into runs of about `target` characters, best at blank lines.

    The runs are disjoint, in order, without blank ends, and cover every non-blank row.
    """
    runs = []
    while first <= last:
        end = _window_end(page, first, last, target)
        run = page.trim(first, end)
        if run[0] <= run[1]:
            runs.append(run)
        first = end + 1
    return runs


def make_chunk(
    page: Page, first: int, last: int, kind: str, symbol: str = "", parent: str = "", signature: str = ""
) -> Chunk | None:
    """The chunk of rows `first` to `last` without blank ends; None where all rows are blank."""
    first, last = page.trim(first, last)
    if first > last:
        return None
    return Chunk(first + 1, last + 1, page.text(first, last), kind, symbol, parent, signature)


def _window_end(page: Page, first: int, last: int, target: int) -> int:
    end = first
    while end < last and end - first + 1 < MAX_LINES and page.chars(first, end + 1) <= target:
        end += 1
    if end == last:
        return end
    return _better_end(page, first, end)


def _better_end(page: Page, first: int, end: int) -> int:
    """Of the last rows up to `end`, the best to stop at: before a blank row, else before the least indented
    one.
    """
    floor = max(first, end - _LOOK_BACK, first + (end - first) // 2)
    best, best_indent = end, 1_000_000
    for row in range(end, floor - 1, -1):
        follower = page.lines[row + 1]
        if not follower or follower.isspace():
            return row
        indent = len(follower) - len(follower.lstrip())
        if indent < best_indent and follower.lstrip()[:1] not in "})]":
            best, best_indent = row, indent
    return best
