"""Ask the hand-written questions: ``python -m benchmarks.large --sets large,unshared --systems default,contract``.

Every system answers with ten results. Hits, recall and reciprocal rank count what answers the question (the primary
targets); NDCG@10 counts the secondary ones too. Means over questions, with 95 % bootstrap intervals; then the same by
intent, kind, language and repository. Half of ``large`` is sealed: it is asked with ``--half sealed`` for final scoring
and never listed question by question. The figures go to ``benchmarks/results/written-SET-HALF.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.dataset import HERE, corpora_dir
from benchmarks.machine import circumstances
from benchmarks.systems.catalogue import DESCRIPTIONS, make_system
from benchmarks.systems.fourfold_presets import FourfoldIndexes, FourfoldPreset
from benchmarks.systems.protocol import System
from benchmarks.tables import table
from benchmarks.written import SETS, Written, file_of, halves, load, root_of
from fourfold.evaluate import metrics
from fourfold.evaluate.metrics import Place
from fourfold.evaluate.statistics import interval

HALVES = ("open", "sealed", "all")
NO_VECTORS = "no-vectors"
COLUMNS = ("ndcg", "hit_at_1", "hit_at_5", "hit_at_10", "recall_at_5", "recall_at_10", "mrr")
TITLES = ("NDCG@10", "Hit@1", "Hit@5", "Hit@10", "recall@5", "recall@10", "MRR")
GROUPS: dict[str, Callable[[Written], str]] = {
    "half": lambda one: "sealed" if one.sealed else "open",
    "intent": lambda one: one.intent,
    "kind": lambda one: one.kind,
    "natural language": lambda one: one.natural,
    "language": lambda one: one.language,
    "repository": lambda one: one.repo,
}
RESULTS = HERE / "results"


@dataclass(frozen=True, slots=True)
class Row:
    """One question and how one system answered it: by column of :data:`COLUMNS`, and the results."""

    question: Written
    scores: dict[str, float]
    places: tuple[Place, ...]


def judged(question: Written, places: Sequence[Place]) -> Row:
    """The scores of one answer."""
    primary = [one.target for one in question.primary]
    told = metrics.judge(primary, places)
    scores = {name: getattr(told, name) for name in COLUMNS}
    everything = [one.target for one in question.expected]
    scores["ndcg"] = metrics.ndcg(metrics.first_hits(everything, places[: metrics.TOP_K]))
    return Row(question, scores, tuple(places))


def ask(systems: Sequence[System], questions: Sequence[Written], corpora: Path) -> dict[str, list[Row]]:
    """Put every question to every system, repository by repository."""
    rows: dict[str, list[Row]] = {system.name: [] for system in systems}
    for repo in dict.fromkeys(one.repo for one in questions):
        root = root_of(repo, corpora)
        wanted = [one for one in questions if one.repo == repo]
        for system in systems:
            system.prepare(root)
            for one in wanted:
                places = [Place(*found) for found in system.answer(root, one.text)]
                rows[system.name].append(judged(one, places))
        print(f"  {repo}: {len(wanted)} questions", file=sys.stderr)
    return rows


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Number of questions, mean and 95 % interval of every column."""
    record: dict[str, Any] = {"n": len(rows)}
    for name in COLUMNS:
        values = [row.scores[name] for row in rows]
        record[name] = round(sum(values) / len(values), 4)
        record[f"{name}_interval"] = [round(end, 4) for end in interval([values])]
    return record


def records(rows: dict[str, list[Row]]) -> list[dict[str, Any]]:
    """One record a system: the whole, and the groups of each kind."""
    return [
        {"system": system, **summary(answers), "by": {name: _grouped(answers, key) for name, key in GROUPS.items()}}
        for system, answers in rows.items()
    ]


def _grouped(rows: Sequence[Row], key: Callable[[Written], str]) -> dict[str, Any]:
    names = sorted({key(row.question) for row in rows})
    return {name: summary([row for row in rows if key(row.question) == name]) for name in names}


def whole_table(found: Sequence[dict[str, Any]]) -> str:
    """One line a system; intervals behind NDCG@10, Hit@5 and recall@10."""
    cells = [[record["system"], str(record["n"]), *(_cell(record, name) for name in COLUMNS)] for record in found]
    return table(("system", "n", *TITLES), cells)


