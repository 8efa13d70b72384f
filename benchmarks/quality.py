"""Compare systems on a question set: ``python -m benchmarks.quality --set tuning --systems
default,bm25,ripgrep``.

Each repository is indexed into a throw-away cache, each question is put to each system once, and one table
is printed: NDCG@10 with its 95 % bootstrap interval, recall@10, MRR, hit@1 (means over repositories) and
the median time of an answer in process. The numbers go to ``benchmarks/results/quality-SET.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.dataset import SETS, Question, asked_root, corpora_dir
from benchmarks.harness import LEVELS, Answered, Run, ask, chosen
from benchmarks.machine import circumstances
from benchmarks.systems.catalogue import DESCRIPTIONS, make_system
from benchmarks.systems.fourfold_presets import FourfoldIndexes
from benchmarks.systems.protocol import System
from benchmarks.tables import table

RESULTS = Path(__file__).resolve().parent / "results"
COLUMNS = ("system", "level", "NDCG@10", "95 %", "recall@10", "MRR@10", "hit@1", "ms p50")


def compare(
    set_name: str,
    systems: Sequence[System],
    *,
    corpora: Path,
    repos: Sequence[str] = (),
    first: int | None = None,
    say: bool = False,
) -> dict[str, Run]:
    """Put the set to every system, repository by repository, and return each system's run.

    Going repository by repository lets the presets of Fourfold share an index and frees it before the next.
    """
    answers: dict[str, list[Answered]] = {system.name: [] for system in systems}
    for repo, questions in chosen(set_name, corpora, repos, first).items():
        started = time.perf_counter()
        for system in systems:
            for root in _roots(set_name, questions, corpora):
                system.prepare(root)
            run = ask(set_name, lambda _, root, text, s=system: s.answer(root, text), corpora=corpora,
                      repos=[repo], first=first)  # fmt: skip
            answers[system.name] += run.answers
        if say:
            seconds = time.perf_counter() - started
            print(f"  {repo}: {len(questions)} questions, {seconds:.1f} s", file=sys.stderr)
    return {name: Run(set_name, tuple(found)) for name, found in answers.items()}


def _roots(set_name: str, questions: Sequence[Question], corpora: Path) -> list[Path]:
    return list(dict.fromkeys(asked_root(set_name, question, corpora) for question in questions))


def levels_of(set_name: str) -> tuple[str, ...]:
    """Mined questions have lines: they are judged by function and by file. The others have whole-file
    targets.
    """
    return LEVELS if set_name == "mined" else ("span",)


def report(runs: dict[str, Run]) -> list[dict[str, Any]]:
    """One record a system and level: the scores, and the system's description."""
    return [
        {"system": name, "what": DESCRIPTIONS.get(name, name), **run.scores(level).to_dict()}
        for name, run in runs.items()
        for level in levels_of(run.set_name)
    ]


def as_table(records: Sequence[dict[str, Any]]) -> str:
    """The records as one table; a second line a category where a set has categories of its own (mined)."""
    rows = []
    for record in records:
        low, high = record["ndcg_interval"]
        rows.append(
            [record["system"], record["level"], f"{record['ndcg']:.3f}", f"{low:.3f}-{high:.3f}",
             *(f"{record[name]:.3f}" for name in ("recall", "mrr", "hit1")), f"{record['ms_p50']:.2f}"]
        )  # fmt: skip
    return table(COLUMNS, rows)


def by_category(records: Sequence[dict[str, Any]], metric: str = "ndcg") -> str:
    """One row a system, one column a category with its number of questions."""
    names = list(records[0]["by_category"])
    head = ["system", "level", *(f"{name} (n={records[0]['by_category'][name]['n']})" for name in names)]
    rows = [
        [record["system"], record["level"], *(f"{record['by_category'][name][metric]:.3f}" for name in names)]
        for record in records
    ]
    return table(head, rows)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    options = _parser().parse_args(arguments)
    names = [name for name in options.systems.split(",") if name]
    indexes = FourfoldIndexes()
    try:
        systems = [system for name in names if (system := make_system(name, indexes))]
        repos = [name for name in options.repos.split(",") if name]
        runs = compare(
            options.set,
            systems,
            corpora=corpora_dir(options.corpora),
            repos=repos,
            first=options.first,
            say=True,
        )
        for system in systems:
            system.close()
    finally:
        indexes.close()
    records = report(runs)
    print(as_table(records))
    size = f"{records[0]['questions']} questions, {records[0]['repositories']} repositories"
    print(f"\n{size}; NDCG@10 by category:\n")
    print(by_category(records))
    if not (repos or options.first):
        _save(options, records, runs)


def _save(options: argparse.Namespace, records: list[dict[str, Any]], runs: dict[str, Run]) -> None:
    command = f"python -m benchmarks.quality --set {options.set} --systems {options.systems}"
    RESULTS.mkdir(exist_ok=True)
    out = RESULTS / f"quality-{options.set}.json"
    content = {**circumstances(command), "records": records}
    out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    for name, run in runs.items():
        run.save(RESULTS.parent / "runs" / f"{options.set}-{name}.jsonl")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--set", choices=SETS, default="tuning")
    parser.add_argument("--systems", default=",".join(DESCRIPTIONS), help="comma list (default: all)")
    parser.add_argument("--repos", default="", help="comma list: only these repositories (nothing is saved)")
    parser.add_argument("--first", type=int, help="only N questions a repository (nothing is saved)")
    parser.add_argument("--corpora", type=Path, help="folder of the corpora")
    return parser


if __name__ == "__main__":
    main()
