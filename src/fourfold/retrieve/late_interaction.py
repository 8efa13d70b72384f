"""Late interaction on token vectors: every word of a question meets the token of a text that is nearest to it.

The sum over the question's words of their highest cosine with any token of the text is MaxSim (ColBERT, Khattab and
Zaharia 2020); here the words are weighed by their rarity, and the vectors are those of a static model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.text import words
from fourfold.store.local.postings import idf
from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from fourfold.embed.protocol import BagEmbedder
    from fourfold.store.local.corpus import Corpus
    from fourfold.store.question import Question


def max_similarities(embedder: BagEmbedder, corpus: Corpus, question: Question, texts: Sequence[str]) -> list[float]:
    """One number a text from 0 to 1; [] where the model knows no word of the question."""
    vectors = embedder.queries(list(question.content)) if question.content else np.zeros((0, 1), np.float32)
    known = vectors.any(axis=1)
    if not known.any():
        return []
    rarity = np.array([_rarity(corpus, stem) for stem in question.content_stems]) * known
    rarity /= rarity.sum()
    values = []
    for text in texts:
        tokens = np.array(sorted({token for word in set(words(text)) for token in embedder.token_ids(word)}), np.int64)
        if not len(tokens):
            values.append(0.0)
            continue
        nearest = np.maximum(embedder.token_cosines(tokens, vectors).max(axis=1), 0.0)
        values.append(float(nearest @ rarity))
    return values


def chunks_with(corpus: Corpus, stem: str) -> int:
    """How many chunks hold a stem."""
    return int(np.count_nonzero(corpus.words("stems", {term_hash(stem): 1.0}).bm25))


def _rarity(corpus: Corpus, stem: str) -> float:
    return idf(corpus.live_chunk_count, chunks_with(corpus, stem))
