"""Keeping one index up to date beside the questions: one thread, and a ticket for everybody who waits."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from fourfold.model.errors import FourfoldError
from fourfold.model.report import Progress, RefreshReport

logger = logging.getLogger("fourfold.mcp")

POLL_S = 0.05
"""How often somebody who waits looks whether the caller has gone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How waiting for a refresh ended: `running` says how far it is where it has not, `error` why it failed."""

    running: Progress | None = None
    error: Exception | None = None


class Refresher:
    """Runs refreshes in a thread of its own, one at a time.

    Who asks gets one that began after the asking, so that every edit made before is seen; all who ask meanwhile share
    the next one.
    """

    def __init__(self, run: Callable[[Callable[[Progress], None]], RefreshReport]) -> None:
        self._run = run
        self._condition = threading.Condition()
        self._wanted = self._started = self._finished = 0
        self._error: Exception | None = None
        self._thread: threading.Thread | None = None
        self._stopped = False
        self.progress: Progress | None = None

    @property
    def busy(self) -> bool:
        """True while a refresh runs or waits to run."""
        return self._wanted > self._finished

    def request(self) -> int:
        """Ask for a refresh that begins from now on; returns its ticket."""
        with self._condition:
            ticket = self._started + 1
            self._wanted = max(self._wanted, ticket)
            if self._thread is None and not self._stopped:
                self._thread = threading.Thread(target=self._work, name="fourfold-refresh", daemon=True)
                self._thread.start()
            self._condition.notify_all()
        return ticket

    def wait(self, ticket: int, seconds: float, cancelled: threading.Event) -> Outcome:
        """Wait until the refresh of a ticket is done, or so long, or until the caller has gone."""
        deadline = time.monotonic() + seconds
        with self._condition:
            while self._finished < ticket and not cancelled.is_set() and not self._stopped:
                left = deadline - time.monotonic()
                if left <= 0:
                    return Outcome(running=self.progress or Progress("scan", 0, 0))
                self._condition.wait(min(left, POLL_S))
            return Outcome(error=self._error)

    def stop(self, seconds: float = 2.0) -> None:
        """End a running refresh at its next step; what it has committed stays."""
        with self._condition:
            self._stopped = True
            thread = self._thread
            self._condition.notify_all()
        if thread is not None:
            thread.join(seconds)

    def _work(self) -> None:
        while True:
            with self._condition:
                if self._stopped or self._wanted <= self._started:
                    self._thread = None
                    return
                self._started += 1
                now = self._started
            error = self._once()
            with self._condition:
                self._finished, self._error, self.progress = now, error, None
                self._condition.notify_all()

    def _once(self) -> Exception | None:
        try:
            self._run(self._note)
        except Exception as error:
            logger.warning("a refresh failed: %s", error, exc_info=not isinstance(error, FourfoldError))
            return error
        except KeyboardInterrupt:
            return None
        return None

    def _note(self, progress: Progress) -> None:
        self.progress = progress
        if self._stopped:
            raise KeyboardInterrupt
