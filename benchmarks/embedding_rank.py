"""Rank the chunks of a pool: by words, by vectors, by both; and how well that went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.embedding_pool import Pool
from fourfold.embed.protocol import Embedder, EmbedInput
from fourfold.index.build import STEM_WEIGHT, path_context
from fourfold.model.text import words
from fourfold.store.local.postings import K1
from fourfold.store.local.schema import FIELD_B
from fourfold.store.terms import stem_terms

TOP = 10
RRF = 60
"""The constant of reciprocal rank fusion as published (Cormack, Clarke, Buettcher 2009)."""


def symbol_of(pool: Pool, row: int) -> str:
    """What the index embeds as a chunk's symbol."""
    chunk = pool.chunks[row]
    return " ".join((chunk.symbol, chunk.parent)).strip()


def bm25_scores(pool: Pool, questions: Sequence[str]) -> NDArray[np.float64]:
    """Scores (questions, chunks) over the terms that Fourfold indexes: stems of body, path and symbol."""
    documents = [_terms(pool, row) for row in range(len(pool.chunks))]
    lengths = np.array([sum(one.values()) for one in documents], float)
    spread = 1 - FIELD_B["body"] + FIELD_B["body"] * lengths / lengths.mean()
    frequency = Counter(term for one in documents for term in one)
    scores = np.zeros((len(questions), len(documents)))
    for number, question in enumerate(questions):
        for term in {term for word in words(question) for term in stem_terms(word)}:
            if term in frequency:
                rarity = np.log(1 + (len(documents) - frequency[term] + 0.5) / (frequency[term] + 0.5))
                times = np.array([one[term] for one in documents], float)
                scores[number] += rarity * times * (K1 + 1) / (times + K1 * spread)
    return scores


def _terms(pool: Pool, row: int) -> Counter[str]:
    stem, folders = path_context(pool.paths[row])
    found: Counter[str] = Counter()
    for text, weight in (
        (pool.chunks[row].text, 1),
        (stem, STEM_WEIGHT),
        (" ".join(folders), 1),
        (symbol_of(pool, row), 1),
    ):
        for word in words(text):
            for term in stem_terms(word):
                found[term] += weight
    return found


def vector_scores(pool: Pool, questions: Sequence[str], embedder: Embedder) -> NDArray[np.float64]:
    """Cosines (questions, chunks) as the index computes them: content and path vectors added."""
    inputs = [EmbedInput(chunk.text, pool.paths[row], symbol_of(pool, row)) for row, chunk in enumerate(pool.chunks)]
    rows = embedder.documents(inputs) + embedder.paths(pool.paths)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.asarray(embedder.queries(list(questions)) @ rows.T, np.float64)


def fused(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Reciprocal rank fusion of two score matrices, equal weights."""
    return _reciprocal(first) + _reciprocal(second)


def _reciprocal(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    return np.where(scores > 0, 1.0 / (RRF + 1 + ranks), 0.0)


def outcome(scores: NDArray[np.float64], answers: Sequence[frozenset[int]]) -> NDArray[np.float64]:
    """Reciprocal rank and hit within the first ten of each question: shape (questions, 2)."""
    found = np.zeros((len(answers), 2))
    for number, rows in enumerate(answers):
        best = np.argsort(-scores[number], kind="stable")[:TOP]
        place = next((rank for rank, row in enumerate(best) if int(row) in rows and scores[number, row] > 0), None)
        if place is not None:
            found[number] = 1 / (place + 1), 1
    return found
