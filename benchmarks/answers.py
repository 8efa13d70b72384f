"""Answers in words on the hand-written questions: ``python -m benchmarks.answers --set large --half open``.

Each question is put to ``ask`` without a language model (extractive), with 1,500 tokens (``--tokens``), and judged by
checks that need no model (:mod:`fourfold.answer.evaluate`): whether every citation stands on disk, whether the lines
cited hold the names that the sentence names, which of them show a target, and how soon one is shown. The last line is
the goal of the project: the share of questions with a target, and of all targets, shown within the first 1,500 tokens.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.dataset import HERE, corpora_dir
from benchmarks.machine import circumstances
from benchmarks.systems.fourfold_presets import FourfoldIndexes
from benchmarks.tables import table
from benchmarks.written import SETS, Written, file_of, halves, load, root_of
from fourfold.answer.evaluate import FIRST_TOKENS, AnswerScores, Truth, score_answer, summed_up

COLUMNS = ("answered", "shown", "reached", "printed", "recall", "files", "precision", "held", "named", "tokens")
TITLES = (
    "answered", "a target in 1,500", "targets in 1,500", "of the text", "targets cited", "files cited",
    "citations right", "on disk", "names in lines", "tokens to it",
)  # fmt: skip
Row = tuple[Written, AnswerScores]


def ask(questions: Sequence[Written], corpora: Path, indexes: FourfoldIndexes, tokens: int) -> list[Row]:
    """Every question with its judged answer; only what answers a question counts as its target."""
    by_repo: dict[str, list[Written]] = defaultdict(list)
    for question in questions:
        by_repo[question.repo].append(question)
    rows: list[Row] = []
    for repo, asked in by_repo.items():
        index = indexes.get(root_of(repo, corpora))
        for question in asked:
            result = index.ask(question.text, tokens=tokens, refresh=False)
            truths = [
                Truth(one.target.path, one.target.start_line or 0, one.target.end_line or 0) for one in question.primary
            ]
            rows.append((question, score_answer(result, truths, lambda path, i=index: i.read(path).text)))
        print(f"  {repo}: {len(asked)} questions", file=sys.stderr)
    return rows


def as_table(rows: Sequence[Row]) -> str:
    """All of them, then by intent and by kind."""
    groups: dict[str, list[AnswerScores]] = {"all": [score for _, score in rows]}
    for name in ("intent", "kind", "repo"):
        for value in sorted({getattr(question, name) for question, _ in rows}):
            groups[f"{name} {value}"] = [score for question, score in rows if getattr(question, name) == value]
    lines = []
    for name, scores in groups.items():
        found = summed_up(scores)
        lines.append([name, str(len(scores)), *(_cell(column, found[column]) for column in COLUMNS)])
    return table(("", "n", *TITLES), lines)


def goal(rows: Sequence[Row]) -> str:
    """The shares shown within the first tokens: of the questions, and of all their targets together."""
    shown = sum(score.shown for _, score in rows)
    printed = sum(score.printed > 0 for _, score in rows)
    targets = sum(len(question.primary) for question, _ in rows)
    reached = round(sum(score.reached * len(question.primary) for question, score in rows))
    return (
        f"within {FIRST_TOKENS:,} tokens: a target of {shown} of {len(rows)} questions ({shown / len(rows):.3f}), "
        f"{reached} of {targets} targets ({reached / targets:.3f}); "
        f"of the text without quoted lines: a target of {printed} questions ({printed / len(rows):.3f})"
    )


def _cell(column: str, value: float) -> str:
    return f"{value:.0f}" if column == "tokens" else f"{value:.3f}"


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answers", description=__doc__)
    parser.add_argument("--set", choices=SETS, default="large", dest="name")
    parser.add_argument("--half", choices=("open", "sealed", "all"), default="open")
    parser.add_argument("--tokens", type=int, default=FIRST_TOKENS, help="budget of an answer (ask's own: 2000)")
    parser.add_argument("--misses", action="store_true", help="list the questions of the open half that missed")
    parser.add_argument("--corpora", type=Path, help="folder of the corpora")
    options = parser.parse_args(arguments)
    questions = halves(load(file_of(options.name)), options.half)
    indexes = FourfoldIndexes()
    try:
        rows = ask(questions, corpora_dir(options.corpora), indexes, options.tokens)
    finally:
        indexes.close()
    print(as_table(rows))
    print(goal(rows))
    if options.misses:
        for question, score in rows:
            if not score.shown and not question.sealed:
                print(f"{question.id}  {question.text}  ({score.tokens})")
    _save(options, rows)


def _save(options: argparse.Namespace, rows: Sequence[Row]) -> None:
    content: dict[str, Any] = {
        **circumstances(
            f"python -m benchmarks.answers --set {options.name} --half {options.half} --tokens {options.tokens}"
        ),
        "scores": {key: round(value, 4) for key, value in summed_up([score for _, score in rows]).items()},
    }
    budget = "" if options.tokens == FIRST_TOKENS else f"-{options.tokens}"
    out = HERE / "results" / f"answers-{options.name}-{options.half}{budget}.json"
    out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
