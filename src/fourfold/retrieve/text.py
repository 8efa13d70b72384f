"""The text modality for words: BM25 over raw words and over stems, added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.hit import Hit
from fourfold.retrieve.served import OVER_FETCH, served
from fourfold.store.local.postings import best
from fourfold.store.qdrant.asked import Asked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.corpus import Corpus
    from fourfold.store.question import Question

MODALITY = "text"


def text_hits(
    corpus: Corpus, question: Question, limit: int, allowed: NDArray[np.bool_] | None = None, *, stems: bool = True
) -> list[Hit]:
    """The `limit` chunks with the highest BM25; without `stems` only words as written count (plain BM25)."""
    engine = served(corpus, allowed)
    if engine is not None and question.raw:
        asked = Asked("words", OVER_FETCH * limit, raw=question.raw, stems=question.stems if stems else None)
        found = engine.hits([asked], MODALITY, limit)
        if found is not None:
            return found
    scores = corpus.words("raw", question.raw).bm25
    if stems:
        scores = scores + corpus.words("stems", question.stems).bm25
    if allowed is not None:
        scores = np.where(allowed, scores, np.float32(0.0))
    return [Hit(int(row), float(scores[row]), MODALITY) for row in best(scores, limit, corpus.chunk_order)]
