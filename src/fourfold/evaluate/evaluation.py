"""An evaluation from beginning to end: questions, indexes, runs, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fourfold.evaluate.bench import Bench
from fourfold.evaluate.configuration import Configuration
from fourfold.evaluate.gate import Gate
from fourfold.evaluate.labels.miner import GROUPS, Mined, mine
from fourfold.evaluate.report import build_report
from fourfold.evaluate.run import Run, Say, run

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.evaluate.question import Question
    from fourfold.model.report import Progress

COUNT = 200
"""Questions that are mined unless another number is asked for: an interval of NDCG@10 is then about .05 wide each
way."""


class Progresses(Protocol):
    """Who is told of progress, by configuration."""

    def index(self, configuration: str) -> Callable[[Progress], None]:
        """A callback for indexing."""

    def asking(self, configuration: str) -> Say:
        """A callback for questions asked."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Questions, where they are from, and the texts that must be indexed to ask them (None: what is indexed)."""

    questions: Sequence[Question]
    source: str
    mined: Mined | None = None


def mined_labels(index: Index, *, count: int = COUNT, seed: int = 0, groups: Sequence[str] = GROUPS) -> Labels:
    """Questions mined from what is indexed and from the history."""
    from fourfold.evaluate.repository import commits_of, tree_of

    commits = commits_of(index.root) if "commits" in groups else ()
    mined = mine(tree_of(index._store.snapshot()), commits, count=count, seed=seed, groups=groups)
    return Labels(mined.questions, "mined", mined)


def own_labels(index: Index, path: Path) -> Labels:
    """Questions from a file. Raises UsageError for its faults."""
    from fourfold.evaluate.questions import read_questions
    from fourfold.evaluate.targets import Known

    return Labels(read_questions(path, Known.of(index._store.snapshot())), path.name)


def evaluate(
    index: Index,
    labels: Labels,
    configurations: Sequence[Configuration],
    *,
    seed: int = 0,
    gates: Sequence[Gate] = (),
    progress: Progresses | None = None,
) -> dict[str, Any]:
    """The report of all `configurations` on the same questions. The index is taken as it is."""
    started = time.perf_counter()
    texts = labels.mined.texts if labels.mined is not None else None
    runs: list[Run] = []
    with Bench(index, texts, progress.index if progress else None) as bench:
        for one in configurations:
            found = bench.index(one)
            runs.append(run(found, one, labels.questions, progress.asking(one.name) if progress else None))
    meta = index._store.snapshot().meta
    return build_report(
        name=index.root.name,
        source=labels.source,
        seed=seed,
        commit=meta.get("indexed_commit") or None,
        runs=runs,
        hidden=labels.mined.hidden if labels.mined is not None else 0,
        times={
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(time.perf_counter() - started, 2),
        },
        gates=gates,
    )
