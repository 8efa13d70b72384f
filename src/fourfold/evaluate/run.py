"""Putting questions to one configuration and judging the answers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.evaluate.metrics import TOP_K, Metrics, Place, first_hits, judge
from fourfold.evaluate.missed import Miss, explain_miss
from fourfold.evaluate.question import Question
from fourfold.rank.diversify import approx_tokens

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.evaluate.configuration import Configuration
    from fourfold.model.result import ResultItem, SearchResult

Say = Callable[[int, int], None]
"""Called with the number of questions done and of all."""
WARM_UP = "where is the configuration read"
"""Asked once before time is taken: what is read on first use is no part of an answer's time."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The judged answer to one question. `ranks` has, for each target, the rank of the first result that shows it, 0
    for none; `miss` says why none does. `intent` is what was understood, `method` how the list was made."""

    question: Question
    metrics: Metrics
    ranks: tuple[int, ...]
    results: tuple[Place, ...]
    intent: str
    method: str
    ms: float
    miss: Miss | None = None

    @property
    def first(self) -> int:
        """The rank of the first hit, 0 for none."""
        return min((rank for rank in self.ranks if rank), default=0)


@dataclass(frozen=True, slots=True)
class Run:
    """All answers of one configuration, in the order of the questions."""

    configuration: Configuration
    answers: tuple[Answer, ...]

    def values(self, metric: str) -> list[float]:
        """One metric of every answer."""
        return [float(getattr(answer.metrics, metric)) for answer in self.answers]

    @property
    def misses(self) -> dict[str, int]:
        """Questions that were missed, by reason, most first."""
        return dict(Counter(answer.miss.reason for answer in self.answers if answer.miss).most_common())

    @property
    def times_ms(self) -> list[float]:
        """How long each answer took."""
        return [answer.ms for answer in self.answers]


def run(index: Index, configuration: Configuration, questions: Sequence[Question], say: Say | None = None) -> Run:
    """Ask everything. The index is taken as it is; `say` is told of each question."""
    asker = _Asker(index, configuration)
    asker.search(WARM_UP)
    answers = []
    for number, question in enumerate(questions, 1):
        answers.append(asker.answer(question))
        if say is not None:
            say(number, len(questions))
    return Run(configuration, tuple(answers))


class _Asker:
    """One index under one configuration."""

    def __init__(self, index: Index, configuration: Configuration) -> None:
        self._index = index
        self._configuration = configuration

    def search(self, text: str) -> SearchResult:
        return self._index.search(text, limit=TOP_K, preset=self._configuration.preset, refresh=False)

    def answer(self, question: Question) -> Answer:
        started = time.perf_counter()
        found = self.search(question.text)
        ms = (time.perf_counter() - started) * 1000
        results = tuple(Place(item.path, item.start_line, item.end_line) for item in found.items)
        metrics = judge(question.targets, results, [_tokens(item) for item in found.items])
        ranks = tuple(first_hits(question.targets, results[:TOP_K]))
        miss = None
        if not any(ranks):
            miss = explain_miss(self._index, self._configuration, question, results)
        method = found.items[0].why.method if found.items else ""
        if found.meta.fusion_strategy == "direct":
            method = f"direct: {method}"
        return Answer(question, metrics, ranks, results, found.query.intent, method, ms, miss)


def _tokens(item: ResultItem) -> int:
    """What reading a result costs: its place and its code."""
    return approx_tokens(f"{item.location}\n{item.snippet}")


def intent_agreement(answers: Iterable[Answer]) -> tuple[int, int]:
    """(questions understood as they were meant, questions that say how they are meant)."""
    told = [answer for answer in answers if answer.question.intent]
    return sum(answer.intent == answer.question.intent for answer in told), len(told)
