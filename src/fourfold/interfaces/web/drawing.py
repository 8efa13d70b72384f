"""A symbol's neighbourhood as a drawing: callers left, callees right, bases above, subclasses below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.interfaces.http.answers import GraphResult, Neighbour
from fourfold.interfaces.web.links import graph_address

WIDTH = 1040
BOX_WIDTH, BOX_HEIGHT, GAP = 272, 40, 16
MIDDLE_WIDTH, MIDDLE_HEIGHT = 288, 64
ABOVE_PER_ROW = 3
NAME_CHARS, PLACE_CHARS = 27, 35
"""Characters that a box has room for in the page's fonts."""


@dataclass(frozen=True, slots=True)
class Box:
    """A neighbour: its top left corner, its texts, the size of its mark, and where a click leads."""

    x: float
    y: float
    name: str
    place: str
    radius: float
    side: str
    confidence: str
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """An edge as the path of an SVG; `kind` is what it means."""

    d: str
    confidence: str
    kind: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes and lines on a canvas; the middle box has its top left corner at (`x`, `y`)."""

    height: float
    x: float
    y: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    labels: tuple[tuple[float, float, str], ...]


def draw(found: GraphResult) -> Drawing:
    """Lay the neighbours of the first symbol out."""
    by_side: dict[str, list[Neighbour]] = {}
    for one in found.items:
        by_side.setdefault("inherits" if one.side == "overrides" else one.side, []).append(one)
    above, below = by_side.get("inherits", []), by_side.get("inheritors", [])
    left, right = by_side.get("callers", []), by_side.get("callees", [])
    step = BOX_HEIGHT + GAP
    above_height = _rows(above) * step + (24 if above else 0)
    below_height = _rows(below) * step + (24 if below else 0)
    columns = max(len(left), len(right), 1) * step
    middle = max(columns, MIDDLE_HEIGHT + GAP)
    top = 24 + above_height
    x, y = (WIDTH - MIDDLE_WIDTH) / 2, top + (middle - MIDDLE_HEIGHT) / 2
    boxes: list[Box] = []
    lines: list[Line] = []
    labels: list[tuple[float, float, str]] = []
    for side, those, at in (("callers", left, 0.0), ("callees", right, float(WIDTH - BOX_WIDTH))):
        start = top + (middle - len(those) * step + GAP) / 2
        if those:
            labels.append((at, start - 8, side))
        for number, one in enumerate(those):
            box = _box(one, at, start + number * step)
            boxes.append(box)
            lines.append(_sideways(box, x, y, number, len(those)))
    for side, those, start in (("inherits from", above, 24.0), ("subclasses", below, top + middle + 24)):
        if those:
            labels.append((_row_start(those, 0), start - 8, side))
        for number, one in enumerate(those):
            row, column = divmod(number, ABOVE_PER_ROW)
            box = _box(one, _row_start(those, row) + column * (BOX_WIDTH + GAP), start + row * step)
            boxes.append(box)
            lines.append(_upright(box, x, y, upward=side == "inherits from"))
    return Drawing(top + middle + below_height + 8, x, y, tuple(boxes), tuple(lines), tuple(labels))


def shortened(text: str, most: int) -> str:
    """A name or path of at most so many characters, its beginning left out, at a dot or slash where one is there: the
    end tells more."""
    if len(text) <= most:
        return text
    for at in range(len(text) - most + 1, len(text)):
        if text[at - 1] in "./" and len(text) - at >= 4:
            return "…" + text[at:]
    return "…" + text[-(most - 1) :]


def _rows(those: Sequence[Neighbour]) -> int:
    return math.ceil(len(those) / ABOVE_PER_ROW)


def _row_start(those: Sequence[Neighbour], row: int) -> float:
    in_row = min(ABOVE_PER_ROW, len(those) - row * ABOVE_PER_ROW)
    return (WIDTH - in_row * BOX_WIDTH - (in_row - 1) * GAP) / 2


def _box(one: Neighbour, x: float, y: float) -> Box:
    place = f"{one.path}:{one.start_line}"
    return Box(
        x=x,
        y=y,
        name=shortened(one.symbol, NAME_CHARS),
        place=shortened(place, PLACE_CHARS),
        # The mean importance is 1; the logarithm keeps hubs from covering the drawing.
        radius=round(min(3 + 1.6 * math.log1p(max(one.importance, 0.0)), 9), 1),
        side=one.side,
        confidence=one.confidence,
        url=graph_address(one.symbol, one.path, one.start_line),
        title=f"{one.symbol} · {place} · {one.confidence}",
    )


def _sideways(box: Box, x: float, y: float, number: int, count: int) -> Line:
    """A curve between a box at the side and the middle one, its end spread along the middle's edge."""
    near = y + MIDDLE_HEIGHT * (number + 1) / (count + 1)
    at = box.y + BOX_HEIGHT / 2
    if box.x < x:
        start, first, end, last = box.x + BOX_WIDTH, at, x - 6, near
    else:
        start, first, end, last = x + MIDDLE_WIDTH, near, box.x - 6, at
    bend = (start + end) / 2
    d = f"M{start:.0f} {first:.1f} C{bend:.0f} {first:.1f} {bend:.0f} {last:.1f} {end:.0f} {last:.1f}"
    return Line(d, box.confidence, "calls")


def _upright(box: Box, x: float, y: float, *, upward: bool) -> Line:
    """A curve from the subclass up to its base."""
    middle = x + MIDDLE_WIDTH / 2
    at = box.x + BOX_WIDTH / 2
    if upward:
        start, end, first, last = y, box.y + BOX_HEIGHT + 6, middle, at
    else:
        start, end, first, last = box.y, y + MIDDLE_HEIGHT + 6, at, middle
    bend = (start + end) / 2
    return Line(
        f"M{first:.0f} {start:.1f} C{first:.0f} {bend:.1f} {last:.0f} {bend:.1f} {last:.0f} {end:.1f}",
        box.confidence,
        "inherits",
    )
