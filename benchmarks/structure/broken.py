"""Damaged source: nothing raises or hangs, and what stands outside of the damage is still found.

Each drawn file is damaged in one place: three bytes in a row become others, a closing bracket is lost, or a statement
is half typed. Of the definitions of the whole file that do not hold the place, those are counted that are still found
under their name (`kept`) and under their name with its owners (`placed`).
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.structure.calls import sources
from benchmarks.structure.site import SEED
from fourfold.model.symbol import Symbol
from fourfold.syntax.parse import parse_file

_CLOSING = ")]}"
_TYPED = ("if (value.", "call(first, ", "x = [1, ", '"half a text', "def name(")
_PRINTABLE = [chr(code) for code in range(33, 127)]


@dataclass(slots=True)
class Kept:
    """Definitions outside of the damage, how many of them stayed, and the slowest file in seconds."""

    files: int = 0
    count: int = 0
    kept: int = 0
    placed: int = 0
    told: int = 0
    slowest: float = 0.0


def changed_bytes(text: str, chance: random.Random) -> tuple[str, int]:
    """Three characters in a row become others; (damaged text, place)."""
    place = chance.randrange(max(1, len(text) - 3))
    junk = "".join(character if character == "\n" else chance.choice(_PRINTABLE) for character in text[place:][:3])
    return text[:place] + junk + text[place + 3 :], place


def lost_bracket(text: str, chance: random.Random) -> tuple[str, int]:
    """A closing bracket is missing."""
    places = [place for place, character in enumerate(text) if character in _CLOSING]
    if not places:
        return text, 0
    place = chance.choice(places)
    return text[:place] + text[place + 1 :], place


def half_typed(text: str, chance: random.Random) -> tuple[str, int]:
    """A statement begins after the indentation of a line and does not end."""
    lines = text.split("\n")
    row = chance.randrange(len(lines))
    indent = lines[row][: len(lines[row]) - len(lines[row].lstrip())]
    place = sum(len(line) + 1 for line in lines[:row])
    lines[row] = f"{indent}{chance.choice(_TYPED)} {lines[row].lstrip()}"
    return "\n".join(lines), place


DAMAGES: dict[str, Callable[[str, random.Random], tuple[str, int]]] = {
    "changed bytes": changed_bytes,
    "lost bracket": lost_bracket,
    "half typed": half_typed,
}


def measure(files: Sequence[tuple[str, str, str]], seed: int = SEED) -> dict[tuple[str, str], Kept]:
    """(language, damage) -> what stayed, over files (path, text, language)."""
    chance = random.Random(seed)
    found: dict[tuple[str, str], Kept] = {}
    for path, text, language in files:
        whole = parse_file(path, text, language)
        if len(whole.symbols) < 2 or whole.has_errors:
            continue
        for damage, make in DAMAGES.items():
            damaged, place = make(text, chance)
            started = time.thread_time()
            parsed = parse_file(path, damaged, language)
            row = found.setdefault((whole.language, damage), Kept())
            row.slowest = max(row.slowest, time.thread_time() - started)
            row.told += parsed.has_errors or bool(parsed.fallback)
            _count(row, whole.symbols, parsed.symbols, text.count("\n", 0, place) + 1)
    return found


def _count(row: Kept, before: Sequence[Symbol], after: Sequence[Symbol], line: int) -> None:
    row.files += 1
    names = Counter(one.name for one in after)
    qualified = Counter(one.qualified_name for one in after)
    for one in _outside(before, line):
        row.count += 1
        row.kept += names[one.name] > 0
        row.placed += qualified[one.qualified_name] > 0
        names[one.name] -= 1
        qualified[one.qualified_name] -= 1


def _outside(symbols: Sequence[Symbol], line: int) -> Iterator[Symbol]:
    """Definitions that do not hold a line; the members of one that does count."""
    return (one for one in symbols if not one.start_line <= line <= one.end_line)


def report(root: Path, sample: int) -> None:
    """Print one row a language and damage over so many files of a corpus."""
    files = [one for one in sources(root) if len(one[1]) < 200_000]
    drawn = files if not sample or len(files) <= sample else random.Random(SEED).sample(files, sample)
    for (language, damage), row in sorted(measure(drawn).items()):
        share, placed = row.kept / max(1, row.count), row.placed / max(1, row.count)
        print(
            f"{root.name}: {language:12} {damage:14} {row.files:5} files, {share:.3f} of {row.count} definitions kept,"
            f" {placed:.3f} in place, {row.told / row.files:.2f} said to be broken, slowest {row.slowest:.2f} s"
        )
