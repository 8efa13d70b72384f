"""Plots as SVG: drawn with classes, so that the page's style colours them for light, dark and print. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

ROW = 26
LABEL_SHARE = 0.34
"""Share of the width for the names on the left."""
WIDTH = 720
PAD = 14
SERIES = 6
"""Classes of colours that the style knows: c0 to c5."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A named value with its interval."""

    name: str
    value: float
    low: float
    high: float


def forest(rows: Sequence[Spread], *, title: str, low: float, high: float, zero: bool = False) -> str:
    """One row a name: the interval as a line, the value as a dot. `zero` draws a line at 0."""
    height = ROW * len(rows) + 40
    left = WIDTH * LABEL_SHARE

    def at(value: float) -> float:
        share = (min(max(value, low), high) - low) / ((high - low) or 1.0)
        return left + share * (WIDTH - left - 70)

    parts = [_axis(at, low, high, height)]
    if zero:
        parts.append(f'<line class="zero" x1="{at(0):.1f}" x2="{at(0):.1f}" y1="6" y2="{height - 30}"/>')
    for number, row in enumerate(rows):
        y = 20 + ROW * number
        said = f"{row.name}: {row.value:.3f} ({row.low:.3f} to {row.high:.3f})"
        parts.append(
            f'<g class="c{number % SERIES}"><title>{escape(said)}</title>'
            f'<text class="name" x="{left - PAD:.1f}" y="{y + 4}" text-anchor="end">{escape(_short(row.name))}</text>'
            f'<line class="whisker" x1="{at(row.low):.1f}" x2="{at(row.high):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{at(row.value):.1f}" cy="{y}" r="5"/>'
            f'<text class="value" x="{WIDTH - 4}" y="{y + 4}" text-anchor="end">{row.value:.3f}</text></g>'
        )
    return _svg(height, title, parts)


def lines(series: Sequence[tuple[str, Sequence[float]]], *, title: str, x_name: str) -> str:
    """One line a series over 1, 2, 3 ...; values from 0 to 1."""
    height, left, right = 260, 48, WIDTH - 200
    count = max((len(values) for _, values in series), default=1)

    def place(number: int, value: float) -> str:
        x = left + (right - left) * (number / max(count - 1, 1))
        return f"{x:.1f},{height - 40 - value * (height - 60):.1f}"

    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = height - 40 - tick * (height - 60)
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{tick:.2f}</text>')
    for number in range(count):
        x = place(number, 0).split(",")[0]
        parts.append(f'<text class="tick" x="{x}" y="{height - 22}" text-anchor="middle">{number + 1}</text>')
    parts.append(f'<text class="tick" x="{(left + right) / 2}" y="{height - 4}" text-anchor="middle">{x_name}</text>')
    for number, (name, values) in enumerate(series):
        points = " ".join(place(position, value) for position, value in enumerate(values))
        parts.append(
            f'<g class="c{number % SERIES}"><title>{escape(name)}</title><polyline class="line" points="{points}"/>'
            f'<circle class="dot" cx="{right + 16}" cy="{24 + 22 * number}" r="5"/>'
            f'<text class="name" x="{right + 28}" y="{28 + 22 * number}">{escape(_short(name, 24))}</text></g>'
        )
    return _svg(height, title, parts)


def scatter(points: Sequence[tuple[str, float, float]], *, title: str, x_name: str) -> str:
    """Dots of (name, x, y): x on a logarithmic axis from its decade to the next, y from 0 to 1."""
    height, left, right = 260, 48, WIDTH - 200
    values = [max(x, 1e-3) for _, x, _ in points]
    first = math.floor(math.log10(min(values, default=1.0)))
    last = max(math.ceil(math.log10(max(values, default=10.0))), first + 1)

    def x_of(value: float) -> float:
        return left + (right - left) * (math.log10(max(value, 1e-3)) - first) / (last - first)

    def y_of(value: float) -> float:
        return height - 40 - value * (height - 60)

    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y_of(tick):.1f}" y2="{y_of(tick):.1f}"/>')
        parts.append(f'<text class="tick" x="{left - 8}" y="{y_of(tick) + 4:.1f}" text-anchor="end">{tick:.2f}</text>')
    for power in range(first, last + 1):
        x = x_of(10.0**power)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="20" y2="{height - 40}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height - 22}" text-anchor="middle">{10.0**power:g}</text>')
    parts.append(f'<text class="tick" x="{(left + right) / 2}" y="{height - 4}" text-anchor="middle">{x_name}</text>')
    for number, (name, x, y) in enumerate(points):
        parts.append(
            f'<g class="c{number % SERIES}"><title>{escape(f"{name}: {x:g}, {y:.3f}")}</title>'
            f'<circle class="dot" cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="6"/>'
            f'<circle class="dot" cx="{right + 16}" cy="{24 + 22 * number}" r="5"/>'
            f'<text class="name" x="{right + 28}" y="{28 + 22 * number}">{escape(_short(name, 24))}</text></g>'
        )
    return _svg(height, title, parts)


def bars(rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str], *, title: str) -> str:
    """Groups of bars from 0 to 1: one group a row, one bar a name in it."""
    thick = max(6, min(14, 40 // max(len(names), 1)))
    group = thick * len(names) + 12
    height = group * len(rows) + 40
    left = WIDTH * LABEL_SHARE

    def at(value: float) -> float:
        return left + value * (WIDTH - left - 70)

    parts = [_axis(at, 0.0, 1.0, height)]
    for number, (name, values) in enumerate(rows):
        top = 12 + group * number
        middle = top + thick * len(values) / 2 + 4
        parts.append(
            f'<text class="name" x="{left - PAD:.1f}" y="{middle:.1f}" text-anchor="end">{escape(_short(name))}</text>'
        )
        for position, value in enumerate(values):
            y = top + thick * position
            parts.append(
                f'<g class="c{position % SERIES}"><title>{escape(f"{names[position]}, {name}: {value:.3f}")}</title>'
                f'<rect class="bar" x="{left:.1f}" y="{y}" width="{max(at(value) - left, 1):.1f}"'
                f' height="{thick - 2}"/>'
                f'<text class="value" x="{WIDTH - 4}" y="{y + thick - 3}" text-anchor="end">{value:.3f}</text></g>'
            )
    return _svg(height, title, parts)


def _axis(at: object, low: float, high: float, height: int) -> str:
    assert callable(at)
    parts = []
    for tick in _ticks(low, high):
        x = at(tick)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="6" y2="{height - 26}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height - 10}" text-anchor="middle">{tick:g}</text>')
    return "".join(parts)


def _ticks(low: float, high: float) -> list[float]:
    """Five or so round numbers from `low` to `high`."""
    rough = (high - low) / 5 or 1.0
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough - 1e-12)
    first = math.ceil(low / step - 1e-9)
    return [round(step * number, 10) + 0.0 for number in range(first, math.floor(high / step + 1e-9) + 1)]


def _short(text: str, most: int = 34) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )
