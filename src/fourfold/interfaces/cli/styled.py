"""A line with marked spans, made safe, fitted and styled for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, expand_tabs, safe, width

LONGEST_LINE = 4000
"""Characters of one line that are printed on a pipe; longer lines are data, not code."""


def styled_line(
    text: str, spans: Sequence[tuple[int, int]], terminal: Terminal, columns: int | None, role: str = "match"
) -> str:
    """`text` with the characters of `spans` in style `role`, at most `columns` wide (None: unlimited)."""
    room = columns
    pieces: list[str] = []
    used = 0
    for piece, marked in _pieces(text[:LONGEST_LINE], spans):
        shown = safe(piece) if columns is None else expand_tabs(safe(piece), used)
        if room is not None and used + width(shown) > room:
            shown = cut(shown, room - used)
            pieces.append(terminal.style(role, shown) if marked else shown)
            return "".join(pieces)
        pieces.append(terminal.style(role, shown) if marked else shown)
        used += width(shown)
    return "".join(pieces) + ("…" if len(text) > LONGEST_LINE else "")


def _pieces(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """`text` in order as (piece, marked); overlapping spans are joined."""
    pieces: list[tuple[str, bool]] = []
    position = 0
    for start, end in sorted(spans):
        start, end = max(start, position), min(end, len(text))
        if start >= end:
            continue
        if start > position:
            pieces.append((text[position:start], False))
        pieces.append((text[start:end], True))
        position = end
    if position < len(text):
        pieces.append((text[position:], False))
    return pieces
