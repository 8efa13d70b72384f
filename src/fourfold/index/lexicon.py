"""One tokenisation for all legs: each distinct word is analysed once a process, everything else is arithmetic.

A word gets a number on first sight. For each number the lexicon keeps the word's raw terms, stems and embedding tokens;
a batch then turns runs of word numbers into postings and token bags with numpy alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from fourfold.store.terms import analysed, term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(slots=True)
class Ragged:
    """A growing list of integer lists; `typecode` is that of :mod:`array` (``Q`` unsigned 64 bit, ``i`` 32 bit)."""

    typecode: str
    values: array[int] = field(init=False)
    ends: array[int] = field(init=False)

    def __post_init__(self) -> None:
        self.values = array(self.typecode)
        self.ends = array("q", [0])

    def append(self, items: Iterable[int]) -> None:
        """Add one list."""
        self.values.extend(items)
        self.ends.append(len(self.values))

    def expand(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The lists of `numbers` laid end to end: (positions into `numbers`, values as int64)."""
        ends = np.frombuffer(self.ends, dtype=np.int64)
        starts = ends[numbers]
        lengths = ends[numbers + 1] - starts
        owners = np.repeat(np.arange(len(numbers), dtype=np.int64), lengths)
        offsets = np.arange(len(owners), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        if not len(owners):
            return owners, np.zeros(0, dtype=np.int64)
        values = np.frombuffer(self.values, dtype=np.dtype(self.typecode))
        return owners, values[starts[owners] + offsets].astype(np.int64)


class Vocabulary(dict[str, int]):
    """Numbers terms in order of appearance and keeps the stored hash of each."""

    def __init__(self) -> None:
        super().__init__()
        self.hashes: array[int] = array("Q")

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self.hashes)
        self.hashes.append(term_hash(term))
        return number

    def stored(self) -> NDArray[np.uint64]:
        """Stored hash of each number. A copy: an array that lends its memory could not grow."""
        return np.array(self.hashes, dtype=np.uint64)


class Lexicon(dict[str, int]):
    """Maps a word to its number, analysing words that it has not seen. ``lexicon[word]`` never fails."""

    def __init__(self, token_ids: Callable[[str], Iterable[int]] | None = None) -> None:
        super().__init__()
        self._token_ids = token_ids
        self.raw_vocabulary = Vocabulary()
        self.stem_vocabulary = Vocabulary()
        self.raw = Ragged("i")
        self.stems = Ragged("i")
        self.tokens = Ragged("i")

    def __missing__(self, word: str) -> int:
        number = len(self)
        raw, stems = analysed(word)
        self.raw.append(map(self.raw_vocabulary.__getitem__, raw))
        self.stems.append(map(self.stem_vocabulary.__getitem__, stems))
        self.tokens.append(self._token_ids(word) if self._token_ids is not None else ())
        self[word] = number
        return number
