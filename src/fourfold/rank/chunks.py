"""Which chunk of a file answers a question: features of candidate chunks, for a linear scorer. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.chunk import FUNCTION_KINDS, KINDS, TYPE_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.retrieve.evidence import Evidence

CHUNK_FEATURES: frozenset[str] = frozenset(
    "raw stems coverage content centred names name_precision name_match bonus is_function is_type is_loose size "
    "is_first meaning_alone rare_name".split()
)
"""Names of all features of a chunk."""

WORDLESS, WORDED = 0.3, 0.6
"""The share of a question that one chunk covers at best. Nine in ten of the hand-written questions with words of their
answer have .72 or more; half of those that share no word with it have .43 or less (``docs/ranking.md``)."""
ASKED_WORDS = 30
"""Content words of a question at most; a longer text is pasted."""

_IS_FUNCTION = np.array([float(kind in FUNCTION_KINDS) for kind in KINDS])
_IS_TYPE = np.array([float(kind in TYPE_KINDS) for kind in KINDS])
"""1 for the kind codes of functions, and of types."""


def chunk_features(evidence: Evidence) -> dict[str, NDArray[np.float64]]:
    """All features by name, each of shape (C,).

    BM25s are divided by their highest value among the candidates, cosines are as they are; `names` is the share of the
    question (by idf) met by the names a chunk defines, `name_precision` the share of those names that is asked for, and
    `name_match` the harmonic mean of both; `size` is the logarithm of the number of words; `meaning_alone` is the
    cosine's z-score among the candidates as far as the question is :func:`wordless`; `rare_name` is 1 where it holds a
    name of the question that stands in few chunks.
    """
    names, precision, match = name_matches(evidence)
    first = np.zeros(len(evidence.chunks))
    first[evidence.offsets[:-1]] = 1.0
    is_function = _IS_FUNCTION[evidence.kinds]
    is_type = _IS_TYPE[evidence.kinds]
    return {
        "raw": _relative(evidence.raw),
        "stems": _relative(evidence.stems),
        "coverage": evidence.coverage.astype(np.float64),
        "content": evidence.content.astype(np.float64),
        "centred": evidence.centred.astype(np.float64),
        "names": names,
        "name_precision": precision,
        "name_match": match,
        "bonus": evidence.definition_bonus.astype(np.float64),
        "is_function": is_function,
        "is_type": is_type,
        "is_loose": 1.0 - np.maximum(is_function, is_type),
        "size": np.log1p(evidence.sizes.astype(np.float64)),
        "is_first": first,
        "meaning_alone": wordless(evidence) * standardised(evidence.content.astype(np.float64)[None])[0],
        "rare_name": evidence.rare.astype(np.float64),
    }


def wordless(evidence: Evidence, named: float = 0.0) -> float:
    """How far the words of a question are not those of the code, from 0 to 1: 1 where the chunk that covers most of it
    covers less than :data:`WORDLESS`, 0 from :data:`WORDED` on. What is found by words is then found by chance. `named`
    is added to that share for what the names of files hold. That no chunk covers much of a pasted text says nothing; a
    name that stands in few places is not found by chance."""
    if len(evidence.word_idf) > ASKED_WORDS or evidence.rare.any():
        return 0.0
    most = float(evidence.coverage.max(initial=0.0)) + named
    return min(1.0, max(0.0, (WORDED - most) / (WORDED - WORDLESS)))


def standardised(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows less their mean, by their deviation; zeros where a row does not vary."""
    if not rows.size:
        return rows
    centred = rows - rows.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=1, keepdims=True))
    result: NDArray[np.float64] = np.where(deviation > 1e-9, centred / np.maximum(deviation, 1e-9), 0.0)
    return result


def name_matches(evidence: Evidence) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """How well the names that each chunk defines meet the question: the share of the question that they meet, the share
    of them that is asked for, and the harmonic mean of both, each of shape (C,)."""
    soft = evidence.names.soft
    names = np.zeros(len(evidence.chunks))
    if len(soft):
        weights = evidence.word_idf + 0.3
        shares = (weights / weights.sum()).astype(np.float32)  # a float like the matches: no copy of those is made
        names = (shares @ soft).astype(np.float64)
    precision = evidence.names.precision.astype(np.float64)
    return names, precision, 2.0 * names * precision / np.maximum(names + precision, 1e-9)


def _relative(values: NDArray[np.float32]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = values.astype(np.float64) / max(float(values.max(initial=0.0)), 1e-9)
    return result


MORE_WITHIN = 1.0
"""How far a chunk's score may lie below the shown one's to be named beside it."""
MORE_PLACES = 3
"""Further good chunks of a file that a result names."""


def _small(numbers: NDArray[np.int64]) -> NDArray[np.integer]:
    """Ascending numbers in as few bits as they need: small ones are sorted by their digits, in one pass."""
    return numbers.astype(np.uint16) if len(numbers) and numbers[-1] < 1 << 16 else numbers


class ChunkOrder:
    """Chunks of candidate files, the best of each file first, equals in line order; `scores` by chunk.

    Chunks that the filters hide come last in their file and are never named.
    """

    def __init__(self, evidence: Evidence, scores: NDArray[np.float64]) -> None:
        self._scores = scores if evidence.shown is None else np.where(evidence.shown, scores, -np.inf)
        self._offsets = evidence.offsets
        self._owner = np.repeat(np.arange(len(evidence.files)), np.diff(evidence.offsets))
        by_score = (-self._scores).argsort(kind="stable")
        self._order: NDArray[np.int64] = by_score[_small(self._owner)[by_score].argsort(kind="stable")]

    def best(self) -> NDArray[np.int64]:
        """For each candidate file the position (in ``evidence.chunks``) of its best chunk."""
        result: NDArray[np.int64] = self._order[self._offsets[:-1]]
        return result

    def _following(self, position: int, count: int) -> list[tuple[float, int]]:
        """(score, chunk position) of the chunks of a file that follow its best one."""
        first = int(self._offsets[position])
        last = min(first + 1 + count, int(self._offsets[position + 1]))
        places = self._order[first + 1 : last]
        pairs = zip(self._scores[places].tolist(), places.tolist(), strict=True)
        return [(score, at) for score, at in pairs if score > -np.inf]

    def top(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The first `count` chunks of each file that the filters show: file positions, ranks within the file (from 0)
        and chunk positions, file by file."""
        ranks = np.arange(len(self._owner)) - self._offsets[self._owner]
        kept = (ranks < count) & (self._scores[self._order] > -np.inf)
        return self._owner[kept], ranks[kept], self._order[kept]

    def odds(self) -> NDArray[np.float64]:
        """How likely each chunk is the one of its file that answers: the softmax of the scores within the file. (C,)"""
        if not len(self._order):
            return np.zeros(0)
        highest = self._scores[self.best()]
        raised = np.exp(self._scores - np.where(highest > -np.inf, highest, 0.0)[self._owner])
        totals = np.maximum(np.add.reduceat(raised, self._offsets[:-1]), 1e-300)
        result: NDArray[np.float64] = raised / totals[self._owner]
        return result

    def more(self, position: int) -> list[int]:
        """Chunk positions of a file, in line order, that answer nearly as well as its best one."""
        least = float(self._scores[self._order[self._offsets[position]]]) - MORE_WITHIN
        return sorted(at for score, at in self._following(position, MORE_PLACES) if score >= least)
