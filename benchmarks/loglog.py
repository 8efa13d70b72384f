"""Small plots over logarithmic axes, side by side, as one SVG that reads on light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 300, 240
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 40, 44
COLOURS = ("#2f6fde", "#d9822b", "#2a9d63")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#6b7280}.t{font-weight:600}"
    ".g{stroke:#6b7280;stroke-opacity:.25}polyline{fill:none;stroke-width:2}"
)

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One plot: its title with the unit of y, and its lines by name."""

    title: str
    lines: Mapping[str, Points]


def figure(panels: Sequence[Panel], *, x_name: str) -> str:
    """The panels in a row. All values are above 0."""
    drawn = [_panel(panel, number * WIDTH, x_name) for number, panel in enumerate(panels)]
    width = WIDTH * len(panels)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}">'
    return f"{head}\n<style>{STYLE}</style>\n" + "\n".join(drawn) + "\n</svg>\n"


def _panel(panel: Panel, left: int, x_name: str) -> str:
    points = [point for line in panel.lines.values() for point in line]
    x_axis, y_axis = _axis([x for x, _ in points]), _axis([y for _, y in points])
    right, bottom = left + WIDTH - RIGHT, HEIGHT - BOTTOM

    def x_of(value: float) -> float:
        return left + LEFT + (WIDTH - LEFT - RIGHT) * _share(value, x_axis)

    def y_of(value: float) -> float:
        return bottom - (bottom - TOP) * _share(value, y_axis)

    parts = [f'<text class="t" x="{left + LEFT}" y="16">{escape(panel.title)}</text>']
    for power in range(x_axis[0], x_axis[1] + 1):
        x = x_of(10.0**power)
        parts.append(f'<line class="g" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{_short(10.0**power)}</text>')
    for power in range(y_axis[0], y_axis[1] + 1):
        y = y_of(10.0**power)
        parts.append(f'<line class="g" x1="{left + LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{left + LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_short(10.0**power)}</text>')
    parts.append(f'<text x="{(left + LEFT + right) / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">{x_name}</text>')
    for number, (name, line) in enumerate(panel.lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{places}" stroke="{colour}"/>')
        parts += [f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3" fill="{colour}"/>' for x, y in line]
        at = left + LEFT + 70 * number
        parts.append(f'<text x="{at}" y="32" style="fill:{colour}">{escape(name)}</text>')
    return "\n".join(parts)


def _axis(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around some values."""
    first = math.floor(math.log10(min(values)))
    return first, max(math.ceil(math.log10(max(values))), first + 1)


def _share(value: float, axis: tuple[int, int]) -> float:
    return (math.log10(value) - axis[0]) / (axis[1] - axis[0])


def _short(value: float) -> str:
    for least, sign in ((1e6, "M"), (1e3, "k")):
        if value >= least:
            return f"{value / least:g}{sign}"
    return f"{value:g}"
