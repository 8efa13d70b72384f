"""What travels through a pipeline: the question, the candidates, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import UsageError
from fourfold.model.query import Filters, Query
from fourfold.pipeline.ranked import Answer, Ranked
from fourfold.rank.identifiers import is_shaped
from fourfold.rank.weights import NAMED_INTENTS, weights_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourfold.model.hit import Hit
    from fourfold.pipeline.searcher import Searcher
    from fourfold.rank.places import Place
    from fourfold.store.question import Question

DEFAULT_LIMIT = 10


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question in plain words and what a hit must satisfy."""

    terms: str
    post_filter: Filters = field(default_factory=Filters)


@dataclass(slots=True)
class Candidate:
    """One place that may be an answer; lines from 1, both included. `chunk` is the chunk that is shown.

    `ranks` are from 1 by modality (or by list, where two lists are of one modality), `contributions` the summands of a
    fused score, `signals` each change of the score as (name, factor) in the order applied; `more` are further chunks of
    the same file; `detail` as in :class:`fourfold.pipeline.ranked.Ranked`.
    """

    chunk: int
    path: str
    start_line: int
    end_line: int
    score: float
    ranks: dict[str, int] = field(default_factory=dict)
    contributions: dict[str, float] = field(default_factory=dict)
    signals: list[tuple[str, float]] = field(default_factory=list)
    more: tuple[int, ...] = ()
    line: int = 0
    span: tuple[int, int] = (0, 0)
    detail: Callable[[], tuple[list[tuple[str, float]], tuple[int, ...]]] | None = None

    @property
    def place(self) -> Place:
        """Path and lines."""
        return self.path, self.start_line, self.end_line

    def multiply(self, name: str, factor: float) -> None:
        """Multiply the score and every contribution; the change is remembered under `name`."""
        self.score *= factor
        self.contributions = {key: value * factor for key, value in self.contributions.items()}
        self.signals.append((name, factor))

    def ranked(self) -> Ranked:
        """The same as what a searcher gives."""
        return Ranked(
            self.chunk, self.score, self.ranks, self.signals, self.more, self.line, self.detail, span=self.span
        )


