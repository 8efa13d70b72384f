"""Named steps in order: a pipeline, which is itself a step.

::

    pipeline = RetrieverPipeline([
        ("parallel", Parallel({"bm25": Bm25Fetcher(), "dense": DenseFetcher(pool=50)})),
        ("fuse", RrfFusion(k=60)),
    ])
    pipeline["parallel"]["dense"].pool                     # 50
    state = await index.pipeline(pipeline).run(RetrieverState(query=SearchQuery(terms="where is the cache emptied")))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from fourfold.model.errors import BadConfig
from fourfold.pipeline.steps.base import Step

if TYPE_CHECKING:
    from fourfold.pipeline.searcher import Searcher
    from fourfold.pipeline.state import RetrieverState


@dataclass(frozen=True)
class RetrieverPipeline(Step):
    """Steps by name, run in order. `ranked` tells formatters in it to leave the list as it is; `about` and `origin` say
    what it is for and which file it is from; `source` gives the searcher to a state that has none."""

    type: ClassVar[str] = "pipeline"
    steps: Sequence[tuple[str, Step]]
    ranked: bool = False
    about: str = ""
    origin: str = ""
    source: Callable[[], Searcher] | None = field(default=None, compare=False, repr=False)

    def check(self) -> None:
        """There is a step, names are not empty and differ, and steps are steps."""
        object.__setattr__(self, "steps", tuple(self.steps))
        if not self.steps:
            raise BadConfig("a pipeline needs at least one step", hint="for example: dense_fetcher")
        seen: set[str] = set()
        for name, step in self.steps:
            if not name or name in seen:
                problem = f"two steps are called {name!r}" if name else "a step has no name"
                raise BadConfig(problem, hint="name one of them: `- NAME: {type: TYPE, ...}`")
            if not isinstance(step, Step):
                raise BadConfig(f"{name} is no step but a {type(step).__name__}")
            seen.add(name)

    def __getitem__(self, name: str) -> Step:
        for own, step in self.steps:
            if own == name:
                return step
        raise KeyError(f"there is no step {name!r}; steps: {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, _ in self.steps])

    def __len__(self) -> int:
        return len(self.steps)

    def bind(self, source: Callable[[], Searcher]) -> RetrieverPipeline:
        """The same pipeline for one index; `source` is asked for its newest state at each run."""
        return RetrieverPipeline(self.steps, self.ranked, self.about, self.origin, source)

    def as_list(self) -> RetrieverPipeline:
        """The same pipeline, giving a ranked list instead of a composite text."""
        return RetrieverPipeline(self.steps, True, self.about, self.origin, self.source)

    def apply(self, state: RetrieverState) -> None:
        """Run the steps."""
        if state.searcher is None and self.source is not None:
            state.searcher = self.source()
        ranked = state.ranked
        state.ranked = ranked or self.ranked
        for _, step in self.steps:
            step.apply(state)
        state.ranked = ranked


def as_step(value: Step | Sequence[tuple[str, Step]]) -> Step:
    """A step as it is; a list of named steps as a pipeline."""
    return value if isinstance(value, Step) else RetrieverPipeline(value)
