"""How cost grows with the code: ``python -m benchmarks.growth --sources DIR[,DIR ...]``.

Trees of 10,000, 100,000, 500,000, 2 million and 10 million lines are put together from whole packages of the sources
(their sub-folders, in an order drawn by a fixed seed; the last one is cut), each is indexed from nothing by a process
of its own, refreshed with nothing changed, and asked the same 50 questions. Prints a table and how each figure grows
(the slope of a straight line through its logarithms: 1 is linear); writes ``benchmarks/results/growth.json`` and
``docs/images/growth.svg``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.dataset import HERE
from benchmarks.http_load import QUESTIONS
from benchmarks.loglog import Panel, figure
from benchmarks.machine import circumstances
from benchmarks.speed import asked, environment, probe
from benchmarks.tables import table

SIZES = (10_000, 100_000, 500_000, 2_000_000, 10_000_000)
SEED = 11
ASKED = 150
"""A third is asked alone, a third with the check for changes, the last third warms the process up."""
PLOT = HERE.parent / "docs" / "images" / "growth.svg"
SUFFIXES = frozenset(
    ".py .pyi .js .jsx .ts .tsx .mjs .cjs .go .rs .java .kt .scala .rb .php .c .h .cc .cpp .hpp .cs .swift .dart .lua "
    ".ex .exs .hs .zig .sh .sql .md .rst .toml .yaml .yml .json .html .css .vue .svelte".split()
)
MAX_FILE_BYTES = 400_000
"""Larger ones are data more often than code."""
COLUMNS = (
    ("lines", "lines", "{:,}"),
    ("files", "files", "{:,}"),
    ("chunks", "chunks", "{:,}"),
    ("wall_s", "index, s", "{:.1f}"),
    ("cpu_s", "index, CPU s", "{:.1f}"),
    ("peak_rss_mib", "peak of all processes, MiB", "{:,}"),
    ("disk_mb", "on disk, MB", "{:,.1f}"),
    ("disk_share", "on disk / source", "{:.2f}"),
    ("refresh_ms", "refresh, nothing changed, ms", "{:,.0f}"),
    ("p50_ms", "query p50, ms", "{:.1f}"),
    ("p95_ms", "query p95, ms", "{:.1f}"),
)


def packages(sources: Sequence[Path]) -> list[Path]:
    """The sub-folders of the sources, in an order that does not depend on the machine."""
    found = sorted(
        (path for source in sources for path in source.iterdir() if path.is_dir()), key=lambda path: path.name
    )
    random.Random(SEED).shuffle(found)
    return found


def files_of(package: Path) -> Iterator[tuple[Path, int]]:
    """(file, lines) of the source files of a package, in order of their paths."""
    for folder, names, files in os.walk(package):
        names[:] = sorted(name for name in names if name not in ("node_modules", ".git"))
        for name in sorted(files):
            path = Path(folder) / name
            if path.suffix in SUFFIXES and not path.is_symlink() and path.stat().st_size <= MAX_FILE_BYTES:
                yield path, path.read_bytes().count(b"\n")


def grown(sources: Sequence[Path], root: Path, lines: int) -> Iterator[int]:
    """Copy packages below `root` until there are at least so many lines; says how many there are, again and again.
    Raises ValueError where the sources have fewer."""
    total = 0
    for number, package in enumerate(packages(sources)):
        for path, count in files_of(package):
            target = root / f"{number:03}-{package.name}" / path.relative_to(package)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            total += count
            if total >= lines:
                yield total
                return
        yield total
    raise ValueError(f"the sources have {total:,} lines of {lines:,}: name more folders of packages")


def measure(sources: Sequence[Path], lines: int, scratch: Path) -> dict[str, Any]:
    """Everything about one size."""
    root = scratch / "code"
    for _ in grown(sources, root, lines):
        pass
    env = environment(scratch)
    before = _children_cpu()
    built = probe("index", root, env)
    cpu = _children_cpu() - before
    size = json.loads(built.output)
    refresh = json.loads(probe("refresh", root, env).output)
    query = asked("query", root, env, random.Random(SEED).sample(QUESTIONS, ASKED))
    source = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    return {
        **{name: size[name] for name in ("lines", "files", "chunks")},
        "wall_s": round(built.seconds, 2),
        "cpu_s": round(cpu, 2),
        "peak_rss_mib": round(built.peak_rss / 2**20),
        "disk_mb": round(size["bytes_on_disk"] / 1e6, 2),
        "disk_share": round(size["bytes_on_disk"] / source, 3),
        "refresh_ms": refresh["ms"],
        "p50_ms": query["p50_ms"],
        "p95_ms": query["p95_ms"],
    }


def slope(records: Sequence[dict[str, Any]], name: str) -> float:
    """How a figure grows with the lines: the slope of the least-squares line through the logarithms."""
    xs = [math.log(record["lines"]) for record in records]
    ys = [math.log(max(record[name], 1e-9)) for record in records]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle_x) ** 2 for x in xs)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0


def as_table(records: Sequence[dict[str, Any]]) -> str:
    """One row a figure, one column a size, and the slope."""
    rows = []
    for name, label, form in COLUMNS:
        grows = f"{slope(records, name):.2f}" if len(records) > 1 and name != "lines" else ""
        rows.append([label, *(form.format(record[name]) for record in records), grows])
    return table(["", *("" for _ in records), "slope"], rows)


def plot(records: Sequence[dict[str, Any]]) -> str:
    """Time, size and memory over the number of lines, as SVG."""
    lines = [record["lines"] for record in records]

    def over(*names: tuple[str, str]) -> dict[str, list[tuple[float, float]]]:
        return {label: list(zip(lines, [record[name] for record in records], strict=True)) for name, label in names}

    return figure(
        [
            Panel("index from nothing, s", over(("wall_s", "wall"), ("cpu_s", "CPU"))),
            Panel("disk and memory, MB", over(("disk_mb", "disk"), ("peak_rss_mib", "peak"))),
            Panel("a question, ms", over(("p50_ms", "p50"), ("p95_ms", "p95"))),
        ],
        x_name="lines of code",
    )


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--sources", required=True, help="comma list of folders whose sub-folders are packages")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="comma list of numbers of lines")
    parser.add_argument("--scratch", type=Path, help="where the trees are put together (10 GB for ten million lines)")
    parser.add_argument("--no-save", action="store_true", help="print only")
    options = parser.parse_args(arguments)
    sources = [Path(name).resolve() for name in options.sources.split(",")]
    records = []
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory(prefix="fourfold-growth-", dir=options.scratch) as scratch:
            records.append(measure(sources, size, Path(scratch).resolve()))
        print(json.dumps(records[-1]), file=sys.stderr)
    print(as_table(records))
    if not options.no_save:
        content = {**circumstances("python -m benchmarks.growth --sources DIR"), "records": records}
        (HERE / "results" / "growth.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        PLOT.write_text(plot(records), encoding="utf-8")


if __name__ == "__main__":
    main()
