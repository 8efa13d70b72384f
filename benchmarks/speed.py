"""How fast, how large: ``python -m benchmarks.speed --names django:django,sympy``.

On a copy of each corpus: an index from nothing (wall, lines a second, peak memory of all processes, disk against
source), a refresh with nothing, one, ten and a thousand files changed, 50 warm queries in process, and ``fourfold
search`` and ``fourfold grep`` as whole processes, without and with the helper, beside ripgrep for the same literal.
Each measurement has a process of its own. Prints a table and writes ``benchmarks/results/speed.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.dataset import HERE, corpora_dir
from benchmarks.machine import circumstances
from benchmarks.manifest import corpus_named
from benchmarks.mined import candidates
from benchmarks.proctree import Ran, run_watched
from benchmarks.systems import ripgrep
from benchmarks.systems.tree import files_of
from benchmarks.tables import table

RESULTS = HERE / "results"
NAMES = "django:django,sympy,scikit-learn"
"""Corpora, each with the folder that is measured after a colon where it is not the whole."""
QUERIES = 50
REPEATS = 5
EDITED = (1, 10, 1000)
"""Files that are edited before a refresh."""
HELPER_STARTS_S = 60.0
LITERALS = {"django": "select_for_update", "sympy": "NotImplementedError", "scikit-learn": "check_array"}
"""What both grep and ripgrep look for: a name that occurs often enough to cost something."""


def measure(source: Path, name: str, scratch: Path) -> dict[str, Any]:
    """Every measurement of one corpus."""
    root = scratch / name
    shutil.copytree(source, root)
    env = environment(scratch)
    questions = queries(name, root)
    built = probe("index", root, env)
    record: dict[str, Any] = {"corpus": name, "index": _index_record(built, root)}
    record["refresh_unchanged_ms"] = json.loads(probe("refresh", root, env).output)["ms"]
    record["refresh_edited"] = {str(count): json.loads(probe("edit", root, env, str(count)).output) for count in EDITED}
    record["query"] = asked("query", root, env, questions)
    record["process_ms"] = _processes(root, env, questions, LITERALS.get(name, "import"))
    return record


def environment(scratch: Path) -> dict[str, str]:
    """As a person who installed the package has it: compiled modules are kept, and linear algebra runs on one thread
    (the command line and the servers see to that themselves)."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {
        **env,
        "FOURFOLD_CACHE_DIR": str(scratch / "cache"),
        "PYTHONPYCACHEPREFIX": str(scratch / "bytecode"),
        "OPENBLAS_NUM_THREADS": "1",
    }


def queries(name: str, root: Path) -> list[str]:
    """150 questions about the corpus: first sentences of its functions' documentation, and names of functions. A third
    is asked alone, a third with the check for changes, and the last warms the process up: an answer may be kept."""
    corpus = replace(corpus_named(name), language="python", suffix=".py")
    texts = {path: text for path, text in files_of(root.resolve()) if path.endswith(".py")}
    found = candidates(corpus, texts)
    drawn = random.Random(name).sample(found, min(3 * QUERIES, len(found)))
    return [c.function.name if number % 5 == 4 else c.sentence for number, c in enumerate(drawn)]


def probe(kind: str, root: Path, env: dict[str, str], *more: str) -> Ran:
    """A measurement in a process of its own, watched."""
    return run_watched([sys.executable, "-m", "benchmarks.probe", kind, str(root), *more], cwd=HERE.parent, env=env)


