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

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAME = 1.0
SAME_STEM = 0.95
PREFIX = 0.8
"""Worth of a path word that equals a question word, shares its stem, or begins with it (or the other way round)."""
MIN_PREFIX = 3
"""Letters a word must have to count as a prefix."""
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
        self._alike: dict[str, list[tuple[int, str, str]]] = {}
        self._rarities = np.zeros(1024)
        self._paths: dict[str, tuple[list[int], ...]] = {}
        self._guard = Lock()

    def match(self, content: Sequence[str], content_stems: Sequence[str], paths: Sequence[str]) -> PathMatch:
        """Match content words (and their stems) with paths."""
        with self._guard:  # numbers, rarities and worths speak of the same words
            numbered = [self._paths.get(path) or self._add(path) for path in paths]
            worth = self._worths(content, content_stems)
            weights = self._rarities[: worth.shape[1]]
        stems, folders, directories = (_Columns([lists[which] for lists in numbered]) for which in range(3))
        best = worth.max(axis=0) if len(content) else np.zeros(len(weights))
        total = np.maximum(stems.reduced(np.add, weights[None, :])[0], 1e-9)
        return PathMatch(
            stem=stems.reduced(np.maximum, worth),
            folder=folders.reduced(np.maximum, worth),
            directories=directories.reduced(np.maximum, worth),
            stem_complete=stems.reduced(np.minimum, best[None, :])[0],
            stem_precision=stems.reduced(np.add, (best * weights)[None, :])[0] / total,
        )

    def _add(self, path: str) -> tuple[list[int], ...]:
        self._paths[path] = found = tuple([self._number(word) for word in part] for part in path_parts(path))
        return found

    def _number(self, word: str) -> int:
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = len(self._numbers)
            self._alike.setdefault(word[:2], []).append((number, word, self._stem(word)))
            if number == len(self._rarities):  # a new array: matches under way keep theirs
                self._rarities = np.concatenate([self._rarities, np.zeros(number)])
            self._rarities[number] = self._rarity(word)
        return number

    def _worths(self, content: Sequence[str], content_stems: Sequence[str]) -> NDArray[np.float64]:
        """Worth of each path word for each content word, shape (W, words)."""
        # Words that meet in any way begin alike: only those are compared.
        worth = np.zeros((len(content), len(self._numbers)))
        for row, (asked, asked_stem) in enumerate(zip(content, content_stems, strict=True)):
            for column, word, word_stem in self._alike.get(asked[:2], ()):
                worth[row, column] = _worth(asked, asked_stem, word, word_stem)
        return worth


class _Columns:
    """Lists of column numbers, to reduce the columns of a matrix over each."""

    def __init__(self, lists: list[list[int]]) -> None:
        self._count = len(lists)
        filled = [position for position, columns in enumerate(lists) if columns]
        self._filled = np.array(filled, dtype=np.int64)
        self._flat = np.array([column for columns in lists for column in columns], dtype=np.int64)
        self._starts = np.cumsum([0] + [len(lists[position]) for position in filled[:-1]])

    def reduced(self, how: np.ufunc, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Reduce the columns of `values` over each list; 0 for an empty list. Shape (rows, lists)."""
        result = np.zeros((values.shape[0], self._count))
        if len(self._filled) and values.shape[0]:
            result[:, self._filled] = how.reduceat(values.take(self._flat, 1), self._starts, axis=1)
        return result


def _worth(asked: str, asked_stem: str, word: str, word_stem: str) -> float:
    if asked == word:
        return SAME
    if asked_stem == word_stem:
        return SAME_STEM
    if min(len(asked), len(word)) >= MIN_PREFIX and (word.startswith(asked) or asked.startswith(word)):
        return PREFIX
    return 0.0


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
