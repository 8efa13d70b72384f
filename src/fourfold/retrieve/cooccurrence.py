"""Which words of a repository's own names stand where the words of a question stand.

For each word of the question and each word of the names defined here: how many chunks hold both, as normalised
pointwise mutual information, ``ln(p(x, y) / (p(x) p(y))) / -ln p(x, y)`` (Bouma 2009): 1 where they always stand
together, 0 where chance would have it so. Read from the posting lists of the index; nothing is learned.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.text import STOP_WORDS, parts, words
from fourfold.store.local.postings import idf
from fourfold.store.terms import stem, term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.corpus import Corpus

MIN_TOGETHER = 3
"""Chunks that must hold both words: fewer are chance."""
COMMON_ASKED, COMMON_ADDED = 0.2, 0.1
"""A word of the question in a larger share of all chunks goes with everything; an added one tells nothing."""
MIN_NPMI = 0.15
MIN_LETTERS = 3


class NameWords:
    """The words of the names that one snapshot defines, by the chunks that hold them."""

    def __init__(self, corpus: Corpus, names: Sequence[str]) -> None:
        self._corpus = corpus
        self.total = corpus.live_chunk_count
        spelled: dict[str, Counter[str]] = {}
        for name in names:
            for part in (part for word in words(name) for part in parts(word)):
                if len(part) >= MIN_LETTERS and part.isalpha() and part not in STOP_WORDS:
                    spelled.setdefault(stem(part), Counter())[part] += 1
        self._stems: list[str] = []
        self._words: list[str] = []
        lists: list[NDArray[np.int64]] = []
        for root, counts in sorted(spelled.items()):
            rows = corpus.stems.find(term_hash(root)).rows
            if MIN_TOGETHER <= len(rows) <= COMMON_ADDED * self.total:
                self._stems.append(root)
                self._words.append(min(counts, key=lambda word: (-counts[word], word)))
                lists.append(rows)
        self._held = np.array([len(rows) for rows in lists], dtype=np.int64)
        self._rows = np.concatenate(lists) if lists else np.zeros(0, dtype=np.int64)
        self._owner = np.repeat(np.arange(len(lists)), self._held)

    def near(self, asked: Sequence[str], count: int) -> list[str]:
        """At most `count` words that go with the stems of a question, best first: by the sum over the question's words
        of rarity times association."""
        scores = np.zeros(len(self._stems))
        for root in dict.fromkeys(asked):
            rows = self._corpus.stems.find(term_hash(root)).rows
            if MIN_TOGETHER <= len(rows) <= COMMON_ASKED * self.total:
                scores += idf(self.total, len(rows)) * self._associations(rows)
        known = set(asked)
        order = sorted(np.flatnonzero(scores > 0).tolist(), key=lambda at: (-scores[at], self._stems[at]))
        return [self._words[at] for at in order if self._stems[at] not in known][:count]

    def _associations(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Association of each word with one that the chunks `rows` hold; 0 below :data:`MIN_NPMI`."""
        holds = np.zeros(self._corpus.chunks, dtype=np.bool_)
        holds[rows] = True
        together = np.bincount(self._owner[holds[self._rows]], minlength=len(self._stems)).astype(np.float64)
        counted = np.maximum(together, 1.0)
        pmi = np.log(counted * self.total / (len(rows) * np.maximum(self._held, 1)))
        npmi = pmi / np.maximum(-np.log(counted / max(self.total, 1)), math.ulp(1.0))
        return np.where((together >= MIN_TOGETHER) & (npmi >= MIN_NPMI), np.minimum(npmi, 1.0), 0.0)
