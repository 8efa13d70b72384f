"""Fitting the weights of the modalities by intent, for the presets that fuse ranked lists (``contract``).

The lists of a question are fetched once; what other weights would make of them is worked out by the same steps that
follow in the preset. Weights move a tenth at a time from one modality to another for as long as that helps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fourfold.evaluate.learn.tuning import FOLDS, Gain
from fourfold.evaluate.metrics import TOP_K, Place, judge
from fourfold.evaluate.question import Question
from fourfold.evaluate.statistics import clustered_interval
from fourfold.pipeline.ranker import Ranking
from fourfold.rank.weights import WEIGHTS

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.pipeline.pipeline import RetrieverPipeline
    from fourfold.pipeline.state import RetrieverState
    from fourfold.pipeline.steps.base import Step

PRESET = "contract"
FUSION = "rrf_fusion"
STEP = 0.1
LEAST = 0.05
"""A modality that the published weights run keeps at least this: at 0 it would not be run at all."""
MAX_ROUNDS = 6
MIN_QUESTIONS = 40
"""Questions of an intent that are fused, at least."""

Table = dict[str, float]
Say = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question whose lists are fetched and wait for their fusion."""

    question: Question
    intent: str
    state: RetrieverState

    @property
    def file(self) -> str:
        """The file that answers it."""
        return self.question.targets[0].path


def prepare(index: Index, questions: Sequence[Question], say: Say | None = None) -> list[Prepared]:
    """The questions whose lists are fused, with their lists."""
    from fourfold.pipeline.state import RetrieverState, SearchQuery

    pipeline = index.pipeline(PRESET)
    before, _ = _halves(pipeline)
    found = []
    for number, question in enumerate(questions, 1):
        state = RetrieverState(SearchQuery(question.text), index._open_searcher(), limit=TOP_K, ranked=True)
        for step in before:
            step.apply(state)
        if state.lists:
            found.append(Prepared(question, state.understood.intent, state))
        if say is not None:
            say(number, len(questions))
    return found


class ModalityTuner:
    """Finds weights for one intent."""

    def __init__(self, index: Index, prepared: Sequence[Prepared], intent: str) -> None:
        self._after = _halves(index.pipeline(PRESET))[1]
        self._prepared = [one for one in prepared if one.intent == intent]
        self._intent = intent
        self._prior: Table = dict(WEIGHTS[intent])
        self._known: dict[tuple[tuple[str, float], ...], list[float]] = {}

    def tune(self, folds: int = FOLDS) -> tuple[Table, Gain]:
        """Weights found on all questions, and the gain of the same search on files left out of it."""
        ordered = sorted({one.file for one in self._prepared}, key=lambda path: path[::-1])
        place = {path: number % folds for number, path in enumerate(ordered)}
        before = self.values(self._prior)
        after = list(before)
        for fold in range(folds):
            inside = [position for position, one in enumerate(self._prepared) if place[one.file] != fold]
            if not inside:
                continue
            values = self.values(self._climb(inside))
            for position, one in enumerate(self._prepared):
                if place[one.file] == fold:
                    after[position] = values[position]
        found = self._climb(range(len(self._prepared)))
        return found, self._gain(before, after)

    def values(self, table: Table) -> list[float]:
        """NDCG@10 of every question under these weights."""
        key = tuple(sorted(table.items()))
        if key not in self._known:
            self._known[key] = [self._value(one, table) for one in self._prepared]
        return self._known[key]

    def _climb(self, inside: Sequence[int]) -> Table:
        """The weights to which single moves lead uphill on the questions `inside`."""
        table, best = self._prior, self._mean(self._prior, inside)
        for _ in range(MAX_ROUNDS):
            moved = [(self._mean(one, inside), one) for one in neighbours(table)]
            value, found = max(moved, key=lambda pair: pair[0], default=(best, table))
            if value <= best + 1e-9:
                break
            table, best = found, value
        return table

    def _mean(self, table: Table, inside: Sequence[int]) -> float:
        values = self.values(table)
        return sum(values[position] for position in inside) / max(len(inside), 1)

    def _value(self, one: Prepared, table: Table) -> float:
        state = fork(one.state, self._intent, table)
        for step in self._after:
            step.apply(state)
        places = [Place(item.path, item.start_line, item.end_line) for item in state.items]
        return judge(one.question.targets, places).ndcg

    def _gain(self, before: Sequence[float], after: Sequence[float]) -> Gain:
        gains = [new - old for old, new in zip(before, after, strict=True)]
        files: dict[str, list[float]] = {}
        for one, gain in zip(self._prepared, gains, strict=True):
            files.setdefault(one.file, []).append(gain)
        low, high = clustered_interval(list(files.values()))
        count = max(len(gains), 1)
        better, worse = sum(gain > 1e-9 for gain in gains), sum(gain < -1e-9 for gain in gains)
        return Gain(sum(before) / count, sum(after) / count, low, high, len(gains), better, worse)


def neighbours(table: Mapping[str, float]) -> list[Table]:
    """Tables that a tenth of the weight, moved from one modality to another, makes of one; those at 0 stay there."""
    found = []
    for giver, weight in table.items():
        for taker in table:
            if giver != taker and table[taker] > 0 and weight - STEP >= LEAST - 1e-9:
                moved = {**table, giver: round(weight - STEP, 3), taker: round(table[taker] + STEP, 3)}
                found.append(moved)
    return found


def fork(state: RetrieverState, intent: str, table: Table) -> RetrieverState:
    """A state at the point of fusion, under other weights; the given one stays as it is."""
    from fourfold.pipeline.state import RetrieverState

    searcher = state.index
    searcher.ranking = Ranking(searcher.ranking.rankers, {intent: table}, searcher.ranking.fitted)
    made = RetrieverState(state.query, searcher, limit=state.limit, ranked=True, scratch=dict(state.scratch))
    made.lists = {name: [replace(item) for item in items] for name, items in state.lists.items()}
    made.modalities, made.allowed, made.strategy = dict(state.modalities), state.allowed, state.strategy
    made.weights, made.method = deepcopy(state.weights), state.method
    return made


def _halves(pipeline: RetrieverPipeline) -> tuple[list[Step], list[Step]]:
    """The steps before the fusion, and those from it on."""
    names = list(pipeline)
    at = names.index(FUSION)
    steps = [step for _, step in pipeline.steps]
    return list(steps[:at]), list(steps[at:])
