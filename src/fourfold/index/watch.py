"""Keeping an index fresh until told to stop: look, refresh, wait, look again.

The tree is looked at by a walk that compares stat values, as each search does: no event queue that can overflow, no
descriptor a folder, nothing that a network file system does not tell. How long to wait follows how long looking takes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fourfold.model.errors import IndexUnavailable, LockHeld, NewerFormat, RootRefused
from fourfold.model.report import Progress, RefreshReport
from fourfold.source.gitdir import find_gitdir

MIN_WAIT_S = 0.5
MAX_WAIT_S = 5.0
WAIT_PER_LOOK = 20.0
"""The wait is this many times what a look took: watching costs at most about 5 % of one processor."""
STEP_S = 0.25
"""How often, while waiting, the parent process is looked for."""
GIT_BUSY_S = 10.0
"""A lock of git's index younger than this means that git is changing the tree now: wait for the end of it. An older
one was left behind."""

STARTED = "started"
REFRESHED = "refreshed"
WAITING = "waiting"
RESUMED = "resumed"
STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """What happened: `kind` is started (the first look is done), refreshed (something had changed), waiting (`reason`
    says for what), resumed (it need not wait any more) or stopped (the parent process has gone)."""

    kind: str
    report: RefreshReport | None = None
    reason: str = ""


def watch(
    root: Path,
    refresh: Callable[[Callable[[Progress], None]], RefreshReport],
    *,
    parent: int | None = None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[WatchEvent]:
    """Refresh whenever the tree at `root` has changed; ends when the process `parent` does, else never.

    `refresh` makes the index equal to the tree and calls what it is given at every step. Raises KeyboardInterrupt on
    Ctrl-C (also where `refresh` has caught it: what is committed stays), and what no waiting mends: RootRefused,
    NewerFormat.
    """
    guard = None if parent is None else _Parent(parent)

    def gone() -> bool:
        return guard is not None and not guard.alive()

    def check(_: Progress) -> None:
        if gone():
            raise _ParentGone

    said, first = "", True
    while not gone():
        began = clock()
        try:
            report, reason = _look(root, refresh, check)
        except _ParentGone:
            break
        took = clock() - began
        if reason:
            if reason != said:
                yield WatchEvent(WAITING, reason=reason)
            said = reason
        if report is not None:
            if said:
                said = ""
                yield WatchEvent(RESUMED)
            if report.interrupted:
                raise KeyboardInterrupt
            if first:
                yield WatchEvent(STARTED, report)
            elif report.added or report.changed or report.removed or report.chunks:
                yield WatchEvent(REFRESHED, report)
            first = False
        _rest(wait_after(took), gone, sleep)
    yield WatchEvent(STOPPED, reason=f"process {parent} has ended")


def wait_after(took: float) -> float:
    """Seconds to wait after a look that took so long."""
    return min(max(took * WAIT_PER_LOOK, MIN_WAIT_S), MAX_WAIT_S)


def _look(
    root: Path,
    refresh: Callable[[Callable[[Progress], None]], RefreshReport],
    check: Callable[[Progress], None],
) -> tuple[RefreshReport | None, str]:
    """(what was done, "") or (None, what to wait for)."""
    if not root.is_dir():
        return None, f"{root} is gone; waiting for it to come back"
    if _git_is_busy(root):
        return None, ""
    try:
        return refresh(check), ""
    except (RootRefused, NewerFormat):
        raise
    except LockHeld as error:
        return None, f"{error.message}; waiting for it to finish"
    except IndexUnavailable as error:
        return None, f"{error.message}; trying again"
    except OSError as error:
        if not root.is_dir():
            return None, f"{root} is gone; waiting for it to come back"
        name = f": {error.filename}" if error.filename else ""
        return None, f"{error.strerror or error}{name}; trying again"


def _git_is_busy(root: Path) -> bool:
    """True while git writes its index, as a checkout does from its beginning to its end."""
    git = find_gitdir(root)
    if git is None:
        return False
    try:
        age = time.time() - os.stat(os.path.join(git.own, "index.lock")).st_mtime  # noqa: PTH116, PTH118
    except OSError:
        return False
    return -1.0 <= age < GIT_BUSY_S


def _rest(seconds: float, gone: Callable[[], bool], sleep: Callable[[float], None]) -> None:
    """Wait, in steps, no longer than the parent lives."""
    while seconds > 0 and not gone():
        sleep(min(seconds, STEP_S))
        seconds -= STEP_S


class _ParentGone(BaseException):
    """Ends a refresh at its next step, as Ctrl-C would; nothing that catches errors may stop it."""


class _Parent:
    """A process that is watched, told from a later one with the same number by when it began."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._ours = os.getppid() == number
        self._began = _began(number)

    def alive(self) -> bool:
        """False once it has ended. Never signals it."""
        if self._ours:
            return os.getppid() == self._number
        if self._began:
            return _began(self._number) == self._began
        return _exists(self._number)


def _began(number: int) -> str:
    """When a process began, in the kernel's ticks, or "" where that is not told (or it is gone, or a zombie)."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return fields[19] if len(fields) > 19 and fields[0] not in ("Z", "X") else ""


if sys.platform == "win32":
    import ctypes

    def _exists(number: int) -> bool:
        handle = ctypes.windll.kernel32.OpenProcess(0x00100000, False, number)  # SYNCHRONIZE
        if not handle:
            return False
        running: bool = ctypes.windll.kernel32.WaitForSingleObject(handle, 0) == 0x102  # WAIT_TIMEOUT
        ctypes.windll.kernel32.CloseHandle(handle)
        return running

else:

    def _exists(number: int) -> bool:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return False
        except PermissionError:  # somebody else's
            return True
        return True
