"""Running a program that starts others: within a time, and within a number of processes.

git fetches objects that a partial copy lacks by starting itself again. A server that leaves out what it promised can
make that go on without end (seen with git 2.39 and a shallow repository), each turn two processes more.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

MAX_PROCESSES = 40
"""A fetch takes about six."""
LOOK_EVERY_S = 0.5


class TooManyProcessesError(Exception):
    """The program started more processes than it may; all of them were ended."""


def run_bounded(
    arguments: Sequence[str], env: Mapping[str, str], given: bytes, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    """Run a program in a process group of its own, and end the whole group where it goes beyond its bounds.

    Raises subprocess.TimeoutExpired, TooManyProcessesError (where the system tells of processes: Linux), OSError.
    """
    process = subprocess.Popen(
        arguments,
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=os.name == "posix",
    )
    deadline = time.monotonic() + timeout
    rest: bytes | None = given
    try:
        while True:
            try:
                out, err = process.communicate(rest, timeout=max(0.01, min(LOOK_EVERY_S, deadline - time.monotonic())))
                return subprocess.CompletedProcess(list(arguments), process.returncode, out, err)
            except subprocess.TimeoutExpired:
                rest = None  # communicate goes on with what it was given
                if time.monotonic() >= deadline:
                    raise
            if _members(process.pid) > MAX_PROCESSES:
                raise TooManyProcessesError
    except BaseException:
        _end(process)
        raise


def _members(group: int) -> int:
    """How many processes the session `group` has; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    count = 0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # The name in parentheses may hold anything; the fields after it are numbers: state, parent, group, session.
            fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            count += int(fields[3]) == group
        except (OSError, ValueError, IndexError):
            continue
    return count


def _end(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.communicate()
