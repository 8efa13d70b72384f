"""``python -m benchmarks.faults``: kill, damage and hinder, then ask; a table of what was injected and survived.

Every fault is done to a copy of an index, or while one is made. Survived means: the next command ends with an exit code
of its own, and after it the index answers every question as one does that nothing was done to. The seed is printed:
the same seed does the same faults, save for where exactly a kill hits.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.faults.harm import DAMAGES, HINDRANCES, Outcome
from benchmarks.faults.kills import STAGES, kill_during
from benchmarks.faults.project import Project


def main(arguments: list[str] | None = None) -> int:
    """Run for a time; 1 where a fault was not survived."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=3.0, help="how long to kill; damage comes on top (default: 3)")
    parser.add_argument("--seed", type=int, default=None, help="default: a new one, printed")
    given = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1 << 32) if given.seed is None else given.seed
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        outcomes = run(Project(Path(folder)), random.Random(seed), given.minutes * 60)
    print(f"{'fault':34} {'injected':>8} {'detected':>8} {'survived':>8}")
    for name, found in outcomes.items():
        print(f"{name:34} {found.injected:8} {found.detected:8} {found.survived:8}")
        for line in found.failures[:3]:
            print(f"    {line}")
    return int(any(found.failures for found in outcomes.values()))


def run(project: Project, chance: random.Random, seconds: float) -> dict[str, Outcome]:
    """Every damage and hindrance once, then kills in turn until the time is over."""
    outcomes: dict[str, Outcome] = {}
    for name, fault in (DAMAGES | HINDRANCES).items():
        fault(project, chance, outcomes.setdefault(name, Outcome()))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for stage in STAGES:
            kill_during(project, stage, chance, outcomes.setdefault(f"kill -9 while {stage}", Outcome()))
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
