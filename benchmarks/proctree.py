"""Run a command and watch what all its processes take together."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

POLL_S = 0.02
"""Peaks shorter than this may be missed; polling more often would take a visible share of two cores."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command took: wall seconds, the peak of resident memory summed over its processes, its output.

    Pages that processes share count once for each, so the sum is an upper bound.
    """

    seconds: float
    peak_rss: int
    output: str


def run_watched(command: list[str], *, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ran:
    """Run to the end. Raises RuntimeError with the command's own words where it fails."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        started = time.perf_counter()
        with subprocess.Popen(command, cwd=cwd, env=env, stdout=out, stderr=err) as process:
            peak = 0
            while process.poll() is None:
                peak = max(peak, tree_rss(process.pid))
                time.sleep(POLL_S)
            seconds = time.perf_counter() - started
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {err.read().strip()}")
        return Ran(seconds, peak, out.read())


def tree_rss(pid: int) -> int:
    """Bytes of resident memory of a process and all its descendants right now."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            number = int(entry.name)
            children.setdefault(_parent(number), []).append(number)
    total, pending = 0, [pid]
    while pending:
        current = pending.pop()
        total += _rss(current)
        pending += children.get(current, [])
    return total


def _parent(pid: int) -> int:
    """The parent's id, 0 for a process that is gone. The name in brackets may hold spaces and brackets."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def _rss(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0
