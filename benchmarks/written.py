"""The hand-written question sets: what a line of them holds, and how they are read and split."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.dataset import QUESTIONS
from benchmarks.manifest import corpus_named
from fourfold.evaluate.question import Target

SETS: tuple[str, ...] = ("large", "unshared", "languages", "structural")
"""large: both big code bases, all intents. unshared: no word in common with the target. languages: six other languages.
structural: callers, subclasses and what a change reaches, as a precise tool tells them."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A place that answers, and what must stand there: a symbol's qualified name, a literal text, or neither ("")."""

    path: str
    start_line: int | None = None
    end_line: int | None = None
    symbol: str = ""
    text: str = ""

    @property
    def target(self) -> Target:
        """The place alone, as the metrics take it."""
        return Target(self.path, self.start_line, self.end_line)


@dataclass(frozen=True, slots=True)
class Written:
    """One question. Each of `primary` answers it; `secondary` belongs to the answer but is none alone.

    `language` is that of the code, `natural` that of the question; `kind` is "easy" or "abstract" ("described" and
    "named" in the structural set); `sealed` questions are for final scoring.
    """

    id: str
    repo: str
    text: str
    language: str
    natural: str
    intent: str
    kind: str
    primary: tuple[Expected, ...]
    secondary: tuple[Expected, ...] = ()
    sealed: bool = False

    @property
    def expected(self) -> tuple[Expected, ...]:
        """Everything acceptable."""
        return (*self.primary, *self.secondary)


def file_of(name: str) -> Path:
    """The file of a set. Raises ValueError, naming those that exist."""
    if name not in SETS:
        raise ValueError(f"unknown question set {name!r}: choose one of {', '.join(SETS)}")
    return QUESTIONS / name / "queries.jsonl"


def load(path: Path) -> list[Written]:
    """Read a file of questions. Raises ValueError with the number of a line that is broken."""
    questions = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            questions.append(_question(json.loads(line)))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path.name}, line {number}: {type(error).__name__}: {error}") from error
    return questions


def save(path: Path, questions: Iterable[Written]) -> None:
    """Write questions as lines that :func:`load` reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(_record(one), ensure_ascii=False) for one in questions]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def is_sealed(repo: str, text: str) -> bool:
    """Which half a question belongs to: by its own hash, so that a new question moves no other one."""
    return hashlib.sha256(f"sealed:{repo}:{text}".encode()).digest()[0] % 2 == 1


def halves(questions: Sequence[Written], which: str) -> list[Written]:
    """The "open" half, the "sealed" one, or "all"."""
    return [one for one in questions if which == "all" or one.sealed == (which == "sealed")]


def root_of(repo: str, corpora: Path) -> Path:
    """The folder of a repository. Raises FileNotFoundError, naming the command that fetches it."""
    folder = corpora / corpus_named(repo).place
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is missing: run python -m benchmarks.prepare large speed mined")
    return folder


def _question(record: dict[str, Any]) -> Written:
    return Written(
        id=record["query_id"],
        repo=record["repo"],
        text=record["query"],
        language=record["language"],
        natural=record["natural_language"],
        intent=record["intent"],
        kind=record["kind"],
        primary=tuple(Expected(**place) for place in record["relevant"]),
        secondary=tuple(Expected(**place) for place in record["secondary"]),
        sealed=record.get("sealed", False),
    )


def _record(one: Written) -> dict[str, Any]:
    record = {
        "query_id": one.id,
        "repo": one.repo,
        "query": one.text,
        "language": one.language,
        "natural_language": one.natural,
        "intent": one.intent,
        "kind": one.kind,
        "relevant": [_place(place) for place in one.primary],
        "secondary": [_place(place) for place in one.secondary],
    }
    return record | ({"sealed": True} if one.sealed else {})


def _place(place: Expected) -> dict[str, Any]:
    lines = {"path": place.path, "start_line": place.start_line, "end_line": place.end_line}
    named = {"symbol": place.symbol, "text": place.text}
    return lines | {name: value for name, value in named.items() if value}