def group_table(found: Sequence[dict[str, Any]], group: str) -> str:
    """One line a system and member of a group, for groups with more than one member ("" otherwise)."""
    names = list(found[0]["by"][group])
    if len(names) < 2:
        return ""
    cells = [
        [name, record["system"], str(part["n"]), *(f"{part[column]:.3f}" for column in COLUMNS)]
        for name in names
        for record in found
        for part in [record["by"][group][name]]
    ]
    return table((group, "system", "n", *TITLES), cells)


def _cell(record: dict[str, Any], name: str) -> str:
    if name not in ("ndcg", "hit_at_5", "recall_at_10"):
        return f"{record[name]:.3f}"
    low, high = record[f"{name}_interval"]
    return f"{record[name]:.3f} [{low:.2f}, {high:.2f}]"


def misses(rows: Sequence[Row]) -> list[str]:
    """The open questions whose answer is not among the first five, with what came first."""
    lines = []
    for row in rows:
        if row.scores["hit_at_5"] or row.question.sealed:
            continue
        first = row.places[0] if row.places else Place("nothing")
        wanted = row.question.primary[0]
        lines.append(
            f"{row.question.id} {row.question.text!r}: wanted {wanted.path}:{wanted.start_line} {wanted.symbol}, "
            f"first {first.path}:{first.start_line}"
        )
    return lines


def _system(name: str, indexes: FourfoldIndexes, bare: FourfoldIndexes) -> System | None:
    return FourfoldPreset(NO_VECTORS, "default", bare) if name == NO_VECTORS else make_system(name, indexes)


def _open_without_vectors(root: Path) -> Any:
    """An index of its own beside the one with vectors: a change of the model would rebuild a shared one."""
    from fourfold import Index
    from fourfold.config.settings import EmbeddingSettings, Settings

    cache = Path(os.environ["FOURFOLD_CACHE_DIR"]) / NO_VECTORS
    return Index.open(
        root, root=root, settings=Settings(embedding=EmbeddingSettings(provider="none"), cache_dir=str(cache))
    )


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    options = _parser().parse_args(arguments)
    repos = [name for name in options.repos.split(",") if name]
    try:
        sets = {name: halves(load(file_of(name)), options.half) for name in options.sets.split(",")}
    except ValueError as error:
        sys.exit(str(error))
    questions = [one for asked in sets.values() for one in asked if not repos or one.repo in repos]
    if not questions:
        sys.exit(f"no question of {options.sets}, half {options.half}, is asked of {options.repos}")
    indexes, bare = FourfoldIndexes(), FourfoldIndexes(_open_without_vectors)
    systems = [one for name in options.systems.split(",") if (one := _system(name, indexes, bare))]
    try:
        rows = ask(systems, questions, corpora_dir(options.corpora))
    except FileNotFoundError as error:
        sys.exit(str(error))
    finally:
        indexes.close()
        bare.close()
    for name, asked in sets.items():
        mine = {system: [row for row in all_rows if row.question in asked] for system, all_rows in rows.items()}
        if any(mine.values()):
            _show(name, mine, options.misses)
            if not repos:
                _save(name, options, records(mine))


def _show(name: str, rows: dict[str, list[Row]], with_misses: bool) -> None:
    found = records(rows)
    print(f"\n## {name}\n\n{whole_table(found)}")
    for group in GROUPS:
        if text := group_table(found, group):
            print(f"\n{text}")
    for line in misses(next(iter(rows.values()))) if with_misses else ():
        print(line)


def _save(name: str, options: argparse.Namespace, found: list[dict[str, Any]]) -> None:
    command = f"python -m benchmarks.large --sets {name} --half {options.half} --systems {options.systems}"
    RESULTS.mkdir(exist_ok=True)
    out = RESULTS / f"written-{name}-{options.half}.json"
    out.write_text(json.dumps({**circumstances(command), "records": found}, indent=1) + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__.split("\n")[0])
    parser.add_argument("--sets", default="large", help=f"comma list of {', '.join(SETS)}; they share the indexes")
    parser.add_argument(
        "--half", choices=HALVES, default="open", help="of the set large; the others have no sealed half"
    )
    names = ", ".join((*DESCRIPTIONS, NO_VECTORS))
    parser.add_argument("--systems", default=f"default,contract,{NO_VECTORS}", help=f"comma list of {names}")
    parser.add_argument("--repos", default="", help="comma list: only these repositories (nothing is saved)")
    parser.add_argument("--misses", action="store_true", help="list what the first system misses in the open half")
    parser.add_argument("--corpora", type=Path, help="folder of the corpora")
    return parser


if __name__ == "__main__":
    main()
