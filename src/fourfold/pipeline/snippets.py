"""Which lines of a chunk tell most about a question. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from fourfold.model.text import parts, words
from fourfold.store.terms import stem

MAX_LINES = 3
"""Lines named as matching best."""
MAX_SCANNED = 2_000
"""Lines of a chunk that are looked at."""
HINT_LETTERS = 4
"""First letters of a stem that a line must hold before its words are looked at: a stem may change the end of a word
(``polici`` for policy), never its beginning."""


class TellingLines:
    """Finds the lines that tell most of a question, given by the stems of its content words: those that hold most of
    them, where a word counts the less the more lines of the chunk hold it (in a table every line has a *name*)."""

    def __init__(self, stems: Sequence[str]) -> None:
        self._hints = {text: text[:-1] if 2 < len(text) <= HINT_LETTERS else text[:HINT_LETTERS] for text in stems}

    def __call__(self, lines: Sequence[str], first_line: int) -> tuple[int, ...]:
        """Numbers of the lines, at most :data:`MAX_LINES`, ascending; `first_line` is the number of ``lines[0]``."""
        return tuple(sorted(self.ranked(lines, first_line)))

    def ranked(self, lines: Sequence[str], first_line: int) -> list[int]:
        """The same lines, the one that tells most first."""
        scored: list[tuple[float, int]] = []
        bounds, worths = self._hinted(lines)
        for bound, offset in bounds:
            if len(scored) >= MAX_LINES and sorted(scored)[MAX_LINES - 1] < (bound, first_line + offset):
                break  # no further line can be better
            found = worths.keys() & frozenset().union(*map(_stems, words(lines[offset])))
            if found:
                scored.append((-_sum([worths[text] for text in found]), first_line + offset))
        return [number for _, number in sorted(scored)[:MAX_LINES]]

    def _hinted(self, lines: Sequence[str]) -> tuple[list[tuple[float, int]], dict[str, float]]:
        """(what it may be worth at most, negated; offset) of the lines that may hold a word, best first; what each word
        is worth."""
        lowered = "\n".join(lines[:MAX_SCANNED]).lower()
        held: dict[int, list[float]] = {}
        worths: dict[str, float] = {}
        for text, hint in self._hints.items():
            offsets = _lines_with(lowered, hint)
            if offsets:
                worths[text] = worth = 1.0 / (1.0 + math.log2(len(offsets)))
                for offset in offsets:
                    held.setdefault(offset, []).append(worth)
        return sorted([(-_sum(found), offset) for offset, found in held.items()]), worths


def _sum(worths: list[float]) -> float:
    """The sum of some numbers, whatever their order."""
    return worths[0] if len(worths) == 1 else sum(sorted(worths))


def _lines_with(text: str, hint: str) -> list[int]:
    """Offsets (in lines) of the lines of a text that hold a hint."""
    offsets = []
    line = start = 0
    at = text.find(hint)
    while at >= 0:
        line += text.count("\n", start, at)
        offsets.append(line)
        start = text.find("\n", at)
        at = text.find(hint, start) if start >= 0 else -1
    return offsets


def opener(lines: Sequence[str], index: int) -> int:
    """The line that opens the block in which a line stands: the nearest one above that is indented less; the line
    itself where there is none."""
    depth = _depth(lines[index])
    for above in range(index - 1, -1, -1):
        if lines[above].strip() and _depth(lines[above]) < depth and any(map(str.isalnum, lines[above])):
            return above
    return index


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


@lru_cache(maxsize=65536)
def _stems(word: str) -> frozenset[str]:
    """The stems of a word's parts."""
    return frozenset(map(stem, parts(word)))
