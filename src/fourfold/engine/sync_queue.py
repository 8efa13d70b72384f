"""A queue of syncs: one writer a service, several services at once, tried again where that may help."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fourfold.model.errors import BackendUnavailable, FourfoldError, IndexUnavailable, LockHeld
from fourfold.model.report import Progress

if TYPE_CHECKING:
    from fourfold.engine.service import SyncReport
    from fourfold.engine.workspace import Workspace

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
ENDED = frozenset({DONE, FAILED, CANCELLED})
WORKERS = 2
"""Services synced at once: fetching waits for the network, indexing has processes of its own."""
ATTEMPTS = 3
FIRST_WAIT_S = 5.0
"""Before the second attempt; four times as long before each further one."""
KEPT = 200
"""Jobs that are remembered once they have ended."""


@dataclass(slots=True)
class SyncJob:
    """One sync that was asked for. `reason` says by what (``asked``, ``webhook``, ``registered``); times are seconds
    since the epoch, 0 where it has not come to that."""

    id: int
    service: str
    reason: str = "asked"
    force: bool = False
    state: str = QUEUED
    attempts: int = 0
    queued: float = 0.0
    started: float = 0.0
    ended: float = 0.0
    progress: Progress | None = None
    report: SyncReport | None = None
    error: FourfoldError | None = None
    cancel: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        from dataclasses import asdict

        error = self.error
        return {
            "id": self.id,
            "service": self.service,
            "reason": self.reason,
            "force": self.force,
            "state": self.state,
            "attempts": self.attempts,
            "queued": self.queued,
            "started": self.started,
            "ended": self.ended,
            "progress": asdict(self.progress) if self.progress is not None else None,
            "report": self.report.to_dict() if self.report is not None else None,
            "error": {"code": error.code, "message": error.message, "hint": error.hint} if error is not None else None,
        }


class SyncQueue:
    """Syncs services of a workspace in threads of its own. `after` is called with each job that has ended."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        workers: int = WORKERS,
        first_wait_s: float = FIRST_WAIT_S,
        after: Callable[[SyncJob], None] = lambda job: None,
    ) -> None:
        self.workspace = workspace
        self._first_wait_s = first_wait_s
        self._after = after
        self._condition = threading.Condition()
        self._jobs: list[SyncJob] = []
        self._busy: set[str] = set()
        self._numbers = 0
        self._stopped = threading.Event()
        self._workers = workers
        self._threads: list[threading.Thread] = []

    @property
    def jobs(self) -> list[SyncJob]:
        """Every job that is remembered, the newest first."""
        with self._condition:
            return self._jobs[::-1]

    def job(self, number: int) -> SyncJob | None:
        """The job of that number, None where it is not (or no longer) known."""
        return next((job for job in self.jobs if job.id == number), None)

    def submit(self, service: str, *, force: bool = False, reason: str = "asked") -> tuple[SyncJob, bool]:
        """Queue a sync of a service: (job, whether it is new).

        One that waits already stands for this one too; one that runs does not, since a commit may have come after it
        began to fetch. Raises UsageError for a service that is not there.
        """
        self.workspace.chosen([service])
        with self._condition:
            for job in self._jobs:
                if job.service == service and job.state == QUEUED and not job.attempts:
                    job.force = job.force or force
                    return job, False
            self._numbers += 1
            job = SyncJob(self._numbers, service, reason, force, queued=time.time())
            self._jobs.append(job)
            self._forget()
            if len(self._threads) < self._workers and not self._stopped.is_set():
                thread = threading.Thread(target=self._work, name="fourfold-sync", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._condition.notify_all()
        return job, True

    def cancel(self, job: SyncJob) -> None:
        """Stop a job: one that waits at once, one that runs at its next step; what it has committed stays."""
        job.cancel.set()
        with self._condition:
            if job.state == QUEUED:
                self._end(job, CANCELLED)
            self._condition.notify_all()

    def stop(self, wait_s: float = 10.0) -> None:
        """Cancel everything and wait so long for what runs."""
        self._stopped.set()
        for job in self.jobs:
            if job.state not in ENDED:
                self.cancel(job)
        for thread in self._threads:
            thread.join(wait_s)

    def _forget(self) -> None:
        ended = [job for job in self._jobs if job.state in ENDED]
        for job in ended[: max(0, len(self._jobs) - KEPT)]:
            self._jobs.remove(job)

    def _next(self) -> SyncJob | None:
        """The next job whose service nobody is writing; waits for one. None where the queue is stopped."""
        with self._condition:
            while not self._stopped.is_set():
                for job in self._jobs:
                    if job.state == QUEUED and job.service not in self._busy:
                        job.state, job.started = RUNNING, time.time()
                        self._busy.add(job.service)
                        return job
                self._condition.wait()
        return None

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                self._run(job)
            finally:
                with self._condition:
                    self._busy.discard(job.service)
                    self._condition.notify_all()
            self._after(job)

    def _run(self, job: SyncJob) -> None:
        wait = self._first_wait_s
        while True:
            job.attempts += 1
            try:
                service = self.workspace.chosen([job.service])[0]
                job.report = service.sync(force=job.force, progress=lambda progress: self._tell(job, progress))
                return self._end(job, CANCELLED if job.report.report.interrupted else DONE)
            except KeyboardInterrupt:
                return self._end(job, CANCELLED)
            except (BackendUnavailable, LockHeld) as error:
                job.error = error
                if job.attempts >= ATTEMPTS:
                    return self._end(job, FAILED)
            except FourfoldError as error:
                job.error = error
                return self._end(job, FAILED)
            except Exception as error:
                job.error = IndexUnavailable(f"unexpected {type(error).__name__}")
                return self._end(job, FAILED)
            if job.cancel.wait(wait):
                return self._end(job, CANCELLED)
            wait *= 4

    def _tell(self, job: SyncJob, progress: Progress) -> None:
        job.progress = progress
        if job.cancel.is_set():
            # How the indexer is told to stop and keep what it has: as by Ctrl-C.
            raise KeyboardInterrupt

    def _end(self, job: SyncJob, state: str) -> None:
        job.state, job.ended = state, time.time()
        if state == DONE:
            job.error = None
        job.finished.set()
