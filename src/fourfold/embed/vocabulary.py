"""The token vocabulary of a static model: byte-pair merges over lower-case letters and digits.

Token 0 stands for a character outside the alphabet; then come the characters that begin a word, the
characters that continue one, and one token per merge in order of precedence. Hence of two possible merges the
one that makes the *smaller token number* goes first (the rule of byte-pair encoding: Sennrich, Haddow, Birch
2016, "Neural Machine Translation of Rare Words with Subword Units"), and a merge table of 4 bytes a token
says all. The list of words that are one token only saves the loop for the words that are met most.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from fourfold.model.text import MAX_WORD_LENGTH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNKNOWN = 0
"""Token of a character outside the alphabet."""

MAX_PIECES = 8
"""A word counts by its first 8 pieces, as the bundled model was trained. Longer ones are hashes and noise."""

_CACHE_WORDS = 100_000
"""Words whose pieces are remembered (about 15 MB at most); then the memory starts afresh."""

_NO_MERGE = 1 << 32


class Vocabulary:
    """Splits words into token numbers.

    `initials` and `continuations` are the characters that may begin and continue a word; `merges` has shape
    (m, 2), each row the two tokens that token ``1 + len(initials) + len(continuations) + row`` joins.
    ``words[i]`` is the word whose whole encoding is token *i*, empty where there is none.
    """

    def __init__(
        self, initials: str, continuations: str, merges: NDArray[np.uint16], words: Sequence[str] = ()
    ) -> None:
        first = 1 + len(initials)
        self._initials = {char: 1 + number for number, char in enumerate(initials)}
        self._continuations = {char: first + number for number, char in enumerate(continuations)}
        self._base = first + len(continuations)
        self._pairs = merges
        self._whole = dict(zip(words, range(len(words)), strict=True))
        self._whole.pop("", None)
        self._split: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return self._base + len(self._pairs)

    @cached_property
    def _merges(self) -> dict[int, int]:
        """Token made by each pair of tokens; made late, for a question of common words never needs it."""
        pairs = self._pairs.astype("u4")
        keys = (pairs[:, 0] << 16 | pairs[:, 1]).tolist()
        return dict(zip(keys, range(self._base, self._base + len(keys)), strict=True))

    def whole_words(self) -> frozenset[str]:
        """The words that are one token."""
        return frozenset(self._whole)

    def word_pieces(self, word: str) -> tuple[int, ...]:
        """Token numbers of a lower-case word of letters or digits, at most :data:`MAX_PIECES`, in order.

        Words longer than 128 characters are read by their first 128, so that no text can make the merge loop
        slow. The empty word has no pieces.
        """
        whole = self._whole.get(word)
        if whole is not None:
            return (whole,)
        pieces = self._split.get(word)
        if pieces is None:
            pieces = self._merge(word[:MAX_WORD_LENGTH])
            if len(word) <= MAX_WORD_LENGTH:
                self._remember(word, pieces)
        return pieces

    def _remember(self, word: str, pieces: tuple[int, ...]) -> None:
        if len(self._split) >= _CACHE_WORDS:
            self._split.clear()
        self._split[word] = pieces

    def _merge(self, word: str) -> tuple[int, ...]:
        """The merge loop: make the smallest token possible, everywhere in the word, until none is left."""
        if not word:
            return ()
        merges = self._merges
        tokens = [self._initials.get(word[0], UNKNOWN)]
        tokens += [self._continuations.get(char, UNKNOWN) for char in word[1:]]
        while len(tokens) > 1:
            made = [merges.get(left << 16 | right, _NO_MERGE) for left, right in pairwise(tokens)]
            best = min(made)
            if best == _NO_MERGE:
                break
            tokens = _join(tokens, made, best)
        return tuple(tokens[:MAX_PIECES])


def _join(tokens: list[int], made: list[int], best: int) -> list[int]:
    """Replace, from left to right and without overlap, each pair that makes the token `best`."""
    joined: list[int] = []
    position = 0
    while position < len(made):
        if made[position] == best:
            joined.append(best)
            position += 2
        else:
            joined.append(tokens[position])
            position += 1
    if position < len(tokens):
        joined.append(tokens[position])
    return joined
