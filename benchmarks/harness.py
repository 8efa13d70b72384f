"""Ask any system the questions of a set and judge its answers.

One line from Python::

    from benchmarks.harness import evaluate
    print(evaluate("tuning", lambda repo, root, query: [("src/app.py", 10, 42)]))

`answer(repo, root, query)` gets the repository's name, the folder to search and the question, and returns
``(path, start_line, end_line)`` triples, best first; paths relative to `root` or to the repository.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.dataset import Question, corpora_dir, load_questions, questions_file, repository_dir
from benchmarks.metrics import (
    METRIC_NAMES,
    TOP_K,
    Judged,
    Metrics,
    Place,
    by_repository,
    first_per_file,
    grouped,
    interval,
    judge,
)

Answer = Callable[[str, Path, str], Iterable[tuple[str, int | None, int | None]]]
LEVELS: tuple[str, ...] = ("span", "file")
"""span: the lines of a target must be shown, where it has lines. file: the right file is enough, each file
once.
"""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, its ranked results, and how long the answer took in milliseconds."""

    question: Question
    results: tuple[Place, ...]
    ms: float


@dataclass(frozen=True, slots=True)
class Scores:
    """Judged answers of one system on one set; every mean is over repositories."""

    set_name: str
    level: str
    rows: tuple[Judged, ...]
    times_ms: tuple[float, ...] = field(default=(), repr=False)

    @property
    def mean(self) -> Metrics:
        """The mean over repositories."""
        return by_repository(self.rows)

    @property
    def ms_p50(self) -> float:
        """The median time of an answer in milliseconds."""
        ordered = sorted(self.times_ms)
        return ordered[len(ordered) // 2] if ordered else 0.0

    def interval(self, metric: str = "ndcg") -> tuple[float, float]:
        """95 % bootstrap interval of one metric."""
        return interval(self.rows, metric)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: number of questions, means, interval, and the means by repository, language,
        category.
        """
        parts = {
            "by_repo": grouped(self.rows, lambda row: row.question.repo),
            "by_language": grouped(self.rows, lambda row: row.question.language),
            "by_category": grouped(self.rows, lambda row: row.question.category),
        }
        return {
            "set": self.set_name,
            "level": self.level,
            "questions": len(self.rows),
            "repositories": len({row.question.repo for row in self.rows}),
            **_rounded(self.mean),
            "ndcg_interval": [round(end, 4) for end in self.interval()],
            "ms_p50": round(self.ms_p50, 2),
            **{
                name: {str(key): {"n": n, **_rounded(m)} for key, (n, m) in groups.items()}
                for name, groups in parts.items()
            },
        }

    def __str__(self) -> str:
        low, high = self.interval()
        m = self.mean
        return (
            f"{self.set_name}/{self.level}: NDCG@10 {m.ndcg:.4f} [{low:.4f}, {high:.4f}]  "
            f"recall@10 {m.recall:.4f}  MRR {m.mrr:.4f}  hit@1 {m.hit1:.4f}  "
            f"n={len(self.rows)}  p50 {self.ms_p50:.2f} ms"
        )

    def details(self) -> str:
        """The means by language and by category, one a line."""
        lines = []
        for key in ("language", "category"):
            for name, (n, m) in grouped(self.rows, lambda row, key=key: getattr(row.question, key)).items():
                lines.append(f"  {name!s:14} n={n:<4} NDCG@10 {m.ndcg:.4f}  MRR {m.mrr:.4f}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Run:
    """Every answer of one system on one set."""

    set_name: str
    answers: tuple[Answered, ...]

    def scores(self, level: str = "span", k: int = TOP_K) -> Scores:
        """Judge the answers by lines or by files. Raises ValueError for another level."""
        if level not in LEVELS:
            raise ValueError(f"unknown level {level!r}: choose one of {', '.join(LEVELS)}")
        rows = tuple(_judged(answered, level, k) for answered in self.answers)
        return Scores(self.set_name, level, rows, tuple(answered.ms for answered in self.answers))

    def save(self, path: Path) -> None:
        """Write one JSON object an answer: repo, query_id, results, ms."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as out:
            for answered in self.answers:
                out.write(json.dumps(_record(answered)) + "\n")


def ask(
    set_name: str,
    answer: Answer,
    *,
    corpora: Path | None = None,
    repos: Sequence[str] = (),
    first: int | None = None,
) -> Run:
    """Put every question of a set to `answer`.

    `repos` narrows to some repositories, `first` to that many questions of each. Raises FileNotFoundError
    where the questions or a repository's folder are missing (``python -m benchmarks.prepare`` fetches
    them).
    """
    base = corpora_dir(corpora)
    answers = []
    for repo, questions in chosen(set_name, base, repos, first).items():
        folder = repository_dir(set_name, repo, base)
        answers += [_ask(question, answer, folder) for question in questions]
    return Run(set_name, tuple(answers))


def chosen(
    set_name: str, corpora: Path, repos: Sequence[str] = (), first: int | None = None
) -> dict[str, list[Question]]:
    """The questions to put, by repository in the order of the file."""
    found: dict[str, list[Question]] = {}
    for question in load_questions(questions_file(set_name, corpora)):
        if not repos or question.repo in repos:
            found.setdefault(question.repo, []).append(question)
    return {repo: questions[:first] for repo, questions in found.items()}


def evaluate(
    set_name: str,
    answer: Answer,
    *,
    level: str = "span",
    corpora: Path | None = None,
    repos: Sequence[str] = (),
    first: int | None = None,
) -> Scores:
    """Ask and judge in one go; see :func:`ask` and :meth:`Run.scores`."""
    return ask(set_name, answer, corpora=corpora, repos=repos, first=first).scores(level)


def _ask(question: Question, answer: Answer, folder: Path) -> Answered:
    root = folder / question.root if question.root else folder
    started = time.perf_counter()
    found = list(answer(question.repo, root, question.text))
    ms = (time.perf_counter() - started) * 1000
    results = tuple(Place(_from_repository(path, question.root, root), a, b) for path, a, b in found)
    return Answered(question, results, ms)


def _from_repository(path: str, prefix: str, root: Path) -> str:
    """A path below `root` as seen from the repository; others (already so, or unknown) stay as they are."""
    return f"{prefix}/{path}" if prefix and (root / path).exists() else path


def _judged(answered: Answered, level: str, k: int) -> Judged:
    if level == "span":
        return Judged(answered.question, judge(answered.question, answered.results, k))
    question = answered.question.whole_files()
    return Judged(question, judge(question, first_per_file(answered.results), k))


def _record(answered: Answered) -> dict[str, Any]:
    results = [
        {"path": place.path, "start_line": place.start_line, "end_line": place.end_line} for place in answered.results
    ]
    return {
        "repo": answered.question.repo,
        "query_id": answered.question.id,
        "results": results,
        "ms": round(answered.ms, 3),
    }


def _rounded(metrics: Metrics) -> dict[str, float]:
    return {name: round(getattr(metrics, name), 4) for name in METRIC_NAMES}
