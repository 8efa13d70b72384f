"""Steps that score the candidates again by one retriever."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fourfold.pipeline.steps.base import Step, param
from fourfold.pipeline.steps.fusion import scaled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.pipeline.state import RetrieverState


@dataclass(frozen=True)
class DenseScorer(Step):
    """Every candidate gets its cosine with the question, whoever found it; `blend` is the share of that in the new
    score, the rest is the old score relative to the best one. Without vectors the list stays as it is.

    Example: ``dense_scorer: {blend: 0.5}``
    """

    type: ClassVar[str] = "dense_scorer"
    blend: float = param(1.0, "share of the cosine in the new score", minimum=0, maximum=1)

    def apply(self, state: RetrieverState) -> None:
        """Score and sort."""
        index = state.index
        vector = index.embed(state.meaning)
        if vector is None or not state.items:
            return
        rows = np.array([item.chunk for item in state.items], dtype=np.int64)
        _blend(state, np.maximum(index.vectors.cosines(vector, rows)[1], 0.0), self.blend, "dense_scorer")


@dataclass(frozen=True)
class Bm25Scorer(Step):
    """Every candidate gets its BM25 for the question's words, whoever found it; `blend` as in ``dense_scorer``.

    Example: ``bm25_scorer: {blend: 0.3, stems: true}``
    """

    type: ClassVar[str] = "bm25_scorer"
    blend: float = param(1.0, "share of BM25 in the new score", minimum=0, maximum=1)
    stems: bool = param(False, "count the stems of words, too")

    def apply(self, state: RetrieverState) -> None:
        """Score and sort."""
        if not state.items:
            return
        corpus, question = state.index.corpus, state.question
        rows = np.array([item.chunk for item in state.items], dtype=np.int64)
        scores = corpus.words("raw", question.raw).bm25[rows]
        if self.stems:
            scores = scores + corpus.words("stems", question.stems).bm25[rows]
        _blend(state, scores, self.blend, "bm25_scorer")


def _blend(state: RetrieverState, values: NDArray[np.float32], share: float, name: str) -> None:
    """New scores: `share` of `values` relative to the best, the rest of the old ones relative to theirs."""
    best = float(values.max(initial=0.0))
    old = scaled(state.items, "max")
    for item, before, value in zip(state.items, old, values.tolist(), strict=True):
        new = value / best if best > 0 else 0.0
        item.score = (1.0 - share) * before + share * new
        item.contributions = {}
        item.signals.append((name, share * new))
    state.method = name
    state.sort()
