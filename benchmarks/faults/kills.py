"""kill -9 of a command that writes, at a random moment or a random step, and of the helper under a question.

By the clock a kill falls where the time goes: into parsing, mostly. By steps it falls with equal chance into each
function of the layers that write, and into each call that such a function makes of SQLite and of the system, before or
after it (:mod:`benchmarks.faults.launch`).
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import time
from dataclasses import dataclass, field

from benchmarks.faults.harm import Outcome
from benchmarks.faults.project import QUESTIONS, TIMEOUT_S, Project
from benchmarks.faults.stages import STAGES, Stage

UNDER_HELPER = "answering by the helper"


@dataclass(slots=True)
class Killer:
    """Kills commands of one project. `hit` are the steps at which one was killed, by stage."""

    project: Project
    chance: random.Random
    hit: dict[str, set[str]] = field(default_factory=dict)
    _steps: dict[str, tuple[dict[str, int], float]] = field(default_factory=dict)

    def kill(self, name: str, outcome: Outcome) -> None:
        """One kill of a stage, then the judgement. A command that ended before it counts for nothing."""
        stage = STAGES[name]
        steps, seconds = self._measured(name, stage)
        stage.prepare(self.project, self.chance)
        if stage.endless or self.chance.random() < 0.5:
            what = f"{name}, by the clock"
            hit = self._by_clock(stage, seconds)
        else:
            step = self.chance.choice(sorted(steps))
            what = f"{name}, at {step}"
            hit = self._by_step(stage, step, self.chance.randint(1, steps[step]))
            if hit:
                self.hit.setdefault(name, set()).add(step)
        self.project.restore()
        if hit:
            stage.settle(self.project, outcome, what)

    def _measured(self, name: str, stage: Stage) -> tuple[dict[str, int], float]:
        """How often each step comes in an undisturbed run, and the seconds that it takes."""
        if name not in self._steps:
            if stage.endless:
                self._steps[name] = {}, 3.0
                return self._steps[name]
            stage.prepare(self.project, self.chance)
            report = self.project.folder / "steps.json"
            began = time.monotonic()
            ended = self.project.run(*stage.command, plan={"count": str(report)}, environment=stage.environment)
            assert report.exists(), ended
            self._steps[name] = json.loads(report.read_text()), time.monotonic() - began
            report.unlink()
        return self._steps[name]

    def _by_clock(self, stage: Stage, seconds: float) -> bool:
        process = self.project.start(*stage.command, environment=stage.environment)
        try:
            process.communicate(timeout=self.chance.uniform(0.02, 0.7 * seconds))
            return False
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            return True

    def _by_step(self, stage: Stage, step: str, times: int) -> bool:
        """False where the step did not come that often this time."""
        code, _, _ = self.project.run(*stage.command, plan={"kill": [step, times]}, environment=stage.environment)
        return code == -signal.SIGKILL

    def kill_helper(self, outcome: Outcome) -> None:
        """The helper is killed while it answers: the command answers all the same."""
        self.project.fresh()
        command = ("search", "--json", QUESTIONS[0])
        on = {"FOURFOLD_HELPER_ENABLED": "1", "CI": ""}
        self.project.run(*command, environment=on)
        end = time.monotonic() + TIMEOUT_S
        while (told := self.project.run("helper", "status", "--json", environment=on))[0] != 0:
            assert time.monotonic() < end, told
        number = json.loads(told[1])["helper"]["process"]
        with self.project.start(*command, environment=on) as process:
            time.sleep(self.chance.uniform(0.0, 0.5))
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
            out, err = process.communicate(timeout=TIMEOUT_S)
        places = [f"{item['path']}:{item['start_line']}" for item in json.loads(out)["items"]] if out else []
        same = places and places == [line.split(" ")[0] for line in self.project.answers][: len(places)]
        wrong = "" if process.returncode == 0 and same else f"exit {process.returncode}: {places} {err[-200:]}"
        outcome.count(UNDER_HELPER, wrong)
