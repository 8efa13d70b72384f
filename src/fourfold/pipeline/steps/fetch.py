"""Steps that find candidates: each is one retriever alone, or words as plain BM25."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fourfold.pipeline.direct import METHODS
from fourfold.pipeline.exact import exact_text
from fourfold.pipeline.steps.base import Step, param
from fourfold.rank.path_rules import CATEGORIES
from fourfold.retrieve.definition_words import definitions_like
from fourfold.retrieve.semantic import semantic_hits
from fourfold.retrieve.structural import structural_hits
from fourfold.retrieve.text import text_hits

if TYPE_CHECKING:
    from fourfold.pipeline.ranked import Ranked
    from fourfold.pipeline.state import RetrieverState

POOL = 100
"""Hits taken from each retriever."""
UNDEMOTED = frozenset(CATEGORIES)
"""As categories that the question asks for: retrievers order by what they found, ``path_demotion`` demotes."""


def _pool() -> int:
    size: int = param(POOL, "hits at most", minimum=1, maximum=10_000)
    return size


@dataclass(frozen=True)
class DenseFetcher(Step):
    """The chunks whose vectors are nearest to the question's; none where the index has no vectors.

    Example: ``dense_fetcher: {pool: 50}``
    """

    type: ClassVar[str] = "dense_fetcher"
    pool: int = _pool()

    def apply(self, state: RetrieverState) -> None:
        """Fetch."""
        index = state.index
        vector = index.embed(state.meaning)
        found = [] if vector is None else semantic_hits(index.corpus, index.vectors, vector, self.pool, state.allowed)
        state.take(found, "semantic")


@dataclass(frozen=True)
class Bm25Fetcher(Step):
    """Chunks by BM25 of the question's words as written; with `stems` by their stems too.

    Example: ``bm25_fetcher: {pool: 50, stems: true}``
    """

    type: ClassVar[str] = "bm25_fetcher"
    pool: int = _pool()
    stems: bool = param(False, "count the stems of words, too")

    def apply(self, state: RetrieverState) -> None:
        """Fetch."""
        found = text_hits(state.index.corpus, state.question, self.pool, state.allowed, stems=self.stems)
        state.take(found, "text")


@dataclass(frozen=True)
class TextFetcher(Step):
    """The text modality: where the question holds a literal, a regular expression or an error, the chunks with a line
    that holds it; else chunks by BM25 of words and stems.

    Example: ``text_fetcher``
    """

    type: ClassVar[str] = "text_fetcher"
    pool: int = _pool()

    def apply(self, state: RetrieverState) -> None:
        """Fetch."""
        query, index = state.understood, state.index
        if query.intent != "exact_match" or not query.literal:
            state.take(text_hits(index.corpus, state.question, self.pool, state.allowed), "text")
            return
        found = exact_text(index.snapshot, index.corpus, query, UNDEMOTED, state.allowed_paths())
        _take(state, found, "text", self.pool)


@dataclass(frozen=True)
class StructuralFetcher(Step):
    """The chunks that define a name of the question; where it surely names nothing that is defined here, those that
    define something whose name holds its words (not with `names_only`).

    Example: ``structural_fetcher: {pool: 50}``
    """

    type: ClassVar[str] = "structural_fetcher"
    pool: int = _pool()
    names_only: bool = param(False, "only definitions of names that the question holds")

    def apply(self, state: RetrieverState) -> None:
        """Fetch."""
        index = state.index
        names = state.understood.identifiers if self.names_only else state.sure_names
        hits = structural_hits(index.corpus, names, self.pool, state.allowed)
        if not names and not self.names_only:
            hits = definitions_like(index.snapshot, index.corpus, state.question, self.pool, state.allowed)
        state.take(hits, "structural")
        state.method = METHODS["structural"]


@dataclass(frozen=True)
class GraphFetcher(Step):
    """What uses the names of the question, or (asked for impact) what a change of them reaches: what the graph knows
    first, then what mentions them. A question about uses that names nothing known is taken to speak of the `described`
    chunks nearest to it by meaning.

    Example: ``graph_fetcher: {described: 5}``
    """

    type: ClassVar[str] = "graph_fetcher"
    pool: int = _pool()
    described: int = param(3, "chunks that stand for a symbol that is described, not named", minimum=0, maximum=50)

    def apply(self, state: RetrieverState) -> None:
        """Fetch."""
        from fourfold.pipeline import references
        from fourfold.rank.weights import GRAPH_INTENTS

        index, query = state.index, state.understood
        names, paths = state.sure_names, state.allowed_paths()
        if names:
            found = references.asked(index.graph, index.snapshot, index.corpus, query, names, UNDEMOTED, paths)
        elif self.described and query.intent in GRAPH_INTENTS:
            found = references.uses_of_nodes(index.graph, index.corpus, self._described(state), UNDEMOTED, paths)
        else:
            found = []
        _take(state, found, "graph", self.pool)

    def _described(self, state: RetrieverState) -> list[int]:
        """Nodes of the definitions that the question describes."""
        from fourfold.pipeline.steps.nodes import nodes_of

        index = state.index
        vector = index.embed(state.meaning)
        if vector is None:
            return []
        hits = semantic_hits(index.corpus, index.vectors, vector, self.described, None)
        candidates = [state.candidate(hit.chunk, hit.score, hit.modality, 1) for hit in hits]
        return [node for one in candidates for node in nodes_of(state, one)]


def _take(state: RetrieverState, found: list[Ranked], modality: str, pool: int) -> None:
    """Ranked chunks that the filters let through become the candidates of one modality."""
    if state.allowed is not None:
        found = [item for item in found if state.allowed[item.chunk]]
    state.take_ranked(found[:pool])
    state.weights, state.method = {modality: 1.0}, METHODS[modality]
