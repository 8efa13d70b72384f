"""Numbers and names in words: thousands separators, units, singular and plural, seconds, bytes."""

from __future__ import annotations

from collections.abc import Mapping

from fourfold.model.counting import count as count


def seconds(value: float, *, whole: bool = False) -> str:
    """``0.42 s``, ``11.2 s``, ``2 min 5 s``; `whole` leaves fractions out."""
    if value >= 60:
        minutes, rest = divmod(round(value), 60)
        return f"{minutes:,} min {rest} s" if rest else f"{minutes:,} min"
    if whole:
        return f"{round(value)} s"
    return f"{value:.1f} s" if value >= 1 else f"{value:.2f} s"


def milliseconds(value: float) -> str:
    """``4 ms``, ``0.6 ms``, ``1.2 s``."""
    if value >= 1000:
        return seconds(value / 1000)
    return f"{value:.0f} ms" if value >= 1 else f"{value:.1f} ms"


def size(number: int) -> str:
    """``512 bytes``, ``12.4 MB`` (powers of 1,000)."""
    if number < 1000:
        return count(number, "byte")
    value = float(number)
    for unit in ("kB", "MB", "GB", "TB"):
        value /= 1000
        if value < 999.95 or unit == "TB":
            break
    return f"{value:,.1f} {unit}"


def skipped_words(reasons: Mapping[str, int]) -> str:
    """``24 files: 20 binary, 4 secret``; "" where none was."""
    return f"{count(sum(reasons.values()), 'file')}: {counted(reasons)}" if reasons else ""


def counted(numbers: Mapping[str, int], most: int = 0) -> str:
    """``20 binary, 4 secret``: the largest first, at most `most` (0: all)."""
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    shown = ordered[:most] if most else ordered
    text = ", ".join(f"{number:,} {name}" for name, number in shown)
    left = len(ordered) - len(shown)
    return f"{text}, {left:,} more" if left else text
