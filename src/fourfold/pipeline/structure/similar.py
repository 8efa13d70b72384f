"""``similar``: code like the code at a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fourfold.pipeline.ranked import Answer, Ranked
from fourfold.rank.demotion import demote
from fourfold.retrieve.mask import allowed_chunks
from fourfold.store.question import Question

if TYPE_CHECKING:
    from fourfold.model.query import Filters
    from fourfold.pipeline.searcher import Searcher
    from fourfold.store.contract import ChunkRow

POOL = 60
MEANING, WORDS = 0.7, 0.3
"""Shares of the cosine of the vectors and of the common words (BM25 of the chunk's own words, relative to itself)."""


def chunk_at(searcher: Searcher, path: str, line: int) -> ChunkRow | None:
    """The innermost chunk of a file that a line is in."""
    found = None
    for row in searcher.snapshot.chunks_of(path):
        if row.start_line <= line <= row.end_line:
            found = row
    return found


def similar_to(searcher: Searcher, row: ChunkRow, filters: Filters) -> Answer:
    """Chunks like one, best first, without itself; those of tests and vendored code after ordinary source."""
    corpus = searcher.corpus
    text = (searcher.snapshot.text(row.path) or "").split("\n")[row.start_line - 1 : row.end_line]
    words = corpus.words("stems", Question("\n".join(text)).stems).bm25
    own = float(words[row.number]) or 1.0
    scores = WORDS * np.minimum(words / own, 1.0)
    if not searcher.vectors.empty:
        vector = searcher.vectors.content(np.array([row.number]))[0]
        length = float(np.linalg.norm(vector))
        if length:
            content, _ = searcher.vectors.cosines(vector / np.float32(length))
            scores = scores + MEANING * np.maximum(content, 0.0)
    allowed = allowed_chunks(corpus, filters)
    scores = np.where(corpus.live_chunks if allowed is None else corpus.live_chunks & allowed, scores, 0.0)
    scores[row.number] = 0.0
    items: list[Ranked] = []
    for number in np.argsort(-scores, kind="stable")[:POOL].tolist():
        path = corpus.paths[int(corpus.chunk_file[number])]
        score, signals = demote(float(scores[number]), path, frozenset())
        if score > 0:
            items.append(Ranked(number, score, {"semantic": len(items) + 1}, list(signals)))
    items.sort(key=lambda item: -item.score)
    return Answer(items, "single", {"semantic": MEANING, "text": WORDS}, "similar")
