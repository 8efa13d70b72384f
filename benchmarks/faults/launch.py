"""The program under a fault that only it can meet: ``python -m benchmarks.faults.launch PLAN -- ARGUMENTS``.

`PLAN` is JSON with any of: ``count`` (a file that takes how often each function of store and index was called),
``kill`` ([function, time]: SIGKILL when it is called that often), ``slow`` (seconds that each opening, listing,
renaming and deleting may take more), ``clock`` (seconds by which the clock may jump at each look at it). ``seed`` makes
what is random the same again.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from types import CodeType, FrameType
from typing import Any

LAYERS = (
    "/fourfold/store/",
    "/fourfold/index/",
    "/fourfold/config/places",
    "/fourfold/engine/",
    "/fourfold/source/git",
)
"""Where writing is done, and decided."""
SLOW_EVENTS = ("open", "os.scandir", "os.listdir", "os.rename", "os.remove", "os.mkdir")


class Steps:
    """Counts calls in the layers that write. Calls that those make of C functions (SQLite's, the system's) count as
    steps of their own, before and after: between them lie all writes."""

    def __init__(self, kill: tuple[str, int] | None) -> None:
        self.calls: Counter[str] = Counter()
        self._kill = kill
        self._names: dict[CodeType, str] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """A profile function."""
        if event not in ("call", "c_call", "c_return"):
            return
        name = self._name(frame.f_code)
        if not name:
            return
        if event != "call":
            name = f"{name} {'before' if event == 'c_call' else 'after'} {argument.__name__}"
        self.calls[name] += 1
        if self._kill is not None and (name, self.calls[name]) == self._kill:
            os.kill(os.getpid(), signal.SIGKILL)

    def _name(self, code: CodeType) -> str:
        name = self._names.get(code)
        if name is None:
            _, layer, rest = code.co_filename.replace(os.sep, "/").rpartition("/fourfold/")
            inside = any(part in layer + rest for part in LAYERS)
            name = self._names[code] = f"{rest}:{code.co_qualname}" if inside else ""
        return name


def slow_down(seconds: float, chance: random.Random) -> None:
    """Every access to the file system by Python takes up to so long more."""

    def wait(event: str, _: tuple[Any, ...]) -> None:
        if event in SLOW_EVENTS:
            time.sleep(chance.uniform(0.0, seconds))

    sys.addaudithook(wait)


def shake_clock(seconds: float, chance: random.Random) -> None:
    """The time of day jumps back and forth by up to so much; what only counts on does not."""
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + chance.uniform(-seconds, seconds)
    time.time_ns = lambda: now_ns() + int(chance.uniform(-seconds, seconds) * 1e9)


def main() -> int:
    """Run the program by the plan; its exit code."""
    plan, _, *arguments = sys.argv[1:]
    given = json.loads(plan)
    chance = random.Random(given.get("seed", 0))
    if "slow" in given:
        slow_down(given["slow"], chance)
    if "clock" in given:
        shake_clock(given["clock"], chance)
    steps = Steps(tuple(given["kill"]) if "kill" in given else None)
    sys.argv = ["fourfold", *arguments]
    from fourfold.interfaces.cli.program import run

    if "kill" in given or "count" in given:
        os.register_at_fork(after_in_child=lambda: sys.setprofile(None))
        threading.setprofile(steps)
        sys.setprofile(steps)
    code = run(arguments)
    sys.setprofile(None)
    if "count" in given:
        with open(given["count"], "w", encoding="utf-8") as file:  # noqa: PTH123
            json.dump(steps.calls, file)
    return code


if __name__ == "__main__":
    sys.exit(main())
