"""Steps that hold steps: branches side by side, and ways that are taken or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fourfold.config.option import shown
from fourfold.model.errors import BadConfig
from fourfold.pipeline.direct import METHODS, MISSED, missed_note
from fourfold.pipeline.pipeline import as_step
from fourfold.pipeline.steps.base import Step, nested, param
from fourfold.pipeline.steps.predicate import When
from fourfold.rank.weights import direct_modality

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState

Steps = Step | Sequence[tuple[str, Step]]

THREADS_FROM = 3
"""Branches from which on they run in threads. On 13,800 chunks four modalities took 77 ms instead of 122 (what waits
for the database overlaps), words and vectors alone 9 ms instead of 3 (threads cost more than they give back)."""


@dataclass(frozen=True)
class Parallel(Step):
    """Branches that each find a list of their own, for a fusion to come. `threads` says whether they run side by side:
    "auto" where that pays. `by_intent` leaves out the branches, named like modalities, to which the question's intent
    gives the weight 0.

    Example: ``parallel: {branches: {bm25: bm25_fetcher, dense: dense_fetcher}}``
    """

    type: ClassVar[str] = "parallel"
    branches: Mapping[str, Steps] = nested("steps by branch", "branches")
    by_intent: bool = param(False, "leave out modalities of weight 0 for the intent")
    threads: str = param("auto", "run branches side by side", choices=("auto", "always", "never"))

    def check(self) -> None:
        """There is at least one branch."""
        if not isinstance(self.branches, Mapping) or not self.branches:
            raise BadConfig(f"{self.type} needs at least one branch", hint="branches: {dense: dense_fetcher}")
        object.__setattr__(self, "branches", {name: as_step(step) for name, step in self.branches.items()})

    def __getitem__(self, name: str) -> Step:
        return _inner(self, self.branches, name)

    def apply(self, state: RetrieverState) -> None:
        """Run the branches; their candidates become the lists of the state."""
        weights = state.modality_weights if self.by_intent else {}
        chosen = {name: as_step(step) for name, step in self.branches.items() if weights.get(name, 1.0) > 0}
        forks = {name: state.fork() for name in chosen}
        if len(chosen) > 1 and self._side_by_side(len(chosen)):
            _ = state.question  # worked out once, before the threads ask for it
            with ThreadPoolExecutor(len(chosen)) as pool:
                list(pool.map(lambda name: chosen[name].apply(forks[name]), chosen))
        else:
            for name, step in chosen.items():
                step.apply(forks[name])
        state.lists = {name: fork.items for name, fork in forks.items()}
        state.modalities = {name: fork.modality for name, fork in forks.items()}
        state.items = []
        state.note = state.note or next((fork.note for fork in forks.values() if fork.note), "")

    def _side_by_side(self, branches: int) -> bool:
        return self.threads == "always" or (self.threads == "auto" and branches >= THREADS_FROM)


@dataclass(frozen=True)
class Conditional(Step):
    """``then`` where the predicate holds, else ``otherwise`` (nothing where that is not given).

    Example: ``conditional: {when: {intent: find_references}, then: [graph_expand], otherwise: [importance_boost]}``
    """

    type: ClassVar[str] = "conditional"
    when: Any = nested("when `then` runs", "when")
    then: Steps = nested("steps")
    otherwise: Steps | None = nested("steps", default=None)

    def check(self) -> None:
        """The predicate is one, and there are steps."""
        object.__setattr__(self, "when", When.of(self.when))
        object.__setattr__(self, "then", as_step(self.then))
        if self.otherwise is not None:
            object.__setattr__(self, "otherwise", as_step(self.otherwise))

    def __getitem__(self, name: str) -> Step:
        return _inner(self, {"then": self.then, "otherwise": self.otherwise}, name)

    def apply(self, state: RetrieverState) -> None:
        """Run one of the two."""
        chosen = self.then if self.when.holds(state) else self.otherwise
        if chosen is not None:
            as_step(chosen).apply(state)


@dataclass(frozen=True)
class Route(Step):
    """The steps of the first case whose predicate holds, else ``otherwise``. A case that finds nothing gives way to
    ``otherwise`` with ``fall_through``, and the answer says so. A case taken for ``direct`` is reported as such.

    Example: ``route: {cases: {definition: {when: {direct: structural}, then: [structural_fetcher]}}, otherwise:
    [dense_fetcher]}``
    """

    type: ClassVar[str] = "route"
    cases: Mapping[str, Any] = nested("cases by name: {when, then}", "cases")
    otherwise: Steps | None = nested("steps", default=None)
    fall_through: bool = param(True, "run `otherwise` where the case taken finds nothing")

    def check(self) -> None:
        """There is at least one case, and each has a predicate and steps."""
        if not isinstance(self.cases, Mapping) or not self.cases:
            raise BadConfig(f"{self.type} needs at least one case", hint="cases: {NAME: {when: {...}, then: [...]}}")
        cases = {}
        for name, case in self.cases.items():
            if not isinstance(case, Mapping) or set(case) != {"when", "then"}:
                raise BadConfig(f"{self.type}: case {shown(name)} must hold `when` and `then`, and nothing else")
            cases[name] = {"when": When.of(case["when"]), "then": as_step(case["then"])}
        object.__setattr__(self, "cases", cases)
        if self.otherwise is not None:
            object.__setattr__(self, "otherwise", as_step(self.otherwise))

    def __getitem__(self, name: str) -> Step:
        cases = {key: case["then"] for key, case in self.cases.items()}
        return _inner(self, {**cases, "otherwise": self.otherwise}, name)

    def apply(self, state: RetrieverState) -> None:
        """Take the way."""
        for name, case in self.cases.items():
            if case["when"].holds(state):
                case["then"].apply(state)
                if self._found(state, name, case["when"]) or not self.fall_through:
                    return
                break
        if self.otherwise is not None:
            as_step(self.otherwise).apply(state)

    def _found(self, state: RetrieverState, name: str, when: When) -> bool:
        """Note what the case found, or that it found nothing."""
        direct = direct_modality(state.understood, state.index.knows) if when.direct else None
        if state.items or any(state.lists.values()):
            if direct is not None:
                state.strategy, state.method = "direct", METHODS[direct]
            return True
        state.note = missed_note(direct) if direct in MISSED else f"{name} found nothing; these are the next best"
        return False


def _inner(owner: Step, steps: Mapping[str, Steps | None], name: str) -> Step:
    step = steps.get(name)
    if step is None:
        known = ", ".join(key for key, value in steps.items() if value is not None)
        raise KeyError(f"{owner.type} has no steps called {name!r}; there are: {known}")
    return as_step(step)
