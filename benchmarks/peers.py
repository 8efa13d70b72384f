"""Indexing and first answers beside a peer: ``SEMBLE_PYTHON=... SEMBLE_MODEL=... python -m benchmarks.peers``.

For each repository of the tuning set both index it from nothing and answer its questions, each in a process of its
own, one after the other, in an order that alternates. Measured inside the process after its imports: until the index is
ready, until the first answer is there (from the same moment), the median answer after that; and the whole process. With
more work done: a structure, references, exact search and a store on disk, which the peer does not have. Prints a table
with the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.dataset import HERE, asked_root, corpora_dir, load_questions, questions_file
from benchmarks.machine import circumstances
from benchmarks.systems import semble
from benchmarks.tables import table

OURS = """
import json, sys, time
from pathlib import Path
from fourfold import Index
questions = json.load(sys.stdin)
begun = time.perf_counter()
index = Index.open(Path(sys.argv[1]), root=Path(sys.argv[1]))
index.refresh()
ready = time.perf_counter() - begun
times = []
for question in questions:
    at = time.perf_counter()
    index.search(question, refresh=False)
    times.append(time.perf_counter() - at)
print(json.dumps([ready, times]))
"""
THEIRS = """
import json, sys, time
from semble import SembleIndex
questions = json.load(sys.stdin)
begun = time.perf_counter()
index = SembleIndex.from_path(sys.argv[1], model_path=sys.argv[2])
ready = time.perf_counter() - begun
times = []
for question in questions:
    at = time.perf_counter()
    index.search(question, top_k=10)
    times.append(time.perf_counter() - at)
print(json.dumps([ready, times]))
"""
FIGURES = ("index, s", "first answer, s", "later answers, ms", "whole process, s")


def measure(command: list[str], env: dict[str, str], questions: list[str]) -> list[float]:
    """The figures of one process."""
    begun = time.perf_counter()
    done = subprocess.run(command, env=env, input=json.dumps(questions), capture_output=True, text=True, check=True)
    whole = time.perf_counter() - begun
    ready, times = json.loads(done.stdout)
    return [ready, ready + times[0], 1000 * statistics.median(times[1:]), whole]


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--repos", default="", help="comma list (default: all of the tuning set)")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each; the median counts (default: 3)")
    options = parser.parse_args(arguments)
    if not semble.available():
        parser.error("set SEMBLE_PYTHON and SEMBLE_MODEL (see benchmarks/systems/semble.py)")
    corpora = corpora_dir(None)
    wanted = [name for name in options.repos.split(",") if name]
    by_root: dict[Path, list[str]] = {}
    for question in load_questions(questions_file("tuning", corpora)):
        if not wanted or question.repo in wanted:
            by_root.setdefault(asked_root("tuning", question, corpora), []).append(question.text)
    rows = []
    for root, questions in by_root.items():
        runs: dict[str, list[list[float]]] = {"fourfold": [], "semble": []}
        for number in range(options.rounds):
            for name in sorted(runs, reverse=bool(number % 2)):
                with tempfile.TemporaryDirectory() as home:
                    runs[name].append(measure(_command(name, root), _environment(name, home), questions))
        rows.append([root.relative_to(corpora).as_posix(), runs])
        print(f"{rows[-1][0]}: {_medians(runs)}", file=sys.stderr)
    ours, theirs = (
        [sum(_medians(runs)[name][at] for _, runs in rows) / len(rows) for at in range(len(FIGURES))]
        for name in ("fourfold", "semble")
    )
    made = [
        [figure, f"{mine:.2f}", f"{other:.2f}", f"{mine / other:.2f}"]
        for figure, mine, other in zip(FIGURES, ours, theirs, strict=True)
    ]
    print(f"means over {len(rows)} repositories of medians of {options.rounds}")
    print(table(["", "fourfold", "semble", "ratio"], made))
    content = {**circumstances("python -m benchmarks.peers"), "fourfold": ours, "semble": theirs, "figures": FIGURES}
    if not wanted:
        (HERE / "results" / "peers.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _medians(runs: dict[str, list[list[float]]]) -> dict[str, list[float]]:
    return {
        name: [round(statistics.median(figures), 3) for figures in zip(*found, strict=True)]
        for name, found in runs.items()
    }


def _command(name: str, root: Path) -> list[str]:
    if name == "semble":
        return [os.environ["SEMBLE_PYTHON"], "-c", THEIRS, str(root), os.environ["SEMBLE_MODEL"]]
    return [sys.executable, "-c", OURS, str(root)]


def _environment(name: str, home: str) -> dict[str, str]:
    if name == "semble":
        return semble.environment(home)
    return {**os.environ, "FOURFOLD_CACHE_DIR": home, "OPENBLAS_NUM_THREADS": "1"}


if __name__ == "__main__":
    main()