def _index_record(built: Ran, root: Path) -> dict[str, Any]:
    size = json.loads(built.output)
    source = sum(path.stat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {
        **size,
        "wall_s": round(built.seconds, 2),
        "lines_per_s": round(size["lines"] / built.seconds),
        "peak_rss_mib": round(built.peak_rss / 2**20),
        "source_bytes": source,
    }


def asked(kind: str, root: Path, env: dict[str, str], questions: list[str]) -> dict[str, Any]:
    """What a probe that reads questions from its standard input says."""
    command = [sys.executable, "-m", "benchmarks.probe", kind, str(root)]
    done = subprocess.run(
        command, cwd=HERE.parent, env=env, input=json.dumps(questions), capture_output=True, text=True, check=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _processes(root: Path, env: dict[str, str], questions: list[str], literal: str) -> dict[str, Any]:
    """Median wall milliseconds of whole processes, index present. No question is asked twice: an answer may be kept."""
    fourfold = str(Path(sys.executable).with_name("fourfold"))
    searches = [[fourfold, "search", question] for question in questions[: 2 * (REPEATS + 1)]]
    literals = [[fourfold, "grep", "--fixed-strings", literal]]
    alone = {**env, "FOURFOLD_HELPER_ENABLED": "0"}
    times = {
        "python": _wall_ms([[sys.executable, "-c", "pass"]], root, alone),
        "fourfold search": _wall_ms(searches[: REPEATS + 1], root, alone),
        "fourfold grep": _wall_ms(literals, root, alone),
    }
    with _helper(root, env) as helped:
        times["fourfold search, helper"] = _wall_ms(searches[REPEATS + 1 :], root, helped)
        times["fourfold grep, helper"] = _wall_ms(literals, root, helped)
    if ripgrep.available():
        times["ripgrep"] = _wall_ms([["rg", "--line-number", "--fixed-strings", "--", literal, "."]], root, env)
    return {"literal": literal, **times}


@contextmanager
def _helper(root: Path, env: dict[str, str]) -> Iterator[dict[str, str]]:
    """The environment in which a helper answers, while it runs. Raises RuntimeError where none comes."""
    helped = {**env, "FOURFOLD_HELPER_ENABLED": "1"}
    fourfold = str(Path(sys.executable).with_name("fourfold"))

    def control(*arguments: str) -> int:
        return subprocess.run([fourfold, *arguments], cwd=root, env=helped, capture_output=True, check=False).returncode

    control("search", "function")
    deadline = time.monotonic() + HELPER_STARTS_S
    while control("helper", "status"):
        if time.monotonic() > deadline:
            raise RuntimeError("no helper has started")
    try:
        yield helped
    finally:
        control("helper", "stop")


def _wall_ms(commands: list[list[str]], cwd: Path, env: dict[str, str]) -> float:
    """Median of several runs, which take the commands in turn, after one that warms the page cache. Raises RuntimeError
    where a command fails."""
    times = []
    for number in range(REPEATS + 1):
        command = commands[number % len(commands)]
        started = time.perf_counter()
        done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, check=False)
        times.append((time.perf_counter() - started) * 1000)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {said}")
    return round(statistics.median(times[1:]), 1)


def as_table(records: list[dict[str, Any]]) -> str:
    """One column a corpus."""
    rows = [[label, *(str(read(record)) for record in records)] for label, read in ROWS]
    return table(["", *(record["corpus"] for record in records)], rows)


UNMEASURED = "not measured"
"""In results of a version that did not measure it yet."""


def _edited(record: dict[str, Any], count: int, what: str = "ms") -> Any:
    return record.get("refresh_edited", {}).get(str(count), {}).get(what, UNMEASURED)


ROWS = (
    ("files indexed", lambda r: f"{r['index']['files']:,}"),
    ("lines indexed", lambda r: f"{r['index']['lines']:,}"),
    ("chunks", lambda r: f"{r['index']['chunks']:,}"),
    ("index from nothing, s", lambda r: r["index"]["wall_s"]),
    ("lines a second", lambda r: f"{r['index']['lines_per_s']:,}"),
    ("peak memory, all processes, MiB", lambda r: r["index"]["peak_rss_mib"]),
    ("index on disk / source", lambda r: f"{r['index']['bytes_on_disk'] / r['index']['source_bytes']:.2f}"),
    ("refresh, nothing changed, ms", lambda r: r["refresh_unchanged_ms"]),
    ("refresh, one file changed, ms", lambda r: _edited(r, 1)),
    ("refresh, ten files changed, ms", lambda r: r.get("refresh_ten_files_ms", _edited(r, 10))),
    ("refresh, ten files changed, the first of a process, ms", lambda r: _edited(r, 10, "first_ms")),
    ("refresh, 1,000 files changed, ms", lambda r: _edited(r, 1000)),
    ("query p50, ms", lambda r: r["query"]["p50_ms"]),
    ("query p95, ms", lambda r: r["query"]["p95_ms"]),
    ("query with freshness check p50, ms", lambda r: r["query"]["p50_ms_with_refresh"]),
    ("fourfold search, whole process, ms", lambda r: r["process_ms"]["fourfold search"]),
    (
        "fourfold search, answered by the helper, ms",
        lambda r: r["process_ms"].get("fourfold search, helper", UNMEASURED),
    ),
    ("fourfold grep, whole process, ms", lambda r: r["process_ms"]["fourfold grep"]),
    ("fourfold grep, answered by the helper, ms", lambda r: r["process_ms"].get("fourfold grep, helper", UNMEASURED)),
    ("ripgrep, same literal, ms", lambda r: r["process_ms"].get("ripgrep", "not installed")),
    ("python -c pass, ms", lambda r: r["process_ms"]["python"]),
)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--names", default=NAMES, help=f"comma list of corpora (default: {NAMES})")
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--no-save", action="store_true", help="print only")
    options = parser.parse_args(arguments)
    records = []
    for name in options.names.split(","):
        name, _, folder = name.partition(":")
        source = (corpora_dir(options.corpora) / corpus_named(name).place / folder).resolve()
        if not source.is_dir():
            raise SystemExit(f"{source} is missing: run python -m benchmarks.prepare speed")
        with tempfile.TemporaryDirectory(prefix="fourfold-speed-") as scratch:
            records.append(measure(source, name, Path(scratch).resolve()))
        print(f"{name} done", file=sys.stderr)
    print(as_table(records))
    if not options.no_save:
        RESULTS.mkdir(exist_ok=True)
        content = {**circumstances(f"python -m benchmarks.speed --names {options.names}"), "records": records}
        (RESULTS / "speed.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
