"""One measurement inside a fresh process: ``python -m benchmarks.probe index|refresh|edit|query ROOT [FILES]``.

Prints one JSON object. Called by benchmarks/speed.py, so that each measurement has its own interpreter and memory.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fourfold import Index

REPEATS = 5
FEW_FILES = 100
"""Up to so many edited files several rounds are run, and the median counts; of more, one after another."""


def probe_index(index: Index) -> dict[str, Any]:
    """Build the index and say how large it is."""
    report = index.refresh()
    status = index.status()
    return {
        "files": status.files,
        "lines": status.lines,
        "chunks": status.chunks,
        "bytes_on_disk": status.bytes_on_disk,
        "seconds_in_process": report.seconds,
        "skipped": status.skipped,
    }


def probe_refresh(index: Index) -> dict[str, Any]:
    """Milliseconds of a refresh that finds nothing changed."""
    index.refresh()
    return {"ms": _median_ms([index.refresh] * REPEATS)}


def probe_edit(index: Index, count: int) -> dict[str, Any]:
    """Milliseconds of a refresh after `count` files each got one more line: the median of several rounds, and of the
    first, which loads what reading needs."""
    index.refresh()
    times = []
    for _ in range(REPEATS if count <= FEW_FILES else 2):
        edited = edit_files(index, count)
        started = time.perf_counter()
        report = index.refresh()
        times.append((time.perf_counter() - started) * 1000)
        if report.changed != len(edited):
            raise RuntimeError(f"{len(edited)} files were edited, the refresh saw {report.changed}")
    return {"ms": round(statistics.median(times), 2), "first_ms": round(times[0], 2), "files": len(edited)}


def probe_query(index: Index) -> dict[str, Any]:
    """Milliseconds of queries read from standard input (a JSON list), without and with the freshness check.

    A third of them for each, in a process that has answered the last third: no question is asked twice.
    """
    asked: list[str] = json.load(sys.stdin)
    third = len(asked) // 3
    questions, checked, others = asked[:third], asked[third : 2 * third], asked[2 * third :]
    index.refresh()
    for question in others:
        index.search(question, refresh=False)
    alone = [_ms(lambda q=q: index.search(q, refresh=False)) for q in questions]
    fresh = [_ms(lambda q=q: index.search(q)) for q in checked]
    return {
        "questions": len(questions),
        "p50_ms": percentile(alone, 50),
        "p95_ms": percentile(alone, 95),
        "p50_ms_with_refresh": percentile(fresh, 50),
        "p95_ms_with_refresh": percentile(fresh, 95),
    }


PROBES: dict[str, Callable[[Index], dict[str, Any]]] = {
    "index": probe_index,
    "refresh": probe_refresh,
    "query": probe_query,
}


def edit_files(index: Index, count: int) -> list[Path]:
    """Append a comment to `count` indexed Python files spread evenly over the tree; each call changes them again."""
    files = sorted(path for path in index.root.rglob("*.py") if path.stat().st_size > 200)
    files = [path for path in files if index.status_of(path).status == "indexed"]  # minified ones are not read
    chosen = files[:: max(1, len(files) // count)][:count]
    for path in chosen:
        with path.open("a", encoding="utf-8") as out:
            out.write(f"\n# edited {time.time_ns()}\n")
    return chosen


def percentile(values: list[float], percent: int) -> float:
    """The nearest-rank percentile, rounded to a hundredth."""
    ordered = sorted(values)
    rank = max(1, -(-len(ordered) * percent // 100))
    return round(ordered[rank - 1], 2)


def _ms(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def _median_ms(calls: list[Callable[[], object]]) -> float:
    return round(statistics.median(_ms(call) for call in calls), 2)


def main() -> None:
    """The command."""
    name, root = sys.argv[1], Path(sys.argv[2])
    from fourfold import Index

    with Index.open(root, root=root) as index:
        print(json.dumps(probe_edit(index, int(sys.argv[3])) if name == "edit" else PROBES[name](index)))


if __name__ == "__main__":
    main()
