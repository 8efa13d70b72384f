"""How well the words of a question meet the words of a path. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.path import file_stem
from fourfold.model.record import record
from fourfold.model.text import parts, words
from fourfold.rank.number_lists import NumberLists, Segments

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAME = 1.0
SAME_STEM = 0.95
PREFIX = 0.8
"""Worth of a path word that equals a question word, shares its stem, or begins with it (or the other way round)."""
MIN_PREFIX = 3
"""Letters a word must have to count as a prefix."""
ALIKE = 2
"""First letters that words of the same stem have in common."""
DIRECTORIES = 3
"""Innermost directories whose words count."""


@record(frozen=True, slots=True)
class PathMatch:
    """For W words and P paths: the best match of each word with the file stem's words, with those of its folder, and
    with those of its directories (each (W, P), 0 to 1); the worst-matched word of each stem (1
    where every word of the stem is asked for); and the share of the stem's idf that is asked for."""

    stem: NDArray[np.float64]
    folder: NDArray[np.float64]
    directories: NDArray[np.float64]
    stem_complete: NDArray[np.float64]
    stem_precision: NDArray[np.float64]


class PathMatcher:
    """Matches questions with paths. Remembers the words of the paths it has seen; safe to share between threads.

    `stem` gives the stem of a word, `rarity` the idf of a path word in this repository.
    """

    def __init__(self, stem: Callable[[str], str], rarity: Callable[[str], float]) -> None:
        self._stem = stem
        self._rarity = rarity
        self._numbers: dict[str, int] = {}
        self._beginning: dict[str, list[tuple[int, str]]] = {}
        self._of_stem: dict[tuple[str, str], list[int]] = {}
        self._rarities = np.zeros(1024)
        self._paths: dict[str, int] = {}
        self._words = NumberLists()
        self._guard = Lock()

    def match(self, content: Sequence[str], content_stems: Sequence[str], paths: Sequence[str]) -> PathMatch:
        """Match content words (and their stems) with paths."""
        with self._guard:  # numbers, rarities and worths speak of the same words
            first = np.array([self._paths.get(path, -1) for path in paths], dtype=np.int64)
            for position in (first < 0).nonzero()[0].tolist():
                first[position] = self._add(paths[position])
            columns, counts = self._words.of(np.concatenate([first, first + 1, first + 2]))
            worth = self._worths(content, content_stems)
            rarities = self._rarities
        files = len(paths)
        met = worth.take(columns, 1)
        best_met = Segments(counts).reduced(np.maximum, met)
        stems = Segments(counts[:files])
        in_stems = int(counts[:files].sum())
        best = met[:, :in_stems].max(axis=0, initial=0.0)
        weights = rarities[columns[:in_stems]]
        asked, total = stems.reduced(np.add, np.stack([best * weights, weights]))
        return PathMatch(
            stem=best_met[:, :files],
            folder=best_met[:, files : 2 * files],
            directories=best_met[:, 2 * files :],
            stem_complete=stems.reduced(np.minimum, best[None, :])[0],
            stem_precision=asked / np.maximum(total, 1e-9),
        )

    def _add(self, path: str) -> int:
        """Keep the words of a path's stem, folder and directories as three lists; the number of the first."""
        lists = [self._words.add([self._number(word) for word in part]) for part in path_parts(path)]
        self._paths[path] = lists[0]
        return lists[0]

    def _number(self, word: str) -> int:
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = len(self._numbers)
            self._beginning.setdefault(word[:MIN_PREFIX], []).append((number, word))
            self._of_stem.setdefault((word[:ALIKE], self._stem(word)), []).append(number)
            if number == len(self._rarities):  # a new array: matches under way keep theirs
                self._rarities = np.concatenate([self._rarities, np.zeros(number)])
            self._rarities[number] = self._rarity(word)
        return number

    def _worths(self, content: Sequence[str], content_stems: Sequence[str]) -> NDArray[np.float64]:
        """Worth of each path word for each content word, shape (W, words)."""
        worth = np.zeros((len(content), len(self._numbers)))
        for row, (asked, asked_stem) in enumerate(zip(content, content_stems, strict=True)):
            if len(asked) >= MIN_PREFIX:
                for number, word in self._beginning.get(asked[:MIN_PREFIX], ()):
                    if word.startswith(asked) or asked.startswith(word):
                        worth[row, number] = PREFIX
            for number in self._of_stem.get((asked[:ALIKE], asked_stem), ()):
                worth[row, number] = SAME_STEM
            same = self._numbers.get(asked)
            if same is not None:
                worth[row, same] = SAME
        return worth


@lru_cache(maxsize=65536)
def path_parts(path: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Words of the file's stem, of its folder, and of its innermost directories; without single letters and numbers."""
    directories = path.split("/")[:-1]
    return (
        _useful(file_stem(path)),
        _useful(directories[-1]) if directories else (),
        _useful(" ".join(directories[-DIRECTORIES:])),
    )


def _useful(text: str) -> tuple[str, ...]:
    found = (part for word in words(text) for part in parts(word))
    return tuple(dict.fromkeys(part for part in found if len(part) > 1 and not part.isdigit()))
