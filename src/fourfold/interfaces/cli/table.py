"""Two-column facts and aligned columns."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import cut, pad, width

GAP = "  "


def facts(rows: Sequence[tuple[str, str]], terminal: Terminal) -> list[str]:
    """``name  value`` lines, names dimmed and aligned."""
    columns = max((width(name) for name, _ in rows), default=0)
    room = None if terminal.columns is None else max(terminal.columns - columns - len(GAP), 20)
    return [f"{terminal.style('dim', pad(name, columns))}{GAP}{cut(value, room)}" for name, value in rows]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines with aligned columns; all rows have the same number of cells."""
    if not rows:
        return []
    columns = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [GAP.join(map(pad, row, columns)).rstrip() for row in rows]
