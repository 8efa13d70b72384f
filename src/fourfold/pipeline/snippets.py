"""Which lines of a chunk tell most about a question. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fourfold.model.text import parts, words
from fourfold.store.terms import stem

MAX_LINES = 3
"""Lines named as matching best."""
MAX_SCANNED = 400
"""Lines of a chunk that are looked at."""
HINT_LETTERS = 4
"""First letters of a stem that a line must hold before its words are looked at: a stem may change the end of a word
(``polici`` for policy), never its beginning."""


class TellingLines:
    """Finds the lines that hold most distinct words of a question, given by the stems of its content words."""

    def __init__(self, stems: Sequence[str]) -> None:
        self._wanted = frozenset(stems)
        self._hints = [text[:-1] if 2 < len(text) <= HINT_LETTERS else text[:HINT_LETTERS] for text in self._wanted]

    def __call__(self, lines: Sequence[str], first_line: int) -> tuple[int, ...]:
        """Numbers of the lines, at most :data:`MAX_LINES`, ascending; `first_line` is the number of ``lines[0]``."""
        scored: list[tuple[int, int]] = []
        for bound, offset in self._hinted(lines):
            if len(scored) >= MAX_LINES and sorted(scored)[MAX_LINES - 1] < (bound, first_line + offset):
                break  # no further line can be better
            found = self._wanted & frozenset().union(*map(_stems, words(lines[offset])))
            if found:
                scored.append((-len(found), first_line + offset))
        return tuple(sorted(number for _, number in sorted(scored)[:MAX_LINES]))


    def _hinted(self, lines: Sequence[str]) -> list[tuple[int, int]]:
        """(how many wanted words it may hold at most, negated; offset) of the lines that may hold any, best first."""
        lowered = "\n".join(lines[:MAX_SCANNED]).lower()
        each = lowered.split("\n")
        bounds: dict[int, int] = {}
        for hint in self._hints:
            if hint in lowered:
                for offset in [offset for offset, line in enumerate(each) if hint in line]:
                    bounds[offset] = bounds.get(offset, 0) - 1
        return sorted((bound, offset) for offset, bound in bounds.items())


@lru_cache(maxsize=65536)
def _stems(word: str) -> frozenset[str]:
    """The stems of a word's parts."""
    return frozenset(map(stem, parts(word)))
