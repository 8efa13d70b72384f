"""One question on one generation: gather, fuse, rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from fourfold.embed.protocol import BagEmbedder
from fourfold.model.errors import BackendUnavailable
from fourfold.model.hit import Hit
from fourfold.model.path import file_stem
from fourfold.pipeline.asked import stored
from fourfold.pipeline.direct import MADE, METHODS, missed_note, whole_note
from fourfold.pipeline.glossaries import read_in_english
from fourfold.pipeline.intent_model import understand
from fourfold.pipeline.kept import ANSWERS, Recent
from fourfold.pipeline.locations import LOCATION, file_bonus, places_asked, shares_and
from fourfold.pipeline.places import Places, Shares
from fourfold.pipeline.ranked import Answer, Ranked, put_before
from fourfold.pipeline.ranker import Ranking
from fourfold.pipeline.spelling import respelt
from fourfold.rank import features as feature
from fourfold.rank.chunks import ChunkOrder, chunk_features
from fourfold.rank.demotion import demote, wanted_categories
from fourfold.rank.linear import total
from fourfold.rank.listing import best_places, listing
from fourfold.rank.location import is_place
from fourfold.rank.name_question import only_name
from fourfold.rank.path_words import PathMatcher
from fourfold.rank.weights import GRAPH_INTENTS, direct_modality
from fourfold.retrieve.evidence import Evidence, Gatherer
from fourfold.retrieve.mask import allowed_chunks
from fourfold.retrieve.structural import SAME_CASE, bare, knows, structural_hits
from fourfold.retrieve.word_lists import word_lists
from fourfold.store.local.corpus import Corpus
from fourfold.store.local.postings import idf
from fourfold.store.local.schema import FILE_FIELDS
from fourfold.store.local.vectors import Vectors
from fourfold.store.terms import stem, term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.embed.protocol import Embedder
    from fourfold.graph.graph import Graph
    from fourfold.index.scip_file import ScipFile
    from fourfold.model.query import Filters, Query
    from fourfold.pipeline.models import Models
    from fourfold.pipeline.run import Answered
    from fourfold.pipeline.serving import Serving
    from fourfold.retrieve.cooccurrence import NameWords
    from fourfold.retrieve.names import NameIndex
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.question import Question

POOL = 100
"""Hits taken from each retriever."""
MAX_READ_CHARS = 1_000
"""Longer texts are pasted, not asked: they are not read in English."""
MAX_EMBED_CHARS = 4_000
"""Characters of a question that are embedded; a pasted file's words still count in full for the text modality."""
DEFINITIONS_FIRST = 3
"""Definitions of one name that come before what the learned order says of a question about it."""
DEFINES_NAME = 2.0
"""Added to a chunk that defines the name asked for, per worth of the definition: it is the one to show."""


