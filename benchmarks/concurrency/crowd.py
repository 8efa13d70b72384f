"""The processes of a run: indexers, a watcher, and those who ask."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from benchmarks.concurrency.ways import MAIN, TIMEOUT_S

ALLOWED = (0, 4)
"""Exit codes of an indexer: done, or another process writes."""
WAIT_S = "5"
"""How long an indexer waits for another one, so that each has its turn at times."""
FORCED = 0.1
"""Share of the runs of an indexer that read every file again."""


class Crowd:
    """Started by entering, ended by leaving. `reports` are the files of those who ask, `codes` counts how indexers
    ended, `faults` tells of what should not have happened to a process."""

    def __init__(self, root: Path, folder: Path, askers: Sequence[str], indexers: int, seed: int) -> None:
        self._root = root
        self._askers = askers
        self._seed = seed
        self.reports = [folder / f"{number}.jsonl" for number in range(len(askers))]
        self.codes: Counter[int] = Counter()
        self.faults: list[str] = []
        self._stop = threading.Event()
        self._indexers = [threading.Thread(target=self._index, args=(number,)) for number in range(indexers)]
        self._errors = [folder / f"{number}.err" for number in range(len(askers))]
        self._processes: list[subprocess.Popen[str]] = []
        self._watcher: subprocess.Popen[str] | None = None

    def __enter__(self) -> Crowd:
        self._run_index()
        self._watcher = subprocess.Popen(
            [*MAIN, "watch", "--jsonl"], cwd=self._root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
        )
        home = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join(part for part in (home, os.environ.get("PYTHONPATH", "")) if part)
        for number, (kind, report) in enumerate(zip(self._askers, self.reports, strict=True)):
            given = (kind, str(self._root), str(report), str(self._seed + number))
            with self._errors[number].open("w") as errors:
                self._processes.append(
                    subprocess.Popen(
                        [sys.executable, "-m", "benchmarks.concurrency.asking", *given],
                        env=os.environ | {"PYTHONPATH": path},
                        stdin=subprocess.PIPE,
                        stderr=errors,
                        text=True,
                    )
                )
        for thread in self._indexers:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        for thread in self._indexers:
            thread.join()
        for process, name, errors in zip(self._processes, self._askers, self._errors, strict=True):
            self._end(process, name, errors)
        if self._watcher is not None:
            if self._watcher.poll() is not None:
                self.faults.append(f"the watcher ended: {self._watcher.returncode}")
            self._watcher.terminate()
            self._watcher.communicate(timeout=TIMEOUT_S)
        subprocess.run([*MAIN, "helper", "stop"], cwd=self._root, capture_output=True, check=False)

    def _end(self, process: subprocess.Popen[str], name: str, report: Path) -> None:
        """Let one who asks finish its question."""
        try:
            process.communicate("", timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            self.faults.append(f"{name} hangs")
            return
        errors = report.read_text()
        if process.returncode or "Traceback" in errors:
            self.faults.append(f"{name}: exit code {process.returncode}: {errors[-300:]}")

    def _index(self, number: int) -> None:
        """Index again and again, at times with ``--force``."""
        chance = random.Random(self._seed + 1000 + number)
        while not self._stop.wait(chance.uniform(0.0, 2.0)):
            self._run_index(*(["--force"] if chance.random() < FORCED else []))

    def _run_index(self, *options: str) -> None:
        command = [*MAIN, "index", "--wait", WAIT_S, *options]
        try:
            ran = subprocess.run(
                command, cwd=self._root, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
            )
        except subprocess.TimeoutExpired:
            self.faults.append("an indexer hangs")
            return
        self.codes[ran.returncode] += 1
        if ran.returncode not in ALLOWED or "Traceback" in ran.stderr or "damaged" in ran.stderr:
            self.faults.append(f"index: exit code {ran.returncode}: {ran.stderr[-300:]}")
