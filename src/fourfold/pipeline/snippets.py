"""Which lines of a chunk tell most about a question. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

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
        lowered = "\n".join(lines[:MAX_SCANNED]).lower()
        hinted = Counter(offset for hint in self._hints for offset in _lines_with(hint, lowered))
        scored: list[tuple[int, int]] = []
        for offset, bound in sorted(hinted.items(), key=lambda item: (-item[1], item[0])):
            if len(scored) >= MAX_LINES and sorted(scored)[MAX_LINES - 1] < (-bound, first_line + offset):
                continue  # this line cannot be better
            found = {stem(part) for word in words(lines[offset]) for part in parts(word)} & self._wanted
            if found:
                scored.append((-len(found), first_line + offset))
        return tuple(sorted(number for _, number in sorted(scored)[:MAX_LINES]))


def _lines_with(hint: str, text: str) -> Iterator[int]:
    """Offsets of the lines of a text that hold a string."""
    offset = at = 0
    found = text.find(hint)
    while found >= 0:
        offset += text.count("\n", at, found)
        yield offset
        at = text.find("\n", found + len(hint)) + 1
        if not at:
            return
        offset += 1
        found = text.find(hint, at)
