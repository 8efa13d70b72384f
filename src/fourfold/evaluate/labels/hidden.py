"""Taking out of a text what a question was made of, without moving a line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from fourfold.evaluate.labels.candidates import Candidate


def pruned(texts: Mapping[str, str], chosen: Iterable[Candidate]) -> dict[str, str]:
    """The texts with every line that a question was made of emptied."""
    gone: dict[str, set[int]] = {}
    for candidate in chosen:
        for path, first, last in candidate.blank:
            gone.setdefault(path, set()).update(range(first, last + 1))
    return {path: emptied(text, gone[path]) if path in gone else text for path, text in texts.items()}


def emptied(text: str, gone: Collection[int]) -> str:
    """The text with the lines of these numbers (from 1) empty."""
    lines = text.split("\n")
    return "\n".join("" if number in gone else line for number, line in enumerate(lines, start=1))
