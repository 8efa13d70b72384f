"""A tree of a million files of which nearly all are ignored: ``python -m benchmarks.ignored_files``.

A git repository of modules among which lie: folders that a rule ignores as a whole (what a package manager or a build
leaves there), files that a rule ignores one by one beside each module, and folders whose rules ignore all but one file.
It is indexed from nothing, refreshed with nothing changed, and asked, each by a process of its own. The time that
``git status`` takes stands beside. Prints one line for each figure.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.faults.project import module
from benchmarks.proctree import Ran
from benchmarks.speed import asked, environment, probe

FILES = 1_000_000
WHOLE_SHARE, BESIDE_SHARE = 0.6, 0.3
"""Shares of files in folders that are ignored as a whole, and of files that are ignored one by one; the rest lies in
folders whose own rules keep one file each."""
FOLDER_FILES = 500
MODULES = 2_000
RULES = "node_modules/\n*.o\n"
NESTED_RULES = "*\n!.gitignore\n!kept.py\n"
QUESTIONS = [f"where is the delay of attempt {number} computed" for number in range(30)]


def grow(root: Path, files: int, modules: int) -> dict[str, int]:
    """Make the tree; says how many files of each kind it holds. What is ignored is empty: nothing may open it."""
    root.mkdir(parents=True)
    (root / ".gitignore").write_text(RULES)
    whole, beside = round(files * WHOLE_SHARE), round(files * BESIDE_SHARE)
    for number in range(modules):
        _written(root / f"src/part{number // 100}/m{number}.py", module(number))
    for number in range(beside):
        (root / f"src/part{number % modules // 100}/x{number}.o").touch()
    for number in range(whole):
        _touched(root / f"node_modules/p{number // FOLDER_FILES}/f{number}.js")
    nested = files - whole - beside
    for number in range(nested):
        folder = root / f"data/d{number // FOLDER_FILES}"
        _touched(folder / f"f{number}.py")
        if number % FOLDER_FILES == 0:
            _written(folder / ".gitignore", NESTED_RULES)
            _written(folder / "kept.py", module(modules + number))
    folders = -(-nested // FOLDER_FILES)
    kept = modules + 2 * folders + 1  # the rules themselves are text that is kept
    return {"ignored": files, "in ignored folders": whole, "beside": beside, "nested": nested, "kept": kept}


def _written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _touched(path: Path) -> None:
    try:
        path.touch()
    except FileNotFoundError:
        path.parent.mkdir(parents=True)
        path.touch()


def committed(root: Path) -> None:
    """A repository that holds what is not ignored."""
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "Modules")):
        subprocess.run(["git", *identity, *command], cwd=root, check=True, capture_output=True)


def measured(root: Path, scratch: Path) -> dict[str, object]:
    """What indexing, a refresh and questions take."""
    env = environment(scratch)
    git = _seconds(["git", "status", "--porcelain"], root)
    built = probe("index", root, env)
    told = json.loads(built.output)
    again = probe("refresh", root, env)
    query = asked("query", root, env, random.Random(1).sample(QUESTIONS, len(QUESTIONS)))
    return {
        "git status, s": round(git, 2),
        "index, s": round(built.seconds, 1),
        "files indexed": told["files"],
        "skipped": told["skipped"],
        "index on disk, MB": round(told["bytes_on_disk"] / 1e6, 1),
        "peak of all processes at indexing, MiB": _mib(built),
        "refresh with nothing changed, ms": json.loads(again.output)["ms"],
        "peak at the refresh, MiB": _mib(again),
        "question, median, ms": query["p50_ms"],
        "question with a look for changes, median, ms": query["p50_ms_with_refresh"],
    }


def _seconds(command: list[str], folder: Path) -> float:
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - began


def _mib(ran: Ran) -> int:
    return round(ran.peak_rss / 2**20)


def main(arguments: list[str] | None = None) -> int:
    """Make, measure, print; 1 where something ignored was indexed, or something else was not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ignored_files", description=__doc__.split("\n\n")[0])
    parser.add_argument("--files", type=int, default=FILES, help=f"ignored files (default: {FILES:,})")
    parser.add_argument("--modules", type=int, default=MODULES, help=f"modules to index (default: {MODULES:,})")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fourfold-ignored-") as folder:
        root = Path(folder) / "code"
        kinds = grow(root, given.files, given.modules)
        committed(root)
        figures = measured(root, Path(folder))
    for name, value in {**kinds, **figures}.items():
        print(f"{name:48} {value:,}" if isinstance(value, (int, float)) else f"{name:48} {value}")
    return int(figures["files indexed"] != kinds["kept"])


if __name__ == "__main__":
    sys.exit(main())
