"""Text on a terminal: what may be printed, how many columns it takes, and how it is cut or padded to fit.

Names and code come from repositories and are not trusted: control characters could move the cursor or change
the terminal's state, bidirectional controls could make code read otherwise than it is. Both are escaped.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f"  # C0 without the tab, DEL, C1
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # bidi, separators, invisible
    "\ud800-\udfff\U000e0000-\U000e007f]"  # lone surrogates, tag characters
)
"""Characters never printed as they are. Zero-width joiners stay: Persian, Indic scripts, emoji need them."""

TAB_COLUMNS = 4
"""A tab advances to the next multiple of this many columns."""


def safe(text: str) -> str:
    """`text` with every unsafe character escaped (``\\x1b``, ``\\u202e``); tabs stay."""
    return UNSAFE.sub(_escape, text)


def safe_name(text: str) -> str:
    """Like :func:`safe` for names and paths, where a tab is unsafe too."""
    return safe(text).replace("\t", "\\t")


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return {10: "\\n", 13: "\\r"}.get(code, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@lru_cache(maxsize=4096)
def columns_of(character: str) -> int:
    """Columns that one character takes: 2 for East Asian wide ones, 0 for combining marks, else 1."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def width(text: str) -> int:
    """Columns that `text` (without tabs) takes."""
    return len(text) if text.isascii() else sum(map(columns_of, text))


def pad(text: str, columns: int) -> str:
    """`text` followed by spaces up to `columns`; longer text stays as it is."""
    return text + " " * (columns - width(text))


def cut(text: str, columns: int | None, mark: str = "…") -> str:
    """`text` cut at its end to at most `columns` columns, `mark` showing the cut; None means no limit."""
    if columns is None or width(text) <= columns:
        return text
    room = columns - width(mark)
    return _head(text, room) + mark if room >= 0 else _head(text, max(columns, 0))


def cut_left(text: str, columns: int | None, mark: str = "…") -> str:
    """Like :func:`cut`, losing the beginning: for paths, whose end tells most."""
    if columns is None or width(text) <= columns:
        return text
    room = columns - width(mark)
    return mark + _head(text[::-1], room)[::-1] if room >= 0 else _head(text, max(columns, 0))


def _head(text: str, columns: int) -> str:
    """The longest beginning of `text` that takes at most `columns` columns."""
    used = 0
    for index, character in enumerate(text):
        used += columns_of(character)
        if used > columns:
            return text[:index]
    return text


def expand_tabs(text: str, start: int = 0) -> str:
    """`text`, which begins at column `start`, with tabs as spaces."""
    if "\t" not in text:
        return text
    pieces: list[str] = []
    column = start
    for piece in re.split("(\t)", text):
        shown = " " * (TAB_COLUMNS - column % TAB_COLUMNS) if piece == "\t" else piece
        pieces.append(shown)
        column += width(shown)
    return "".join(pieces)
