"""The token vocabulary of a static model: byte-pair merges over lower-case letters and digits.

A vocabulary is its alphabet and its merges, nothing else: every other token is the join of two earlier ones,
so that the texts of all tokens follow from 4 bytes a token. Token 0 stands for a character outside the
alphabet; then come the characters that begin a word, the characters that continue one, and one token per
merge in order of precedence. Hence of two possible merges the one that makes the *smaller token number* goes
first (the rule of byte-pair encoding: Sennrich, Haddow, Birch 2016, "Neural Machine Translation of Rare Words
with Subword Units").
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from fourfold.model.errors import BackendUnavailable
from fourfold.model.text import MAX_WORD_LENGTH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNKNOWN = 0
"""Token of a character outside the alphabet."""

MAX_PIECES = 8
"""A word counts by its first 8 pieces: what the bundled model was trained with. Longer ones are hashes and
noise."""

_CACHE_WORDS = 100_000
"""Words whose pieces are remembered (about 15 MB at most); then the memory starts afresh."""

_NO_MERGE = 1 << 32


class Vocabulary:
    """Splits words into token numbers.

    `initials` and `continuations` are the characters that may begin and continue a word; `merges` has shape
    (m, 2), each row the two tokens that token ``1 + len(initials) + len(continuations) + row`` joins.
    `indirect` names tokens that begin a word but are not the encoding of their own text (a property of the
    merges, found once at export).
    """

    def __init__(
        self, initials: str, continuations: str, merges: NDArray[np.uint16], indirect: Iterable[int] = ()
    ) -> None:
        """Raises :class:`BackendUnavailable` where a merge names a token that does not precede it."""
        self._initials = {char: 1 + number for number, char in enumerate(initials)}
        first = 1 + len(initials)
        self._continuations = {char: first + number for number, char in enumerate(continuations)}
        base = first + len(continuations)
        lefts, rights = merges[:, 0].tolist(), merges[:, 1].tolist()
        self.texts: list[str] = ["", *initials, *continuations]
        """Text of every token, without a mark for its place in the word."""
        begins = [False] + [True] * len(initials) + [False] * len(continuations)
        try:
            for left, right in zip(lefts, rights, strict=True):
                self.texts.append(self.texts[left] + self.texts[right])
                begins.append(begins[left])
        except IndexError:
            raise BackendUnavailable(
                "The vocabulary of the embedding model is damaged.", hint="Install Fourfold again."
            ) from None
        pairs = [left << 16 | right for left, right in zip(lefts, rights, strict=True)]
        self._merges: dict[int, int] = dict(zip(pairs, range(base, base + len(pairs)), strict=True))
        self._whole: dict[str, tuple[int, ...]] = {
            text: (token,)
            for token, (text, begin) in enumerate(zip(self.texts, begins, strict=True))
            if begin
        }
        for token in indirect:
            self._whole.pop(self.texts[token], None)
        self._split: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def word_pieces(self, word: str) -> tuple[int, ...]:
        """Token numbers of a lower-case word of letters or digits, at most :data:`MAX_PIECES`, in order.

        Words longer than 128 characters are read by their first 128, so that no text can make the merge loop
        slow. The empty word has no pieces.
        """
        known = self._whole.get(word) or self._split.get(word)
        if known is not None:
            return known
        pieces = self._merge(word[:MAX_WORD_LENGTH])
        if len(self._split) >= _CACHE_WORDS:
            self._split.clear()
        self._split[word] = pieces
        return pieces

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
