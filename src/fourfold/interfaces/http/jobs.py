"""One refresh of the index at a time, in a thread of its own: its progress, its end, its cancelling."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import FourfoldError, IndexUnavailable
from fourfold.model.report import Progress, RefreshReport
from fourfold.model.result import plain

if TYPE_CHECKING:
    from fourfold.engine import Index

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"


@dataclass(frozen=True, slots=True)
class JobState:
    """A moment of a refresh. `state` is running, done, failed or cancelled; `progress` the newest progress; `report` is
    there once it is done, `error` (code, message, hint) where it failed."""

    id: int
    state: str
    asked: bool = False
    progress: Progress | None = None
    report: RefreshReport | None = None
    error: dict[str, str] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        data: dict[str, Any] = plain(asdict(self))
        return data


@dataclass(slots=True)
class Job:
    """One refresh. `asked` where a person asked for it, and not a question that wanted a fresh index."""

    id: int
    asked: bool
    finished: threading.Event = field(default_factory=threading.Event)
    _cancel: threading.Event = field(default_factory=threading.Event)
    _progress: Progress | None = None
    _end: tuple[str, RefreshReport | None, FourfoldError | None] | None = None
    _waiting: list[Callable[[], None]] = field(default_factory=list)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @property
    def state(self) -> JobState:
        """How it stands now."""
        if self._end is None:
            return JobState(self.id, RUNNING, self.asked, self._progress)
        name, report, error = self._end
        said = {"code": error.code, "message": error.message, "hint": error.hint} if error else None
        return JobState(self.id, name, self.asked, self._progress, report, said)

    @property
    def error(self) -> FourfoldError | None:
        """Why it failed, None where it did not."""
        return self._end[2] if self._end else None

    def when_finished(self, tell: Callable[[], None]) -> None:
        """Call `tell` once this has finished: in its thread, or now where it has."""
        with self._guard:
            if not self.finished.is_set():
                self._waiting.append(tell)
                return
        tell()

    def cancel(self) -> None:
        """Stop at the next batch; what is committed stays."""
        self._cancel.set()

    def run(self, index: Index, force: bool) -> None:
        """Refresh, and keep how it ended; raises nothing."""
        try:
            report = index.refresh(force=force, progress=self._tell, wait_s=0.0)
            self._end = (CANCELLED if report.interrupted else DONE, report, None)
        except KeyboardInterrupt:
            self._end = (CANCELLED, None, None)
        except FourfoldError as error:
            self._end = (FAILED, None, error)
        except OSError as error:
            self._end = (FAILED, None, IndexUnavailable((error.strerror or "input or output failed").lower()))
        except Exception as error:
            self._end = (FAILED, None, IndexUnavailable(f"unexpected {type(error).__name__}"))
        finally:
            with self._guard:
                self.finished.set()
            for tell in self._waiting:
                tell()

    def _tell(self, progress: Progress) -> None:
        self._progress = progress
        if self._cancel.is_set():
            # How the indexer is told to stop and keep what it has: as by Ctrl-C.
            raise KeyboardInterrupt


class Jobs:
    """Starts refreshes of one index, at most one at a time."""

    def __init__(self, index: Index, after: Callable[[int], None] = lambda generation: None) -> None:
        """`after` is called with the generation that a refresh ended at, in the refresh's thread."""
        self._index = index
        self._after = after
        self._lock = threading.Lock()
        self._newest: Job | None = None
        self._last_asked: Job | None = None
        self._ended = float("-inf")

    @property
    def newest(self) -> Job | None:
        """The refresh that runs or ran last."""
        return self._newest

    @property
    def shown(self) -> Job | None:
        """The refresh worth showing: the one that runs, else the last that a person asked for."""
        newest = self._newest
        if newest is not None and not newest.finished.is_set():
            return newest
        return self._last_asked

    @property
    def age_s(self) -> float:
        """Seconds since the last refresh ended; infinite before the first."""
        return time.monotonic() - self._ended

    def start(self, *, force: bool = False, asked: bool = False) -> tuple[Job, bool]:
        """A new refresh, or the one that runs already: (job, whether it is new)."""
        with self._lock:
            newest = self._newest
            if newest is not None and not newest.finished.is_set():
                if asked:
                    newest.asked = True
                    self._last_asked = newest
                return newest, False
            job = Job((newest.id if newest else 0) + 1, asked)
            self._newest = job
            if asked:
                self._last_asked = job
        threading.Thread(target=self._run, args=(job, force), name="fourfold-refresh", daemon=True).start()
        return job, True

    def stop(self, wait_s: float) -> None:
        """Cancel what runs and wait for it that long."""
        newest = self._newest
        if newest is not None and not newest.finished.is_set():
            newest.cancel()
            newest.finished.wait(wait_s)

    def _run(self, job: Job, force: bool) -> None:
        try:
            job.run(self._index, force)
        finally:
            self._ended = time.monotonic()
        report = job.state.report
        if report is not None:
            self._after(report.generation)
