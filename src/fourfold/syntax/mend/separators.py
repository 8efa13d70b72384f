"""Semicolons that TypeScript lets out and its grammar wants: before a generic signature that begins a line of an
interface (``<T>(value: T): Set<T>``), which it reads on from the line before.
"""

from __future__ import annotations

import re

LANGUAGES = frozenset({"typescript"})
"""Not TSX, where an element may begin a line."""
_OPEN = re.compile(r"^(?P<indent>[ \t]*)[ \t](?=<[ \t]*(?:const[ \t]+)?[A-Z\n])", re.MULTILINE)
_ENDED = (">", ")", "]", "}", ";")


def separated(text: str) -> str:
    """`text` with a semicolon in place of the blank before a signature without a name that follows another one."""
    return _OPEN.sub(lambda found: f"{found['indent']};" if _follows(text, found.start()) else found[0], text)


def _follows(text: str, start: int) -> bool:
    """True where what stands before a line, comments left out, may be a whole signature."""
    for line in reversed(text[max(0, start - 2_000) : start].split("\n")):
        code = line.strip()
        if code and not code.startswith(("//", "*", "/*")):
            return code.endswith(_ENDED) or code[-1].isalnum()
    return False
