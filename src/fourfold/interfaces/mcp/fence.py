"""Repository text as data in Markdown: fences and code spans that the text cannot close."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BACKTICKS = re.compile(r"`+")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Characters that could hide text or reorder it for a reader; shown as U+FFFD."""

MAX_LINE = 400
"""Characters of one line of code that are shown."""

Line = tuple[int, str]
"""A line's number in its file, and its text."""


def fenced(lines: Sequence[Line], language: str = "") -> str:
    """Numbered lines in a fence longer than any run of backticks in them; a gap in the numbers is shown as ``...``."""
    width = len(str(lines[-1][0])) if lines else 1
    shown: list[str] = []
    last = 0
    for number, text in lines:
        if last and number != last + 1:
            shown.append(" " * width + " ...")
        shown.append(f"{number:>{width}} {clean(text)}".rstrip())
        last = number
    body = "\n".join(shown)
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(body)), default=0))
    return f"{fence}{re.sub(r'[^A-Za-z0-9+#-]', '', language)}\n{body}\n{fence}"


def clean(text: str) -> str:
    """One line of code fit to be shown: no control or direction characters, cut where it is very long."""
    text = _UNSEEN.sub("\ufffd", text)
    return text if len(text) <= MAX_LINE else f"{text[:MAX_LINE]} ... ({len(text):,} characters)"


def code(text: str) -> str:
    """Text as a code span on one line, whatever it holds."""
    text = _UNSEEN.sub("\ufffd", " ".join(text.split())) or " "
    if len(text) > MAX_LINE:
        text = text[:MAX_LINE] + "..."
    ticks = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def plain(text: str, limit: int = 300) -> str:
    """Repository text inside a sentence: one line, nothing that Markdown would read as structure."""
    text = _UNSEEN.sub("\ufffd", " ".join(text.split()))
    text = text.replace("`", "'").replace("<", "&lt;").replace("[", "(").replace("]", ")")
    return text if len(text) <= limit else text[:limit] + "..."
