"""What must hold of all answers together, and of the index at the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.concurrency.asking import Seen
from benchmarks.concurrency.chronicle import Chronicle
from benchmarks.concurrency.ways import SLACK_S


@dataclass(slots=True)
class Verdict:
    """Counts, and what does not hold, by rule."""

    answers: dict[str, int] = field(default_factory=dict)
    places: int = 0
    fresh: int = 0
    generations: set[int] = field(default_factory=set)
    faults: dict[str, list[str]] = field(default_factory=dict)

    def fault(self, rule: str, told: str) -> None:
        """Note that a rule does not hold."""
        self.faults.setdefault(rule, []).append(told)


def read(reports: Iterable[Path]) -> Iterator[Seen]:
    """The answers of all reports; a line that was cut off with its process is none."""
    for report in reports:
        for line in report.read_text().split("\n"):
            if line.endswith("}"):
                yield Seen(**json.loads(line))


def judge(answers: Iterable[Seen], chronicle: Chronicle) -> Verdict:
    """Hold every answer against the others and against what the tree was.

    - It shows only lines of versions, at their places, one version of a file, all that match (checked by the asker).
    - Whatever two answers of one generation show of a path is the same version.
    - A version that is shown stood at that path at some time before.
    - A path that is shown existed while the question was put: nothing deleted is shown.
    - What calls itself up to date shows what stood there while the question was put.
    - Who asks again never sees an older generation.
    """
    verdict = Verdict()
    of_generation: dict[tuple[int, str], tuple[int, str]] = {}
    last: dict[str, int] = {}
    for seen in answers:
        way = seen.who.rpartition("-")[0]
        verdict.answers[way] = verdict.answers.get(way, 0) + 1
        verdict.places += len(seen.seen)
        verdict.fresh += seen.fresh
        verdict.generations.add(seen.generation)
        for told in seen.faults:
            verdict.fault("right lines", f"{seen.who} {seen.kind} generation {seen.generation}: {told}")
        if seen.ended and not seen.faults and seen.generation < last.setdefault(seen.who, 0):
            verdict.fault("no older generation", f"{seen.who}: {seen.generation} after {last[seen.who]}")
        last[seen.who] = max(last.get(seen.who, 0), seen.generation)
        for path, version in seen.seen.items():
            where = f"{seen.who} {seen.kind}: {path} version {version} of generation {seen.generation}"
            first = of_generation.setdefault((seen.generation, path), (version, seen.who))
            if first[0] != version:
                verdict.fault("one generation", f"{where}; {first[1]} saw version {first[0]}")
            if not chronicle.had(path, version, 0.0, seen.ended):
                verdict.fault("a version that was there", where)
            if not chronicle.existed(path, seen.began, seen.ended):
                verdict.fault("nothing deleted", where)
            slack = SLACK_S.get(way, 0.0)
            if seen.fresh and not chronicle.had(path, version, seen.began - slack, seen.ended):
                verdict.fault("up to date where it says so", where)
    return verdict
