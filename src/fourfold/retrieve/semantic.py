"""The semantic modality: chunks whose vectors are nearest to the question's."""

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
    from fourfold.store.local.vectors import Vectors

MODALITY = "semantic"


def semantic_hits(
    corpus: Corpus,
    vectors: Vectors,
    query: NDArray[np.float32],
    limit: int,
    allowed: NDArray[np.bool_] | None = None,
) -> list[Hit]:
    """The `limit` chunks of highest cosine of content plus path with a unit query vector; empty without vectors."""
    if vectors.empty or not query.any():
        return []
    engine = served(corpus, allowed)
    if engine is not None:
        found = engine.hits([Asked("with_path", OVER_FETCH * limit, vector=query)], MODALITY, limit)
        if found is not None:
            return found
    rows = vectors.candidates(query, allowed)
    values = vectors.cosines(query, rows)[1]
    scores = values
    if rows is not None:
        scores = np.zeros(corpus.chunks, dtype=np.float32)
        scores[rows] = values
    keep = corpus.live_chunks if allowed is None else corpus.live_chunks & allowed
    scores = np.where(keep, scores, np.float32(0.0))
    return [Hit(int(row), float(scores[row]), MODALITY) for row in best(scores, limit, corpus.chunk_order)]
