"""Plain BM25 that shares no code with Fourfold: what ranked words alone give, on whole files or on line
windows.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.systems.protocol import Found
from benchmarks.systems.tree import files_of

K1, B = 1.2, 0.75
"""The usual constants of Okapi BM25 (Robertson and Zaragoza 2009)."""
WINDOW_LINES = 50
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(text: str) -> list[str]:
    """Lower-case parts of identifiers: ``HTTPServer.max_size2`` gives http, server, max, size, 2."""
    return [match.group().lower() for match in _WORD.finditer(text)]


class PlainBM25:
    """BM25 over whole files (`window` 0) or over windows of `window` lines."""

    def __init__(self, name: str, window: int = 0) -> None:
        self.name = name
        self._window = window
        self._indexes: dict[Path, _Postings] = {}

    def prepare(self, root: Path) -> None:
        """Read and count every text file."""
        postings = _Postings()
        for path, text in files_of(root):
            lines = text.split("\n")
            step = self._window or len(lines)
            for start in range(0, len(lines), step):
                end = min(start + step, len(lines))
                postings.add((path, start + 1, end), words(path) + words("\n".join(lines[start:end])))
        self._indexes[root] = postings

    def answer(self, root: Path, query: str) -> Found:
        """The ten best documents."""
        return list(self._indexes[root].best(words(query), 10))

    def close(self) -> None:
        """Forget every index."""
        self._indexes.clear()


class _Postings:
    """Term counts by document."""

    def __init__(self) -> None:
        self._places: list[tuple[str, int, int]] = []
        self._lengths: list[int] = []
        self._counts: dict[str, list[tuple[int, int]]] = defaultdict(list)

    def add(self, place: tuple[str, int, int], tokens: list[str]) -> None:
        number = len(self._places)
        self._places.append(place)
        self._lengths.append(len(tokens))
        for token, count in Counter(tokens).items():
            self._counts[token].append((number, count))

    def best(self, tokens: list[str], limit: int) -> list[tuple[str, int, int]]:
        total = len(self._places)
        average = sum(self._lengths) / total if total else 1.0
        scores: dict[int, float] = defaultdict(float)
        for token in set(tokens):
            holders = self._counts.get(token, ())
            idf = math.log(1 + (total - len(holders) + 0.5) / (len(holders) + 0.5))
            for number, count in holders:
                length = 1 - B + B * self._lengths[number] / average
                scores[number] += idf * count * (K1 + 1) / (count + K1 * length)
        ranked = sorted(scores, key=lambda number: (-scores[number], number))
        return [self._places[number] for number in ranked[:limit]]
