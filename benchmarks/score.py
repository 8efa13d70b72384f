"""Score a run that was written to a file: ``python -m benchmarks.score RUN.jsonl --set tuning``.

A line of RUN is ``{"repo", "query_id", "results": [{"path", "start_line", "end_line"}], "ms"}``. Only
repositories that occur in RUN are scored; a question of theirs that RUN does not answer scores 0.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks.dataset import SETS, Question, corpora_dir, load_questions, questions_file
from benchmarks.harness import LEVELS, Answered, Run, Scores
from benchmarks.metrics import TOP_K, Place


def score_file(run: Path, questions: list[Question], *, level: str = "span", k: int = TOP_K) -> Scores:
    """Judge a run file against questions. Raises ValueError where no question belongs to the run."""
    answers, repos = _read(run)
    wanted = [question for question in questions if question.repo in repos]
    if not wanted:
        raise ValueError(f"no question belongs to a repository of {run}")
    rows = []
    for question in wanted:
        results, ms = answers.get(question.id, ((), 0.0))
        rows.append(Answered(question, results, ms))
    return Run(run.stem, tuple(rows)).scores(level, k)


def _read(run: Path) -> tuple[dict[str, tuple[tuple[Place, ...], float]], set[str]]:
    answers: dict[str, tuple[tuple[Place, ...], float]] = {}
    repos: set[str] = set()
    with run.open(encoding="utf-8") as lines:
        for line in filter(str.strip, lines):
            record = json.loads(line)
            places = (Place(r["path"], r.get("start_line"), r.get("end_line")) for r in record["results"])
            answers[record["query_id"]] = (tuple(places), float(record.get("ms") or 0.0))
            repos.add(record["repo"])
    return answers, repos


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.score", description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--set", choices=SETS, default="tuning")
    parser.add_argument("--level", choices=LEVELS, default="span")
    parser.add_argument("--corpora", type=Path)
    options = parser.parse_args(arguments)
    questions = load_questions(questions_file(options.set, corpora_dir(options.corpora)))
    scores = score_file(options.run, questions, level=options.level)
    print(scores)
    print(scores.details())


if __name__ == "__main__":
    main()
