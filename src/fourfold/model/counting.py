"""Numbers with their noun, in singular or plural."""

from __future__ import annotations

_IRREGULAR = {"match": "matches", "index": "indexes", "directory": "directories", "entry": "entries"}


def count(number: int, noun: str) -> str:
    """``1 result``, ``2,818 files``."""
    return f"{number:,} {noun if number == 1 else _IRREGULAR.get(noun, noun + 's')}"
