"""Questions, their targets, and the sets they come in."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fourfold.evaluate.question import Target

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions"
SETS: tuple[str, ...] = ("tuning", "long", "mined")


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `root` is the sub-folder of the repository that is indexed, "" for all of it."""

    repo: str
    id: str
    language: str
    category: str
    text: str
    targets: tuple[Target, ...]
    root: str = ""

    def whole_files(self) -> Question:
        """The same question with each target widened to its file (a file once)."""
        paths = dict.fromkeys(target.path for target in self.targets)
        return replace(self, targets=tuple(Target(path) for path in paths))

    @property
    def repo_name(self) -> str:
        """The repository without its owner."""
        return self.repo.rsplit("/", 1)[-1]


def corpora_dir(given: Path | None = None) -> Path:
    """Where the corpora lie: `given`, else ``$BENCH_CORPORA``, else ``benchmarks/corpora``."""
    if given is not None:
        return given
    return Path(os.environ.get("BENCH_CORPORA", "") or HERE / "corpora")


def repository_dir(set_name: str, repo: str, corpora: Path) -> Path:
    """The folder of one repository of a set ("owner/name" is kept under its name).

    Raises FileNotFoundError, naming the command that fetches it.
    """
    folder = corpora / set_name / repo.rsplit("/", 1)[-1]
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is missing: run python -m benchmarks.prepare {set_name}")
    return folder


def asked_root(set_name: str, question: Question, corpora: Path) -> Path:
    """The folder that a question is about: that of its repository, or a sub-folder. Raises FileNotFoundError."""
    folder = repository_dir(set_name, question.repo, corpora)
    return folder / question.root if question.root else folder


def questions_file(set_name: str, corpora: Path) -> Path:
    """The file of a set's questions; the mined ones lie beside the sources that they were mined from."""
    if set_name not in SETS:
        raise ValueError(f"unknown question set {set_name!r}: choose one of {', '.join(SETS)}")
    folder = corpora / "mined" if set_name == "mined" else QUESTIONS / set_name
    return folder / "queries.jsonl"


def load_questions(path: Path) -> list[Question]:
    """Read questions from JSON lines. Raises FileNotFoundError, and KeyError for a line without a field."""
    with path.open(encoding="utf-8") as lines:
        return [_question(json.loads(line)) for line in lines if line.strip()]


def save_questions(path: Path, questions: Iterable[Question]) -> None:
    """Write questions as JSON lines that :func:`load_questions` reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as out:
        for question in questions:
            out.write(json.dumps(_record(question), ensure_ascii=False) + "\n")


def _question(record: dict[str, Any]) -> Question:
    root = record.get("benchmark_root") or ""
    places = [*record["relevant"], *record.get("secondary", [])]
    return Question(
        repo=record["repo"],
        id=record["query_id"],
        language=record["language"],
        category=record["category"],
        text=record["query"],
        targets=tuple(Target(p["path"], p.get("start_line"), p.get("end_line")) for p in places),
        root="" if root == "." else root,
    )


def _record(question: Question) -> dict[str, Any]:
    places = [{"path": t.path, "start_line": t.start_line, "end_line": t.end_line} for t in question.targets]
    return {
        "repo": question.repo,
        "query_id": question.id,
        "language": question.language,
        "category": question.category,
        "query": question.text,
        "relevant": places,
        "secondary": [],
        "benchmark_root": question.root,
    }
