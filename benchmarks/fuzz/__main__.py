"""``python -m benchmarks.fuzz [--minutes N] [TARGET ...]``: made-up inputs, and a count of what did not hold.

Hypothesis makes the inputs and makes those smaller that fail; the seed of each round is printed with its finding. A
finding becomes a case of ``tests/fuzz/test_findings.py`` when it is mended.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from benchmarks.fuzz.targets import TARGETS, Target, timely

EXAMPLES = 200
"""Inputs of a round, which has a seed of its own."""


def main(arguments: list[str] | None = None) -> int:
    """Fuzz each target for its share of the time; 1 where there are findings."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=str(__doc__).split("\n\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--minutes", type=float, default=5.0, help="processor minutes for each target (default: 5)")
    parser.add_argument("--seed", type=int, default=None, help="of the first round; the next ones count on from it")
    given_ = parser.parse_args(arguments)
    if unknown := set(given_.targets) - set(TARGETS):
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    first = random.SystemRandom().randrange(1 << 32) if given_.seed is None else given_.seed
    findings = 0
    print(f"seed {first}\n{'target':10} {'inputs':>9} {'CPU s':>7} {'findings':>8}")
    for name in given_.targets or TARGETS:
        began = time.process_time()
        inputs, finding = fuzz(TARGETS[name], given_.minutes * 60, first)
        findings += bool(finding)
        print(f"{name:10} {inputs:9,} {time.process_time() - began:7.1f} {int(bool(finding)):8}")
        if finding:
            print(f"    {finding}")
    return int(findings > 0)


def fuzz(target: Target, seconds: float, first: int) -> tuple[int, str]:
    """Rounds until `seconds` of processor time are over or something is found: (inputs tried, the finding or "")."""
    end = time.process_time() + seconds
    check = timely(target.check)
    tried, number = 0, first
    last: Any = None

    @given(target.inputs)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    def one(value: Any) -> None:
        nonlocal tried, last
        tried += 1
        last = value
        check(value)

    while True:
        try:
            seeded(number)(one)()
        except Exception as error:
            return tried, f"seed {number}: {type(error).__name__}: {str(error)[:300]} for {last!r}"
        number += 1
        if time.process_time() >= end:
            return tried, ""


if __name__ == "__main__":
    sys.exit(main())
