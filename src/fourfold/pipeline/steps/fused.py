"""Words and meaning in one go: fused where the index is, in one query, if its store has an engine of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fourfold.model.hit import Hit
from fourfold.pipeline.steps.base import Step, param
from fourfold.pipeline.steps.fetch import POOL
from fourfold.pipeline.steps.fusion import TEXTBOOK_K
from fourfold.rank.fusion import weighted_rrf
from fourfold.retrieve.semantic import semantic_hits
from fourfold.retrieve.served import OVER_FETCH, served
from fourfold.retrieve.text import text_hits

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState

FUSED = "fused"
"""The name of the list: which of the two found a place is known to the engine alone."""


@dataclass(frozen=True)
class FusedFetcher(Step):
    """The chunks that plain BM25 and vectors find, fused by rank with equal weights. On the Qdrant store that is one
    query, two prefetches of twice `pool` under one filter, fused on the server: one way there and back, at the price
    that results do not tell which of the two found them. Elsewhere the same is computed here.

    Example: ``fused_fetcher: {pool: 50, k: 60}``
    """

    type: ClassVar[str] = "fused_fetcher"
    pool: int = param(POOL, "hits at most", minimum=1, maximum=10_000)
    k: int = param(TEXTBOOK_K, "constant of the fusion; smaller favours the head of each list", minimum=1)

    def apply(self, state: RetrieverState) -> None:
        """Fetch and fuse."""
        state.take(self._hits(state), FUSED)
        state.strategy, state.method = "weighted_rrf", "rrf"

    def _hits(self, state: RetrieverState) -> list[Hit]:
        index, k = state.index, int(state.k or self.k)
        vector = index.embed(state.meaning)
        engine = served(index.corpus, state.allowed)
        if engine is not None and vector is not None:
            found = engine.fused(state.question, vector, k, FUSED, self.pool)
            if found is not None:
                return found
        wanted = OVER_FETCH * self.pool
        lists = {"text": text_hits(index.corpus, state.question, wanted, state.allowed, stems=False)}
        if vector is not None:
            lists["semantic"] = semantic_hits(index.corpus, index.vectors, vector, wanted, state.allowed)
        keys = {name: [hit.chunk for hit in hits] for name, hits in lists.items()}
        fused = weighted_rrf(keys, dict.fromkeys(keys, 1.0), k)
        return [Hit(one.key, one.score, FUSED) for one in fused[: self.pool]]
