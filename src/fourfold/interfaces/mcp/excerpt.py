"""The telling lines of a piece of code within a number of characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fourfold.interfaces.mcp.fence import MAX_LINE, Line
from fourfold.pipeline.snippets import opener

SEARCH_CHARS, LATER_CHARS = 500, 200
"""Code shown of the first result of a search, and of later ones and further places of a file ..."""
CHARS_TO_RANK = ((1, SEARCH_CHARS), (2, 400), (10, LATER_CHARS), (30, 60))
"""... up to which rank, and of those behind ..."""
LEAST_CHARS = 40
"""... that only a long list has: an agent that reads on looks for more places, and opens the one it wants."""
SYMBOL_CHARS = 800
"""Code shown in a look-up of a symbol."""

_GAP = 6
"""What a gap mark costs, in characters."""


def search_chars(rank: int, *, again: bool) -> int:
    """Characters of code of a result of a search; `again` where an earlier one was of the same file."""
    chars = next((chars for last, chars in CHARS_TO_RANK if rank <= last), LEAST_CHARS)
    return min(chars, LATER_CHARS) if again else chars


def excerpt(text: str, first_line: int, matched: Iterable[int] = (), chars: int = SEARCH_CHARS) -> list[Line]:
    """The whole text where it fits `chars`, else its head and the matched lines, then what stands around them.

    Lines keep their numbers in the file; at least one is given. `matched` are numbers of lines in the file.
    """
    lines = text.split("\n")
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    if len(text) <= chars:
        return [(first_line + index, line) for index, line in enumerate(lines)]
    chosen: set[int] = set()
    used = 0
    for index in _by_interest(lines, [number - first_line for number in matched]):
        cost = min(len(lines[index]), MAX_LINE) + 1
        if index - 1 not in chosen and index + 1 not in chosen:
            cost += _GAP
        if chosen and used + cost > chars:
            continue
        chosen.add(index)
        used += cost
    for index in sorted(chosen):  # blank lines between chosen ones cost less than a gap mark
        after = next((at for at in range(index + 1, len(lines)) if lines[at].strip()), index)
        if after in chosen:
            chosen.update(range(index + 1, after))
    return [(first_line + index, lines[index]) for index in sorted(chosen)]


def around(lines: Sequence[str], line: int, context: int = 2) -> list[Line]:
    """A line (from 1) and up to `context` lines on each side."""
    first = max(1, line - context)
    return [(number, lines[number - 1]) for number in range(first, min(len(lines), line + context) + 1)]


def _by_interest(lines: Sequence[str], matched: Sequence[int]) -> list[int]:
    """Indexes of lines: the first, the matched ones, those that open their blocks, their surroundings nearest first,
    then the rest in order."""
    head = next((index for index, line in enumerate(lines) if line.strip()), 0)
    inside = [index for index in matched if 0 <= index < len(lines)]
    core = [head, *inside, *(opener(lines, index) for index in inside)]
    near = [index + step for distance in (1, 2) for index in core for step in (-distance, distance)]
    order = [*core, *(index for index in near if 0 <= index < len(lines)), *range(len(lines))]
    return list(dict.fromkeys(index for index in order if lines[index].strip() or index in core))
