"""Which lines of a chunk tell most about a question. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.model.text import parts, words
from fourfold.store.terms import stem

MAX_LINES = 3
"""Lines named as matching best."""
MAX_SCANNED = 400
"""Lines of a chunk that are looked at."""
HINT_LETTERS = 4
"""First letters of a stem that a line must hold before its words are looked at: a stem may change the end of a word
(``polici`` for policy), never its beginning."""


def telling_lines(lines: Sequence[str], first_line: int, stems: Sequence[str]) -> tuple[int, ...]:
    """Numbers of the lines that hold most distinct words of the question, at most :data:`MAX_LINES`, ascending.

    `first_line` is the number of ``lines[0]``; `stems` are the stems of the question's content words.
    """
    wanted = frozenset(stems)
    hints = {text[:-1] if 2 < len(text) <= HINT_LETTERS else text[:HINT_LETTERS] for text in wanted}
    scored: list[tuple[int, int]] = []
    for offset, line in enumerate(lines[:MAX_SCANNED]):
        lowered = line.lower()
        if any(hint in lowered for hint in hints):
            found = {stem(part) for word in words(line) for part in parts(word)} & wanted
            if found:
                scored.append((-len(found), first_line + offset))
    scored.sort()
    return tuple(sorted(number for _, number in scored[:MAX_LINES]))
