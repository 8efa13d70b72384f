"""Cuts runs of Chinese characters and of katakana into the pieces of which they are most probably made.

Every substring that occurs often enough may be a piece; a run is cut where the product of the pieces' frequencies is
highest (unigram language model, Viterbi), and the pieces are counted anew a few times.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

ROUNDS = 6
MIN_TIMES = 25
"""Times a piece of several Chinese characters must occur ..."""
LONGEST = 4
"""... and the characters that it has at most."""
MIN_KATAKANA = 3
"""Times a run of katakana must occur alone to be a piece of longer ones."""
LONGEST_PIECE = 8
GRAMMAR = frozenset("的了和与被把在是有为从对这其该将及或以可不于到由会个")
"""Characters that join words: no piece of several characters holds one."""
UNKNOWN = -25.0
"""Log frequency of a character that was never seen."""
_RUNS = re.compile(r"[\u30a0-\u30ff]+|[\u3400-\u9fff々]+")


def runs(text: str) -> Iterator[str]:
    """The runs of katakana and of Chinese characters of a text, in NFKC."""
    yield from _RUNS.findall(unicodedata.normalize("NFKC", text))


class Segmenter:
    """Cuts runs by pieces learned from texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._counted = Counter(run for text in texts for run in runs(text))
        self._weights = _log_shares(self._candidates())
        for _ in range(ROUNDS):
            pieces: Counter[str] = Counter()
            for run, times in self._counted.items():
                for piece in self._cut(run):
                    pieces[piece] += times
            self._weights = _log_shares({piece: n for piece, n in pieces.items() if n > 1 or len(piece) == 1})
        self._known: dict[str, list[str]] = {}

    def __call__(self, text: str) -> list[str]:
        """The pieces of a text's runs in order."""
        found = []
        for run in runs(text):
            if run not in self._known:
                self._known[run] = self._cut(run)
            found += self._known[run]
        return found

    def _candidates(self) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for run, times in self._counted.items():
            for start in range(len(run)):
                for end in range(start + 1, min(len(run), start + LONGEST_PIECE) + 1):
                    counts[run[start:end]] += times
        return {piece: times for piece, times in counts.items() if self._may_be_piece(piece, times)}

    def _may_be_piece(self, piece: str, times: int) -> bool:
        if len(piece) == 1:
            return True
        if "\u30a0" <= piece[0] <= "\u30ff":
            return times >= MIN_KATAKANA and piece in self._counted
        return times >= MIN_TIMES and len(piece) <= LONGEST and GRAMMAR.isdisjoint(piece)

    def _cut(self, run: str) -> list[str]:
        best, back = [0.0] + [-math.inf] * len(run), [0] * (len(run) + 1)
        for start in range(len(run)):
            for end in range(start + 1, min(len(run), start + LONGEST_PIECE) + 1):
                weight = self._weights.get(run[start:end], UNKNOWN if end == start + 1 else -math.inf)
                if best[start] + weight > best[end]:
                    best[end], back[end] = best[start] + weight, start
        pieces, end = [], len(run)
        while end:
            pieces.append(run[back[end] : end])
            end = back[end]
        return pieces[::-1]


def _log_shares(counts: Mapping[str, int]) -> dict[str, float]:
    total = math.log(sum(counts.values()))
    return {piece: math.log(times) - total for piece, times in counts.items()}