class Searcher:
    """Answers questions on one snapshot. Holds what is worth keeping between questions. `ranking` may be replaced by
    one fitted on this repository."""

    def __init__(
        self,
        snapshot: LocalSnapshot,
        embedder: Callable[[], Embedder | None],
        models: Models | None = None,
        serving: Serving | None = None,
    ) -> None:
        """`embedder` gives the built-in model of the index; `serving` another one whose vectors answer in place of its
        own."""
        self.snapshot = snapshot
        self._models = models
        self.corpus = Corpus(snapshot)
        self._serving = serving if serving is not None and serving.vectors is not None else None
        self.note = serving.note if serving is not None else ""
        self.scip: ScipFile | None = None
        self.failures: list[BackendUnavailable] = []
        self.vectors = Vectors(self.corpus)
        if self._serving is not None and self._serving.vectors is not None:
            self.vectors = self._serving.vectors
        self._load_embedder = embedder
        self.ranking = Ranking()
        self.kept: Recent[tuple[Answered, Query, Ranking]] = Recent(ANSWERS)
        self._paths = PathMatcher(stem, self._rarity)

    @cached_property
    def _embedder(self) -> Embedder | None:
        return None if self.vectors.empty else self._load_embedder()

    @cached_property
    def _question_embedder(self) -> Embedder | None:
        """The model whose vectors are scored."""
        if self._serving is None or self._serving.embedder is None:
            return self._embedder
        return self._serving.embedder()

    @property
    def models(self) -> Models:
        """The models that steps may ask. Raises BackendUnavailable where the searcher was made without."""
        if self._models is None:
            raise BackendUnavailable("this searcher has no models to ask", hint="open the index with Index.open")
        return self._models

    @cached_property
    def name_words(self) -> NameWords:
        """The words of the names defined here; made when a question is first expanded."""
        from fourfold.retrieve.cooccurrence import NameWords

        return NameWords(self.corpus, self.snapshot.symbol_names())

    @cached_property
    def token_embedder(self) -> BagEmbedder | None:
        """The model of the index where it gives a vector to each token (a static one), else None."""
        embedder = self._embedder
        return embedder if isinstance(embedder, BagEmbedder) else None

    @property
    def model(self) -> str:
        """The identity of the model whose vectors answer, "" where there are none."""
        if self._serving is not None and self._serving.model:
            return self._serving.model
        return self.snapshot.meta.get("model", "")

    @cached_property
    def _gatherer(self) -> Gatherer:
        return Gatherer(self.corpus, self.vectors)

    @cached_property
    def graph(self) -> Graph:
        """The reference graph; the first one to ask after a change builds it."""
        from fourfold.index.graph import graph_beside

        graph, said = graph_beside(self.snapshot, self.scip)
        self.note = "; ".join(filter(None, (self.note, said)))
        return graph

    def understand(self, text: str, filters: Filters) -> Query:
        """A question with its intent, its names (a misspelt one as it is written here), and what it says in English."""
        query = understand(text, self.knows)
        query = respelt(self.corpus, lambda: self.names, query, lambda said: understand(said, self.knows))
        query = replace(query, filters=filters)
        if query.literal or len(text) > MAX_READ_CHARS:
            return query
        return replace(query, english=read_in_english(self.corpus, query.text))

    @cached_property
    def names(self) -> NameIndex:
        """The names defined here, for one that is not written exactly."""
        from fourfold.retrieve.names import NameIndex

        return NameIndex(self.snapshot.symbol_names())

    def knows(self, name: str) -> bool:
        """True where the index defines this name."""
        return knows(self.corpus, name)

    def embed(self, text: str) -> NDArray[np.float32] | None:
        """The unit vector of a question, None where there is no model or no word it knows."""
        try:
            embedder = self._question_embedder
            if embedder is None:
                return None
            vector = embedder.queries([text[:MAX_EMBED_CHARS]])[0]
        except BackendUnavailable as error:
            self.failures.append(error)
            raise
        return vector if vector.any() else None

    def answer(self, query: Query, depth: int = 20) -> Answer:
        """All ranked candidates for a question in the default way; further chunks come from the best `depth` files."""
        allowed = allowed_chunks(self.corpus, query.filters)
        question = stored(query)
        if not self.corpus.live_chunk_count:
            return Answer([], "single")
        located = places_asked(self.corpus, query, allowed)
        if located and is_place(query.text):
            return Answer(located, "direct", {"structural": 1.0}, LOCATION)
        answer = self._answer(query, question, allowed, depth)
        if located:
            answer.items = put_before(located, answer.items)
        return answer

    def _answer(self, query: Query, question: Question, allowed: NDArray[np.bool_] | None, depth: int) -> Answer:
        """The answer to a question that is no place in a file."""
        direct = direct_modality(query, self.knows)
        note = ""
        if direct is not None:
            items: Sequence[Ranked] = self._direct(query, allowed, direct)
            if direct in ("text", "structural"):
                items = self.messages_first(query, question, items, allowed)
            if items:
                said = whole_note(query, items) if direct == "text" else ""
                if direct == "graph":
                    from fourfold.pipeline.references import nothing_inherits

                    said = nothing_inherits(self.graph, self.snapshot, query, self._known(query))
                return Answer(items, "direct", {direct: 1.0}, METHODS[direct], note=said)
            note = missed_note(direct)
        elif query.intent == "find_similar":
            from fourfold.pipeline.structure.similar import like_named

            answer = like_named(self, query, question)
            if answer.items:
                return answer
        named = file_bonus(self.corpus, query)
        answer = self.rank_files(query, question, allowed, depth, tuple(named), named)
        if query.intent in GRAPH_INTENTS:
            from fourfold.pipeline.described import with_uses

            answer.items = with_uses(self, query, answer.items, allowed)
        answer.note = MADE if note and answer.items and answer.items[0].makes_message else note
        return answer

    def _known(self, query: Query) -> list[str]:
        """The names of a question that are defined here."""
        return [name for name in query.identifiers if self.knows(name)]

    def _direct(self, query: Query, allowed: NDArray[np.bool_] | None, modality: str) -> list[Ranked]:
        """What the dominant modality finds alone."""
        from fourfold.pipeline.exact import exact_text
        from fourfold.pipeline.references import asked

        if modality == "structural":
            return self._definitions(structural_hits(self.corpus, query.identifiers, POOL, allowed), query)
        paths = None
        if allowed is not None:
            paths = {self.corpus.paths[number] for number in np.unique(self.corpus.chunk_file[allowed])}
        wanted = wanted_categories(query.text, query.filters.paths)
        if modality == "text":
            found = exact_text(self.snapshot, self.corpus, query, wanted, paths)
        else:
            found = asked(self.graph, self.snapshot, self.corpus, query, self._known(query), wanted, paths)
        return found if allowed is None else [item for item in found if allowed[item.chunk]]

    def _definitions(self, hits: Sequence[Hit], query: Query) -> list[Ranked]:
        """Definitions of a name in retriever order, tests and the like after ordinary source."""
        wanted = wanted_categories(query.text, query.filters.paths)
        items = []
        for rank, hit in enumerate(hits):
            path = self.corpus.path_of(hit.chunk)
            score, signals = demote(hit.score, path, wanted)
            items.append(Ranked(hit.chunk, score, {"structural": rank + 1}, list(signals), line=hit.line))
        items.sort(key=lambda item: -item.score)
        return items

    def gather(
        self, question: Question, text: str, allowed: NDArray[np.bool_] | None, also: Sequence[str] = ()
    ) -> Evidence:
        """Evidence about the candidate files of a question; the files `also` are among them."""
        embedder = self._embedder
        word_vectors = None
        if embedder is not None and question.content:
            word_vectors = embedder.queries(list(question.content))
        extra = None
        if also:
            extra = np.array([self.corpus.file_numbers[path] for path in also], dtype=np.int64)
        return self._gatherer.gather(question, self.embed(text), word_vectors, self.token_embedder, allowed, extra)

    def path_shares(self, question: Question, paths: Sequence[str]) -> list[float]:
        """Share of a question's content words that the name or the folder of each path holds."""
        match = self._paths.match(question.content, question.content_stems, paths)
        met = (np.maximum(match.stem, match.folder) > 0).sum(axis=0) / max(len(question.content), 1)
        shares: list[float] = met.tolist()
        return shares

    def file_features(self, question: Question, query: Query, evidence: Evidence) -> dict[str, NDArray[np.float64]]:
        """Features of all candidates, by name."""
        wanted = wanted_categories(query.text, query.filters.paths)
        paths = self._paths.match(question.content, question.content_stems, evidence.paths)
        found = feature.features(evidence, paths, len(question.content), wanted.__contains__)
        if "generated" not in wanted:
            lists = self._word_lists[evidence.files]
            found["is_generated"] = np.maximum(found["is_generated"], lists)
            found["meaning_alone"] = np.where(lists, 0.0, found["meaning_alone"])  # a list of words means nothing
        return found

    @cached_property
    def _word_lists(self) -> NDArray[np.bool_]:
        return word_lists(self.corpus)

    def _rarity(self, word: str) -> float:
        """Idf of a word among paths."""
        found = self.corpus.fields.find(term_hash(stem(word)))
        holding = int((found.counts[:, FILE_FIELDS.index("path")] > 0).sum()) if found.counts is not None else 0
        return idf(self.corpus.live_file_count, holding)

    def rank_files(
        self,
        query: Query,
        question: Question,
        allowed: NDArray[np.bool_] | None,
        depth: int,
        also: Sequence[str] = (),
        bonus: Mapping[str, float] | None = None,
    ) -> Answer:
        """Files by the learned order, with their best chunks. The files `also` are candidates whatever is found;
        `bonus` adds to the score of a path."""
        evidence = self.gather(question, query.meaning, allowed, also)
        if not len(evidence.files):
            return Answer([], "weighted_rrf")
        found = self.file_features(question, query, evidence)
        ranker = self.ranking.rankers["default" if self._embedder is not None else "no_vectors"]
        shares: Shares = _no_shares
        if is_name(query):
            stems = {bare(name).lower() for name in query.identifiers} | {query.text.strip().lower()}
            named = np.array([file_stem(path).lower() in stems for path in evidence.paths])
            scores, method = feature.symbol_score(evidence, found, named), "symbol"
        else:
            contributions = ranker.contributions(found)
            shares = partial(ranker.shares, contributions)
            scores, method = total(contributions), "feature_rerank"
        if bonus:
            scores = scores + np.array([bonus.get(path, 0.0) for path in evidence.paths])
            shares = shares_and(bonus, evidence.paths, shares)
        chunk_scores = self.ranking.rankers["chunk"].score(chunk_features(evidence))
        if method == "symbol":
            chunk_scores = chunk_scores + DEFINES_NAME * evidence.definition_bonus
        chunks = ChunkOrder(evidence, chunk_scores)
        order = (-scores).argsort(kind="stable").tolist()  # equals stay in the order of their paths
        if method == "feature_rerank":
            listed = listing(scores, chunks, order, depth)
            places = Places(self.corpus, evidence, chunks, listed, shares)
            if name := only_name(query.text, query.intent, query.identifiers):
                places = self._definition_first(replace(query, identifiers=(name,)), places, allowed)
            items = self.messages_first(query, question, places, allowed, evidence)
        else:
            listed = best_places(scores, chunks, order)
            places = Places(self.corpus, evidence, chunks, listed, shares)
            items = self._defining_first(query, places, allowed)
        return Answer(items, "weighted_rrf", {}, method)

    def messages_first(
        self,
        query: Query,
        question: Question,
        items: Sequence[Ranked],
        allowed: NDArray[np.bool_] | None,
        evidence: Evidence | None = None,
    ) -> Sequence[Ranked]:
        """What makes the message that the question is, where it is one, before all else."""
        from fourfold.pipeline.phrase import with_messages

        return with_messages(self.snapshot, self.corpus, query, question, items, allowed, evidence)

    def _defining(self, query: Query, allowed: NDArray[np.bool_] | None) -> list[Ranked]:
        """What defines the names asked for, as written, ordinary source first."""
        hits = structural_hits(self.corpus, query.identifiers, POOL, allowed)
        return self._definitions([hit for hit in hits if hit.score >= SAME_CASE], query)

    def _definition_first(self, query: Query, places: Places, allowed: NDArray[np.bool_] | None) -> Places:
        """What defines the one name that a question is about, before what answers it otherwise."""
        first = self._defining(query, allowed)[:DEFINITIONS_FIRST]
        shown = [places.showing(item.chunk) for item in first]
        for item, position in zip(first, shown, strict=True):
            if position is not None:
                item.ranks |= places[position].ranks
        places.put_first(first, {position for position in shown if position is not None})
        return places

    def _defining_first(self, query: Query, places: Places, allowed: NDArray[np.bool_] | None) -> Places:
        """What defines the name asked for, as written, before all else: one place a file, ordinary source first."""
        defining = self._defining(query, allowed)
        at = {file: position for position, file in enumerate(places.files)}
        first: dict[int, Ranked] = {}
        for item in defining:
            first.setdefault(int(self.corpus.chunk_file[item.chunk]), item)
        ordered = sorted(first.items(), key=lambda pair: (-pair[1].score, at.get(pair[0], len(at))))
        for file, item in ordered:
            if file in at:
                known = places[at[file]]
                item.ranks |= known.ranks
                item.detail = known.detail if known.chunk == item.chunk else None
        places.put_first([item for _, item in ordered], {at[file] for file in first if file in at})
        return places


def _no_shares(_position: int) -> list[tuple[str, float]]:
    """What the features add where nothing learned decides."""
    return []


def is_name(query: Query) -> bool:
    """True where the whole question is a name: then definitions decide."""
    return query.intent == "find_definition" and len(query.text.split()) == 1