@dataclass
class RetrieverState:
    """The state of one question on its way through a pipeline.

    `items` are the candidates, best first; `lists` are ranked lists by branch that wait for a fusion, `modalities` says
    for each which one found it, where that is one. `strategy`, `weights`, `method` and `note` say how the candidates
    were found (:class:`fourfold.pipeline.ranked.Answer`). `rest` are candidates beyond the limit, in order; `dropped`
    counts all that were cut; `text` is what a formatter composed. `scratch` is for steps to share what they like.
    `limit` and `k`, where given, go before those of the steps; with `ranked` formatters leave the list as it is.
    `allowed` masks the chunks that may be found.
    """

    query: SearchQuery
    searcher: Searcher | None = None
    limit: int | None = None
    k: float | None = None
    ranked: bool = False
    items: list[Candidate] = field(default_factory=list)
    lists: dict[str, list[Candidate]] = field(default_factory=dict)
    modalities: dict[str, str] = field(default_factory=dict)
    strategy: str = "single"
    weights: dict[str, float] = field(default_factory=dict)
    method: str = ""
    note: str = ""
    rest: list[Candidate] = field(default_factory=list)
    dropped: int = 0
    text: str = ""
    scratch: dict[str, Any] = field(default_factory=dict)
    allowed: NDArray[np.bool_] | None = None

    @property
    def index(self) -> Searcher:
        """What the question is put to. Raises UsageError where the state has none."""
        if self.searcher is None:
            raise UsageError(
                "the pipeline is not bound to an index", hint="index.pipeline(pipeline) gives one that can run"
            )
        return self.searcher

    @property
    def understood(self) -> Query:
        """The question with its intent, worked out at the first use."""
        found: Query | None = self.scratch.get("understood")
        if found is None:
            found = self.index.understand(self.query.terms, self.query.post_filter)
            self.scratch["understood"] = found
        return found

    @property
    def meaning(self) -> str:
        """The text whose meaning is looked for: the question, and what it says in English."""
        return f"{self.query.terms} {self.understood.english}".rstrip()

    @property
    def modality_weights(self) -> dict[str, float]:
        """The weights of the modalities for the question's intent: the published ones, or those fitted on the
        repository."""
        intent = self.understood.intent
        fitted = self.searcher.ranking.modalities if self.searcher is not None else {}
        return weights_for(intent, fitted.get(intent))

    @property
    def question(self) -> Question:
        """The question as the indexes see it."""
        found: Question | None = self.scratch.get("question")
        if found is None:
            from fourfold.pipeline.asked import stored

            text = self.understood.english or self.query.terms
            self.scratch["question"] = found = stored(self.understood, text)
        return found

    @property
    def modality(self) -> str:
        """The modality that found the candidates, where that is one."""
        return next(iter(self.weights)) if len(self.weights) == 1 else ""

    @property
    def known_names(self) -> list[str]:
        """The names of the question that the index defines."""
        return [name for name in self.understood.identifiers if self.index.knows(name)]

    @property
    def sure_names(self) -> list[str]:
        """The known names that the question surely means as names: all where it asks about one, else those whose form
        says so (``parse_config``); a plain word like *session* may be just a word."""
        names = self.known_names
        if self.understood.intent in NAMED_INTENTS:
            return names
        return [name for name in names if is_shaped(name)]

    @property
    def wanted(self) -> frozenset[str]:
        """The path categories that the question asks for: those are not demoted."""
        from fourfold.rank.demotion import wanted_categories

        return wanted_categories(self.query.terms, self.query.post_filter.paths)

    def allowed_paths(self) -> set[str] | None:
        """The paths of the chunks that the filters let through; None where nothing is narrowed."""
        if self.allowed is None:
            return None
        import numpy as np

        corpus = self.index.corpus
        return {corpus.paths[number] for number in np.unique(corpus.chunk_file[self.allowed])}

    def fork(self) -> RetrieverState:
        """A state for one branch: the same question and scratch, no candidates of its own yet."""
        return RetrieverState(
            self.query,
            self.searcher,
            limit=self.limit,
            k=self.k,
            ranked=self.ranked,
            scratch=self.scratch,
            allowed=self.allowed,
        )

    def candidate(self, chunk: int, score: float, modality: str, rank: int, line: int = 0) -> Candidate:
        """A candidate for a chunk; `rank` is from 1."""
        corpus = self.index.corpus
        path = corpus.path_of(chunk)
        start, end = int(corpus.start_lines[chunk]), int(corpus.end_lines[chunk])
        return Candidate(chunk, path, start, end, score, {modality: rank} if modality else {}, line=line)

    def take(self, hits: Sequence[Hit], modality: str) -> None:
        """The hits of one retriever become the candidates."""
        self.items = [
            self.candidate(hit.chunk, hit.score, hit.modality, rank, hit.line) for rank, hit in enumerate(hits, 1)
        ]
        self.weights, self.method = {modality: 1.0}, "single"

    def take_ranked(self, ranked: Sequence[Ranked]) -> None:
        """Ranked chunks become the candidates."""
        self.items = [self.of_ranked(item) for item in ranked]

    def of_ranked(self, item: Ranked) -> Candidate:
        """A candidate for a ranked chunk."""
        made = self.candidate(item.chunk, item.score, "", 0, item.line)
        made.ranks, made.signals, made.more = item.ranks, item.signals, item.more
        made.detail, made.span = item.detail, item.span
        return made

    def chunk_at(self, path: str, line: int) -> int:
        """The chunk that holds a line of a file; -1 where the file is not indexed."""
        return self.index.corpus.chunk_at(path, line)

    def sort(self) -> None:
        """Order the candidates by score; ties stay as they are."""
        self.items.sort(key=lambda item: -item.score)

    def answer(self) -> Answer:
        """All candidates, those beyond the limit too, as what a searcher gives."""
        ranked = [item.ranked() for item in (*self.items, *self.rest)]
        return Answer(ranked, self.strategy, self.weights, self.method, self.note)
