"""How well the words of a question meet the words of a path. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

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
    with those of its directories (each (W, P), 0 to 1); the number of words in each stem; the worst-matched word of each
    stem (1 where every word of the stem is asked for); and the share of the stem's idf that is asked for."""

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
    shape = (len(content), len(paths))
    result = PathMatch(*(np.zeros(shape) for _ in range(3)), np.zeros(len(paths)), np.zeros(len(paths)))
    columns: dict[str, NDArray[np.float64]] = {}

    def column(word: str) -> NDArray[np.float64]:
        if word not in columns:
            own = stem(word)
            columns[word] = np.array(
                [_worth(a, b, word, own) for a, b in zip(content, content_stems, strict=True)]
            )
        return columns[word]

    for position, path in enumerate(paths):
        name_words, folder_words, directory_words = path_parts(path)
        for target, found in (
            (result.stem, name_words),
            (result.folder, folder_words),
            (result.directories, directory_words),
        ):
            for word in found:
                np.maximum(target[:, position], column(word), out=target[:, position])
        if name_words and len(content):
            best = [float(column(word).max()) for word in name_words]
            weights = [rarity(word) for word in name_words]
            result.stem_complete[position] = min(best)
            result.stem_precision[position] = sum(b * w for b, w in zip(best, weights, strict=True)) / sum(
                weights
            )
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
    *directories, name = path.split("/")
    return (
        _useful(name.split(".")[0] or name),
        _useful(directories[-1]) if directories else (),
        _useful(" ".join(directories[-DIRECTORIES:])),
    )


def _useful(text: str) -> tuple[str, ...]:
    found = (part for word in words(text) for part in parts(word))
    return tuple(dict.fromkeys(part for part in found if len(part) > 1 and not part.isdigit()))
