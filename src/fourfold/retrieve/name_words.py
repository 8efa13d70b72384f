"""How the words of a question meet the words of the names that chunks define."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.record import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.embed.protocol import BagEmbedder
    from fourfold.store.local.corpus import Corpus


@record(frozen=True, slots=True)
class Names:
    """How question words meet the words of the names that C chunks define.

    `soft` is the highest cosine of each question word with any word of the names, at least 0, shape (W, C);
    `precision` is the mean over the names' words of their highest cosine with any question word, shape (C,).
    """

    soft: NDArray[np.float32]
    precision: NDArray[np.float32]


def match_names(
    corpus: Corpus,
    rows: NDArray[np.int64],
    word_vectors: NDArray[np.float32] | None,
    embedder: BagEmbedder | None,
) -> Names:
    """Match the question's words (unit vectors, shape (W, dimension)) with the names in some chunks."""
    chunks = len(rows)
    words = 0 if word_vectors is None else len(word_vectors)
    soft = np.zeros((words, chunks), dtype=np.float32)
    precision = np.zeros(chunks, dtype=np.float32)
    if word_vectors is None or embedder is None or not words:
        return Names(soft, precision)
    places, counts = corpus.name_places(rows)
    if not len(places):
        return Names(soft, precision)
    distinct, inverse = _distinct(places, len(corpus.name_vocabulary))
    similarity = embedder.token_cosines(corpus.name_vocabulary[distinct], word_vectors)
    np.maximum(similarity, np.float32(0.0), out=similarity)
    filled = counts.nonzero()[0]
    starts = (counts.cumsum() - counts)[filled]
    soft[:, filled] = np.maximum.reduceat(similarity.take(inverse, 1), starts, axis=1)
    best = similarity.max(axis=0).take(inverse)
    precision[filled] = np.add.reduceat(best, starts) / counts[filled]
    return Names(soft, precision)


def _distinct(numbers: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """As ``np.unique(numbers, return_inverse=True)``, without sorting, of numbers below `count`."""
    place = np.zeros(count, dtype=np.int64)
    place[numbers] = 1
    distinct = place.nonzero()[0]
    place[distinct] = np.arange(len(distinct))
    return distinct, place[numbers]
