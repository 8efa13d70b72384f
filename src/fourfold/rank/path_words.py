"""How well the words of a question meet the words of a path. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.path import file_stem
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


@dataclass(frozen=True, slots=True)
class PathMatch:
    """For W words and P paths: the best match of each word with the file stem's words, with those of its folder, and
    with those of its directories (each (W, P), 0 to 1); the worst-matched word of each stem (1
    where every word of the stem is asked for); and the share of the stem's idf that is asked for."""

    stem: NDArray[np.float64]
    folder: NDArray[np.float64]
    directories: NDArray[np.float64]
    stem_complete: NDArray[np.float64]
    stem_precision: NDArray[np.float64]


def match_paths(
    content: Sequence[str],
    content_stems: Sequence[str],
    paths: Sequence[str],
    stem: Callable[[str], str],
    rarity: Callable[[str], float],
) -> PathMatch:
    """Match content words (and their stems) with paths; `rarity` is the idf of a path word in this repository."""
    numbers: dict[str, int] = {}
    lists: tuple[list[list[int]], ...] = ([], [], [])
    for path in paths:
        for target, found in zip(lists, path_parts(path), strict=True):
            target.append([numbers.setdefault(word, len(numbers)) for word in found])
    worth = _worths(content, content_stems, list(numbers), stem)
    weights = np.array([rarity(word) for word in numbers])
    best = worth.max(axis=0) if len(content) else np.zeros(len(numbers))
    stems = lists[0]
    total = np.maximum(_reduced(np.add, weights[None, :], stems)[0], 1e-9)
    return PathMatch(
        stem=_reduced(np.maximum, worth, lists[0]),
        folder=_reduced(np.maximum, worth, lists[1]),
        directories=_reduced(np.maximum, worth, lists[2]),
        stem_complete=_reduced(np.minimum, best[None, :], stems)[0],
        stem_precision=_reduced(np.add, (best * weights)[None, :], stems)[0] / total,
    )


def _worths(
    content: Sequence[str], content_stems: Sequence[str], path_words: Sequence[str], stem: Callable[[str], str]
) -> NDArray[np.float64]:
    """Worth of each path word for each content word, shape (W, words)."""
    # Words that meet in any way begin alike: only those are compared.
    alike: dict[str, list[tuple[int, str, str]]] = {}
    for column, word in enumerate(path_words):
        alike.setdefault(word[:2], []).append((column, word, stem(word)))
    worth = np.zeros((len(content), len(path_words)))
    for row, (asked, asked_stem) in enumerate(zip(content, content_stems, strict=True)):
        for column, word, word_stem in alike.get(asked[:2], ()):
            worth[row, column] = _worth(asked, asked_stem, word, word_stem)
    return worth


def _reduced(how: np.ufunc, values: NDArray[np.float64], lists: list[list[int]]) -> NDArray[np.float64]:
    """Reduce columns of `values` over each list of column numbers; 0 for an empty list. Shape (rows, lists)."""
    result = np.zeros((values.shape[0], len(lists)))
    filled = [position for position, columns in enumerate(lists) if columns]
    if filled and values.shape[0]:
        flat = [column for columns in lists for column in columns]
        starts = np.cumsum([0] + [len(lists[position]) for position in filled[:-1]])
        result[:, filled] = how.reduceat(values[:, flat], starts, axis=1)
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
