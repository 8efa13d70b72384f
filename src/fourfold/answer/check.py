"""Citations looked up on disk: the quote must stand in the file; where its lines moved, the numbers follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from fourfold.answer.claim import Evidence

Read = Callable[[str], "str | None"]
"""The text of a path as it is on disk now (``\\n`` line ends), None where it is not there or not to be read."""


@dataclass(slots=True)
class Checker:
    """Checks evidence against the files. `removed` counts what failed."""

    read: Read
    removed: int = 0
    _texts: dict[str, list[str] | None] = field(default_factory=dict)

    def check(self, evidence: Evidence) -> tuple[Evidence, int] | None:
        """(the evidence with its lines and text as on disk, lines moved), or None (and counted) where it fails."""
        found = self.find(evidence)
        if found is None:
            self.removed += 1
        return found

    def find(self, evidence: Evidence) -> tuple[Evidence, int] | None:
        """As :meth:`check`, without counting."""
        lines = self.lines(evidence.path)
        quote = [line.strip() for line in evidence.quote.split("\n")]
        if lines is None or not any(quote):
            return None
        start = nearest(lines, quote, evidence.start_line)
        if not start:
            return None
        end = start + len(quote) - 1
        text = "\n".join(lines[start - 1 : end])
        return replace(evidence, start_line=start, end_line=end, quote=text), start - evidence.start_line

    def lines(self, path: str) -> list[str] | None:
        """The lines of a file on disk, read once."""
        if path not in self._texts:
            text = self.read(path)
            self._texts[path] = None if text is None else text.split("\n")
        return self._texts[path]


MIN_MOVED_CHARS = 8
"""Letters and digits that a quote must hold to be looked for elsewhere: a line such as ``else:`` is everywhere."""


def nearest(lines: list[str], quote: list[str], near: int) -> int:
    """The line (from 1) nearest to `near` where the stripped lines `quote` stand one below the other; 0 for none."""
    stripped = [line.strip() for line in lines]
    if 0 < near <= len(lines) and stripped[near - 1 : near - 1 + len(quote)] == quote:
        return near
    if sum(map(str.isalnum, "".join(quote))) < MIN_MOVED_CHARS:
        return 0
    found = [at + 1 for at, line in enumerate(stripped) if line == quote[0] and stripped[at : at + len(quote)] == quote]
    return min(found, key=lambda at: abs(at - near), default=0)
