"""Lists of best chunks and files that the store's own engine makes, where it has one (the Qdrant store).

What the columns say alone and what the engine says agree: the same words, vectors, statistics and filter. The engine is
asked for twice as many as are wanted, so that what a filter drops here, and the order of equal scores, cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.hit import Hit
from fourfold.store.local.postings import best_of
from fourfold.store.qdrant.asked import Asked, Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.corpus import Corpus
    from fourfold.store.qdrant.legs import Legs
    from fourfold.store.question import Question

OVER_FETCH = 2
"""How many times the wanted number each leg asks for."""
MAX_NARROWED = 2_000
"""Files that a filter is sent as; a wider one is left to the columns, which hold its mask already."""


class Served:
    """Asks the engine of a snapshot under one filter (`allowed` masks chunks; None: everything)."""

    def __init__(self, corpus: Corpus, legs: Legs, allowed: NDArray[np.bool_] | None) -> None:
        self._corpus = corpus
        self._legs = legs
        self._allowed = allowed
        self._files = None if allowed is None else np.unique(corpus.chunk_file[allowed & corpus.live_chunks])

    @property
    def possible(self) -> bool:
        """False where the filter is better applied to columns."""
        return self._files is None or 0 < len(self._files) <= MAX_NARROWED

    def lists(
        self,
        question: Question,
        query: NDArray[np.float32] | None,
        length: int,
        fields: Mapping[str, int],
    ) -> tuple[dict[str, NDArray[np.int64]], dict[str, NDArray[np.int64]]] | None:
        """Best chunks by ``raw``, ``stems``, ``content`` and ``with_path``, `length` each, and best files of each
        field: all in one request. None where a filter by kind left fewer than it might."""
        wanted = OVER_FETCH * length
        asked = [Asked("raw", wanted, raw=question.raw), Asked("stems", wanted, stems=question.stems)]
        if query is not None:
            asked += [Asked("content", wanted, vector=query), Asked("with_path", wanted, vector=query)]
        by_chunk = [one.name for one in asked]
        asked += [Asked(name, OVER_FETCH * n, stems=question.stems, field=name) for name, n in fields.items()]
        found = self._legs.ask(asked, self._versions())
        chunks = [
            self._chunks(ranking, one, length) for ranking, one in zip(found, asked, strict=True) if not one.field
        ]
        if any(one is None for one in chunks):
            return None
        order = self._corpus.file_order.__getitem__
        files = [
            best_of(*_arrays(ranking), limit, order)
            for ranking, limit in zip(found[len(by_chunk) :], fields.values(), strict=True)
        ]
        tops = {name: one for name, one in zip(by_chunk, chunks, strict=True) if one is not None}
        return tops, dict(zip(fields, files, strict=True))

    def hits(self, asked: Sequence[Asked], modality: str, limit: int) -> list[Hit] | None:
        """The best chunks of one leg as hits; None as :meth:`lists`."""
        (ranking,) = self._legs.ask(asked, self._versions())
        rows = self._chunks(ranking, asked[0], limit)
        if rows is None:
            return None
        scores = dict(zip(ranking.numbers, ranking.scores, strict=True))
        return [Hit(row, scores[row], modality) for row in rows.tolist()]

    def fused(
        self, question: Question, query: NDArray[np.float32], k: int, modality: str, limit: int
    ) -> list[Hit] | None:
        """Words as written and vectors in one query, fused on the server by rank with equal weights and the constant
        `k`: two prefetches of twice `limit` under the one filter. None as :meth:`lists`."""
        wanted = OVER_FETCH * limit
        asked = [Asked("words", wanted, raw=question.raw), Asked("with_path", wanted, vector=query)]
        ranking = self._legs.fused(asked, k, wanted, self._versions())
        rows = self._chunks(ranking, asked[0], limit)
        if rows is None:
            return None
        scores = dict(zip(ranking.numbers, ranking.scores, strict=True))
        return [Hit(row, scores[row], modality) for row in rows.tolist()]

    def _versions(self) -> list[int] | None:
        return None if self._files is None else self._legs.versions(self._files)

    def _chunks(self, ranking: Ranking, asked: Asked, limit: int) -> NDArray[np.int64] | None:
        rows, scores = _arrays(ranking)
        if self._allowed is not None:
            keep = self._allowed[rows]
            if int(keep.sum()) < limit and len(rows) >= asked.limit:
                return None
            rows, scores = rows[keep], scores[keep]
        return best_of(rows, scores, limit, self._corpus.chunk_order)


def served(corpus: Corpus, allowed: NDArray[np.bool_] | None) -> Served | None:
    """The engine of a corpus under a filter; None where it has none, or where the columns do better."""
    if corpus.legs is None:
        return None
    found = Served(corpus, corpus.legs, allowed)
    return found if found.possible else None


def _arrays(ranking: Ranking) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rows of positive score."""
    scores = np.array(ranking.scores, dtype=np.float32)
    rows = np.array(ranking.numbers, dtype=np.int64)
    return rows[scores > 0], scores[scores > 0]
