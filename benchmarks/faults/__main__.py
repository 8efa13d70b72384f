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
from collections.abc import Mapping
from pathlib import Path

from benchmarks.faults.harm import DAMAGES, Fault, Outcome
from benchmarks.faults.hindrances import HINDRANCES
from benchmarks.faults.kills import UNDER_HELPER, Killer
from benchmarks.faults.project import Project
from benchmarks.faults.stages import STAGES

KILL = "kill -9 while "


def main(arguments: list[str] | None = None) -> int:
    """Run for a time; 1 where a fault was not survived."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=3.0, help="how long to kill; damage comes on top (default: 3)")
    parser.add_argument("--kills-only", action="store_true", help="no damage and no hindrances")
    parser.add_argument("--seed", type=int, default=None, help="default: a new one, printed")
    given = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1 << 32) if given.seed is None else given.seed
    print(f"seed {seed}")
    faults = {} if given.kills_only else DAMAGES | HINDRANCES
    with tempfile.TemporaryDirectory(prefix="ff") as folder:
        outcomes, killer = run(Project(Path(folder)), random.Random(seed), given.minutes * 60, faults)
    print(f"{'fault':42} {'injected':>8} {'detected':>8} {'survived':>8} {'steps':>6}")
    for name, found in outcomes.items():
        steps = killer.hit.get(name.removeprefix(KILL), set())
        print(f"{name:42} {found.injected:8} {found.detected:8} {found.survived:8} {len(steps) or '':>6}")
        for line in found.failures[:3]:
            print(f"    {line}")
    kills = [found for name, found in outcomes.items() if name.startswith(KILL)]
    print(f"kills: {sum(one.injected for one in kills)}, survived: {sum(one.survived for one in kills)}", end="")
    print(f", at {len(set().union(*killer.hit.values()))} different steps and by the clock")
    return int(any(found.failures for found in outcomes.values()))


def run(
    project: Project, chance: random.Random, seconds: float, faults: Mapping[str, Fault]
) -> tuple[dict[str, Outcome], Killer]:
    """Each of the faults once, then kills of each stage in turn until the time is over."""
    outcomes: dict[str, Outcome] = {}
    killer = Killer(project, chance)
    for name, fault in faults.items():
        fault(project, chance, outcomes.setdefault(name, Outcome()))
        print(f"    {name}: done", file=sys.stderr, flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for stage in STAGES:
            killer.kill(stage, outcomes.setdefault(f"{KILL}{stage}", Outcome()))
        killer.kill_helper(outcomes.setdefault(f"{KILL}{UNDER_HELPER}", Outcome()))
        print(f"    {sum(one.injected for one in outcomes.values())} faults", file=sys.stderr, flush=True)
    return outcomes, killer


if __name__ == "__main__":
    sys.exit(main())
