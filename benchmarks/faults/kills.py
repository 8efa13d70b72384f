"""kill -9 at a random moment of a command that writes, workers and copies of it included."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess

from benchmarks.faults.harm import Outcome
from benchmarks.faults.project import FILES, Project, module

STAGES: dict[str, tuple[str, ...]] = {
    "indexing": ("index",),
    "indexing with workers": ("index",),
    "merging": ("index",),
    "rebuilding": ("index", "--force"),
    "clearing": ("clear",),
}
"""What is killed, and the command that does it."""
LONGEST_S = {"indexing": 3.0, "indexing with workers": 4.0, "merging": 2.0, "rebuilding": 3.0, "clearing": 0.6}
"""The kill falls anywhere up to here; a command that has ended before counts as not injected."""


def kill_during(project: Project, stage: str, chance: random.Random, outcome: Outcome) -> None:
    """One kill, then the judgement."""
    project.fresh()
    if stage.startswith("indexing"):
        project.run(
            "clear",
        )
    changed = chance.sample(range(FILES), 20) if stage == "merging" else []
    for number in changed:
        (project.root / f"m{number}.py").write_text(module(number + FILES))
    command = STAGES[stage]
    if "workers" in stage:
        os.environ["FOURFOLD_INDEX_WORKERS"] = "2"
    process = project.start(*command)
    try:
        process.communicate(timeout=chance.uniform(0.02, LONGEST_S[stage]))
        hit = False
    except subprocess.TimeoutExpired:
        hit = True
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    os.environ.pop("FOURFOLD_INDEX_WORKERS", None)
    for number in changed:
        (project.root / f"m{number}.py").write_text(module(number))
    if hit:
        outcome.judge(project, stage, detected=False)
