"""The same questions on the local store and on Qdrant: ``python -m benchmarks.stores``.

Each repository is indexed twice into throw-away folders: locally, and into the engine that ``--url`` names (by default
the engine in this process, exact search). Printed for each preset: the share of questions whose first ten results are
the same in the same order, the share where they are the same in any order, NDCG@10 on both and how far they are apart,
and how much processor time an answer took on each. The numbers go to ``benchmarks/results/stores.json``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.dataset import SETS, corpora_dir
from benchmarks.harness import Answered, Run, ask, chosen
from benchmarks.machine import circumstances
from benchmarks.tables import table

RESULTS = Path(__file__).resolve().parent / "results" / "stores.json"
PRESETS = ("default", "text", "dense", "hybrid", "contract")
COLUMNS = ("preset", "questions", "same ten", "same set", "NDCG local", "NDCG qdrant", "apart", "CPU ms", "on qdrant")


@dataclass(slots=True)
class Side:
    """One store: how it is set, its answers by preset, the processor time of each answer in milliseconds."""

    name: str
    settings: Any
    answers: dict[str, list[Answered]] = field(default_factory=dict)
    cpu_ms: dict[str, list[float]] = field(default_factory=dict)

    def ask(self, set_name: str, repo: str, corpora: Path, presets: Sequence[str], first: int | None) -> None:
        """Index a repository and put its questions, one preset after the other."""
        indexes: dict[Path, Any] = {}
        for preset in presets:

            def answer(_: str, root: Path, text: str, preset: str = preset) -> list[tuple[str, int, int]]:
                index = indexes.get(root) or indexes.setdefault(root, _opened(root, self.settings))
                started = time.process_time()
                result = index.search(text, limit=10, preset=preset, refresh=False)
                self.cpu_ms.setdefault(preset, []).append((time.process_time() - started) * 1000)
                return [(item.path, item.start_line, item.end_line) for item in result.items]

            run = ask(set_name, answer, corpora=corpora, repos=[repo], first=first)
            self.answers.setdefault(preset, []).extend(run.answers)
        for index in indexes.values():
            index.close()


def _opened(root: Path, settings: Any) -> Any:
    from fourfold import Index

    index = Index.open(root, root=root, settings=settings)
    index.refresh()
    index.search("where is the configuration read", refresh=False)  # lazy loading is not timed
    return index


def compared(set_name: str, preset: str, local: Side, qdrant: Side) -> dict[str, Any]:
    """The record of one preset."""
    mine, theirs = local.answers[preset], qdrant.answers[preset]
    pairs = list(zip(mine, theirs, strict=True))
    scores = [Run(set_name, tuple(side)).scores("span").mean.ndcg for side in (mine, theirs)]
    different = [f"{a.question.repo} {a.question.id}" for a, b in pairs if a.results != b.results]
    return {
        "preset": preset,
        "questions": len(pairs),
        "same_ten": round(sum(a.results == b.results for a, b in pairs) / len(pairs), 4),
        "same_set": round(sum(set(a.results) == set(b.results) for a, b in pairs) / len(pairs), 4),
        "ndcg_local": round(scores[0], 4),
        "ndcg_qdrant": round(scores[1], 4),
        "cpu_ms_local": round(statistics.median(local.cpu_ms[preset]), 2),
        "cpu_ms_qdrant": round(statistics.median(qdrant.cpu_ms[preset]), 2),
        "different": different,
    }


def as_table(records: Sequence[dict[str, Any]]) -> str:
    """The records as one table."""
    rows = [
        [r["preset"], str(r["questions"]), f"{r['same_ten']:.3f}", f"{r['same_set']:.3f}", f"{r['ndcg_local']:.4f}",
         f"{r['ndcg_qdrant']:.4f}", f"{r['ndcg_qdrant'] - r['ndcg_local']:+.4f}", f"{r['cpu_ms_local']:.1f}",
         f"{r['cpu_ms_qdrant']:.1f}"]
        for r in records
    ]  # fmt: skip
    return table(COLUMNS, rows)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    from fourfold.config.settings import QdrantSettings, Settings

    options = _parser().parse_args(arguments)
    presets = [name for name in options.presets.split(",") if name]
    corpora = corpora_dir(options.corpora)
    repos = chosen(options.set, corpora, [name for name in options.repos.split(",") if name], options.first)
    with tempfile.TemporaryDirectory(prefix="fourfold-stores-") as folder:
        url = options.url or f"edge:{folder}/engine"
        qdrant = QdrantSettings(url=url, exact=True, key_env=options.key_env, collection="fourfold-bench")
        sides = (
            Side("local", Settings(cache_dir=f"{folder}/local")),
            Side("qdrant", Settings(cache_dir=f"{folder}/cache", store="qdrant", qdrant=qdrant)),
        )
        done: list[str] = []
        for repo in repos:
            for side in sides:
                started = time.process_time()
                side.ask(options.set, repo, corpora, presets, options.first)
                print(f"  {repo} {side.name}: {time.process_time() - started:.1f} s CPU", file=sys.stderr)
            done.append(repo)
            records = [compared(options.set, preset, *sides) for preset in presets]
            if options.save:  # after each repository: an hour's work is not lost with the last one
                _save(options.set, url, done, records)
    print(as_table(records))


def _save(set_name: str, url: str, repos: Sequence[str], records: Sequence[dict[str, Any]]) -> None:
    found = {"set": set_name, "engine": url.partition(":")[0], "repositories": list(repos)}
    content = {**found, **circumstances("python -m benchmarks.stores --save"), "presets": records}
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--set", choices=SETS, default="tuning")
    parser.add_argument("--presets", default=",".join(PRESETS))
    parser.add_argument("--repos", default="", help="only these repositories, by comma")
    parser.add_argument("--first", type=int, help="only that many questions of each repository")
    parser.add_argument("--url", default="", help="as qdrant.url; empty: the engine in this process")
    parser.add_argument("--key-env", default="", help="as qdrant.key_env")
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--save", action="store_true", help="write the numbers to benchmarks/results/stores.json")
    return parser


if __name__ == "__main__":
    main()
