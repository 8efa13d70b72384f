"""``python -m benchmarks.concurrency [--minutes 10]``: one index, everybody at once, each answer checked.

An editor changes a git repository of a few hundred files without rest (writes, renames, deletions, commits, switches of
branch), two indexers and a watcher keep the index up to date, eight readers, an MCP server and an HTTP server with a
client each ask. Then the editor rests, and the index must answer as one made from nothing. The rules are those of
:func:`benchmarks.concurrency.judging.judge`.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.concurrency.crowd import Crowd
from benchmarks.concurrency.editing import FILES, Editor
from benchmarks.concurrency.ending import differences
from benchmarks.concurrency.judging import Verdict, judge, read

READERS = (
    *["python"] * 3,
    *["python without a refresh"] * 2,
    "command",
    *["command by the helper"] * 2,
)
SERVERS = ("mcp", "http")
PAUSE_S = 0.4
"""Mean time between two edits."""
SHOWN = 3


def main(arguments: list[str] | None = None) -> int:
    """Run and print; 1 where a rule did not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.concurrency", description=str(__doc__).split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--seed", type=int, default=None, help="default: a new one, printed")
    given = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1 << 32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="ff") as folder:
        verdict, editor, crowd = run(Path(folder), given.minutes * 60, seed, (*READERS, *SERVERS), files=given.files)
    print(f"{given.minutes:g} minutes, {given.files} files, {len(READERS)} readers, 2 indexers, a watcher, MCP, HTTP")
    print("edits: " + ", ".join(f"{number:,} {name}" for name, number in sorted(editor.done.items())))
    print("indexers ended with: " + ", ".join(f"{code} {times:,} times" for code, times in sorted(crowd.codes.items())))
    print("answers: " + ", ".join(f"{number:,} {name}" for name, number in sorted(verdict.answers.items())))
    print(
        f"{sum(verdict.answers.values()):,} answers of {len(verdict.generations):,} generations, {verdict.places:,} "
        f"files shown in them, {verdict.fresh:,} answers said that they were up to date"
    )
    for rule, told in verdict.faults.items():
        print(f"NOT {rule}: {len(told)}")
        for one in told[:SHOWN]:
            print(f"    {one}")
    print("faults: " + str(sum(map(len, verdict.faults.values()))))
    return int(bool(verdict.faults))


def run(
    folder: Path, seconds: float, seed: int, askers: Sequence[str], *, files: int = FILES, indexers: int = 2
) -> tuple[Verdict, Editor, Crowd]:
    """The whole: edit for so long while `askers` ask, then judge. Everything lies in `folder`, the cache too."""
    chance = random.Random(seed)
    os.environ["FOURFOLD_CACHE_DIR"] = str(folder / "cache")
    os.environ["FOURFOLD_HELPER_ENABLED"] = "1"
    editor = Editor(folder / "code", chance, files)
    with Crowd(editor.root, folder, askers, indexers, seed) as crowd:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            editor.step()
            time.sleep(chance.expovariate(1 / PAUSE_S))
    verdict = judge(read(crowd.reports), editor.chronicle)
    for told in crowd.faults:
        verdict.fault("indexing goes on", told)
    for told in differences(editor.root, folder):
        verdict.fault("as an index made from nothing", told)
    return verdict, editor, crowd


if __name__ == "__main__":
    sys.exit(main())
