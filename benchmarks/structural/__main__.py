"""Make the structural questions: ``python -m benchmarks.structural [--corpora DIR] [--repos a,b]``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.dataset import corpora_dir
from benchmarks.structural.truth import Truth
from benchmarks.structure.site import ToolMissing
from benchmarks.written import Expected, Written, file_of, load, root_of, save
from fourfold.syntax.languages import language_of

ASKED = Path(__file__).parent / "asked.jsonl"
TOOLS: dict[str, tuple[str, str]] = {
    "django": ("jedi", ""),
    "scrapy": ("jedi", ""),
    "mongoose": ("typescript", ""),
    "effect": ("typescript", ""),
    "prisma": ("typescript", "packages"),
}
"""Which tool tells the truth of a corpus, and the folder that it reads ("" for all)."""
INTENTS = {"callers": "find_references", "subclasses": "find_references", "impact": "impact_analysis"}
MOST = 10
"""Answers of a question: more could not all be among ten results."""


def answers(truth: Truth, relation: str, asked: Expected) -> tuple[list[Expected], list[Expected]]:
    """What answers a question, and what belongs to it: of an impact the callers of the callers."""
    if relation == "subclasses":
        return truth.subclasses(asked), []
    first = truth.callers(asked)
    if relation == "callers":
        return first, []
    named = [one for one in first if one.symbol]
    second = [one for caller in named for one in truth.callers(caller) if one not in first and one != asked]
    return first, list(dict.fromkeys(second))


def questions(repo: str, asked: Sequence[dict[str, Any]], corpora: Path) -> list[Written]:
    """Two questions for each line of `asked`: by name and by description."""
    truth = Truth(root_of(repo, corpora), *TOOLS[repo])
    made: list[Written] = []
    for one in asked:
        symbol = truth.symbol(one["path"], one["symbol"])
        primary, secondary = answers(truth, one["relation"], symbol)
        if not 1 <= len(primary) <= MOST:
            print(f"{repo}: {one['symbol']} has {len(primary)} answers: left out", file=sys.stderr)
            continue
        for kind in ("named", "described"):
            made.append(
                Written(
                    id=f"structural/{repo}/{one['id']}-{kind}",
                    repo=repo,
                    text=one[kind],
                    language=language_of(Path(symbol.path).name, ""),
                    natural="en",
                    intent=INTENTS[one["relation"]],
                    kind=f"{one['relation']}, {kind}",
                    primary=tuple(primary),
                    secondary=tuple(secondary[:MOST]),
                )
            )
    return made


def main(arguments: list[str] | None = None) -> None:
    """The command; exit 2 where a tool or a corpus is not here."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structural", description=__doc__)
    parser.add_argument(
        "--repos", default=",".join(TOOLS), help="comma list; questions about the others stay as they are"
    )
    parser.add_argument("--corpora", type=Path, help="folder of the corpora")
    options = parser.parse_args(arguments)
    asked = [json.loads(line) for line in ASKED.read_text(encoding="utf-8").splitlines()]
    file = file_of("structural")
    repos = options.repos.split(",")
    made: list[Written] = []
    try:
        for repo in repos:
            found = questions(repo, [one for one in asked if one["repo"] == repo], corpora_dir(options.corpora))
            print(f"{repo}: {len(found)} questions", file=sys.stderr)
            made += found
    except (ToolMissing, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    kept = [one for one in load(file) if one.repo not in repos] if file.exists() else []
    save(file, sorted([*kept, *made], key=lambda one: one.id))


if __name__ == "__main__":
    main()
