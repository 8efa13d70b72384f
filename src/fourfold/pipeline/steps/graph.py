"""Steps that look at the reference graph: neighbours, importance, communities. Where there is no graph they change
nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fourfold.model.errors import BadConfig
from fourfold.pipeline.steps.base import Step, param
from fourfold.pipeline.steps.nodes import centrality_of, chunk_of, community_of, nodes_of
from fourfold.rank.diversify import COMMUNITY_LAMBDA, community_diversity
from fourfold.rank.fusion import IMPORTANCE_CAP, IMPORTANCE_SLOPE, importance_boost

if TYPE_CHECKING:
    from fourfold.pipeline.state import Candidate, RetrieverState

NEIGHBOURS = ("callers", "callees", "overrides", "inheritors", "inherits", "importers", "imports", "uses", "similar")
"""Kinds of neighbours that ``graph_expand`` knows."""
_INCOMING = {"callers": ("calls",), "inheritors": ("inherits",), "importers": ("imports",), "uses": ("references",)}
_OUTGOING = {"callees": ("calls",), "inherits": ("inherits",), "imports": ("imports",)}
SIMILAR_SHARE = 0.5
"""Least cosine of two chunks that are neighbours by meaning."""


@dataclass(frozen=True)
class GraphExpand(Step):
    """The neighbours of the first `seeds` candidates join the list, each with the score of its seed times
    ``decay ^ hop``; a candidate that is there already keeps the higher score.

    Example: ``graph_expand: {kinds: [callers, callees], hops: 2}``
    """

    type: ClassVar[str] = "graph_expand"
    seeds: int = param(10, "candidates whose neighbours join", minimum=1, maximum=1_000)
    hops: int = param(1, "steps away from a seed", minimum=1, maximum=2)
    decay: float = param(0.9, "factor of each step", minimum=0, maximum=1)
    per_seed: int = param(25, "neighbours of one seed at most", minimum=1, maximum=1_000)
    kinds: tuple[str, ...] = param(("callers", "callees", "overrides"), "neighbours: " + ", ".join(NEIGHBOURS))

    def check(self) -> None:
        """Every kind must be known."""
        for kind in self.kinds:
            if kind not in NEIGHBOURS:
                raise BadConfig(f"{self.type}: there is no kind {kind!r}", hint=f"choose from: {', '.join(NEIGHBOURS)}")

    def apply(self, state: RetrieverState) -> None:
        """Expand."""
        graph = state.index.graph
        if not graph.edges and "similar" not in self.kinds:
            return
        by_chunk = {item.chunk: item for item in state.items}
        for seed in state.items[: self.seeds]:
            for chunk, hop in self._around(state, seed).items():
                if state.allowed is not None and not state.allowed[chunk]:
                    continue
                factor = self.decay**hop
                score = seed.score * factor
                known = by_chunk.get(chunk)
                if known is None:
                    known = state.candidate(chunk, score, "graph", 1)
                    known.signals.append((f"graph:hop {hop}", factor))
                    by_chunk[chunk] = known
                elif known is not seed and score > known.score:
                    known.score = score
                    known.contributions = {}
                    known.signals.append((f"graph:hop {hop}", factor))
        state.items = list(by_chunk.values())
        state.sort()
        _number(state.items)
        state.method = "graph_expand"

    def _around(self, state: RetrieverState, seed: Candidate) -> dict[int, int]:
        """The chunks around a seed, nearest first, and how many steps away they are."""
        found: dict[int, int] = {seed.chunk: 0}
        edge = nodes_of(state, seed)
        seen = set(edge)
        for hop in range(1, self.hops + 1):
            following: list[int] = []
            for node in (other for start in edge for other in self._neighbours(state, start)):
                if node in seen:
                    continue
                seen.add(node)
                following.append(node)
                chunk = chunk_of(state, state.index.graph, node)
                if chunk >= 0:
                    found.setdefault(chunk, hop)
                if len(found) > self.per_seed:
                    break
            edge = following
        if "similar" in self.kinds:
            for chunk in _similar(state, seed.chunk, self.per_seed):
                found.setdefault(chunk, 1)
        del found[seed.chunk]
        return dict(list(found.items())[: self.per_seed])

    def _neighbours(self, state: RetrieverState, node: int) -> Iterator[int]:
        graph = state.index.graph
        for kind in self.kinds:
            if kind in _INCOMING:
                yield from (edge.source for edge in graph.incoming(node, _INCOMING[kind]))
            elif kind in _OUTGOING:
                yield from (edge.target for edge in graph.outgoing(node, _OUTGOING[kind]))
            elif kind == "overrides":
                yield from (edge.source for edge in graph.incoming(node, ("overrides",)))
                yield from (edge.target for edge in graph.outgoing(node, ("overrides",)))


def _similar(state: RetrieverState, chunk: int, limit: int) -> list[int]:
    """The chunks nearest to one by content."""
    vectors = state.index.vectors
    if vectors.empty:
        return []
    vector = vectors.content(np.array([chunk]))[0]
    length = float(np.linalg.norm(vector))
    if not length:
        return []
    content = vectors.cosines(vector / np.float32(length))[0]
    content = np.where(state.index.corpus.live_chunks, content, 0.0)
    order = np.argsort(-content, kind="stable")[: limit + 1].tolist()
    return [other for other in order if other != chunk and content[other] >= SIMILAR_SHARE]


def _number(items: list[Candidate]) -> None:
    """Ranks among those that the graph brought in."""
    rank = 0
    for item in items:
        if "graph" in item.ranks:
            rank += 1
            item.ranks = {**item.ranks, "graph": rank}


@dataclass(frozen=True)
class ImportanceBoost(Step):
    """Every contribution times ``min(1 + slope * ln(1 + centrality), cap)``; the centrality is PageRank times the
    number of nodes, so that its mean is 1.

    Example: ``importance_boost``
    """

    type: ClassVar[str] = "importance_boost"
    slope: float = param(IMPORTANCE_SLOPE, "factor of the logarithm", minimum=0, maximum=10)
    cap: float = param(IMPORTANCE_CAP, "highest factor", minimum=1, maximum=10)

    def apply(self, state: RetrieverState) -> None:
        """Boost and sort."""
        for item in state.items:
            centrality = centrality_of(state, item)
            if centrality is not None:
                item.multiply("importance", importance_boost(centrality, self.slope, self.cap))
        state.sort()


@dataclass(frozen=True)
class CentralityPrior(Step):
    """Re-ranks by ``score * (1 + alpha * ln(1 + c) / ln(1 + highest c))`` with c the centrality of each candidate.

    Example: ``centrality_prior: {alpha: 0.3}``
    """

    type: ClassVar[str] = "centrality_prior"
    alpha: float = param(0.5, "how much the most central candidate gains", minimum=0, maximum=10)

    def apply(self, state: RetrieverState) -> None:
        """Re-rank."""
        found = [centrality_of(state, item) or 0.0 for item in state.items]
        highest = float(np.log1p(max(found, default=0.0)))
        if highest > 0:
            for item, centrality in zip(state.items, found, strict=True):
                item.multiply("centrality", 1.0 + self.alpha * float(np.log1p(centrality)) / highest)
            state.sort()


@dataclass(frozen=True)
class CommunityDiversity(Step):
    """Re-ranks so that communities of the graph mix: maximal marginal relevance, ``lambda`` for relevance against
    novelty. Scores stay; only the order changes.

    Example: ``community_diversity: {relevance: 0.7}``
    """

    type: ClassVar[str] = "community_diversity"
    relevance: float = param(COMMUNITY_LAMBDA, "lambda: 1 is relevance alone, 0 novelty alone", minimum=0, maximum=1)

    def apply(self, state: RetrieverState) -> None:
        """Re-rank."""
        known = {item.chunk: community_of(state, item) for item in state.items}
        state.items = community_diversity(state.items, lambda item: known[item.chunk], self.relevance)
