"""The engine as a server asks it: a few threads, a time-out, an index kept fresh, no path of the machine in answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.interfaces.http.failures import HttpFailure, Scrubber
from fourfold.interfaces.http.jobs import Job, Jobs
from fourfold.interfaces.http.options import MAX_WAITING, QUEUE_S, WORKERS, ServeOptions
from fourfold.interfaces.memory import give_back
from fourfold.model.errors import FourfoldError, IndexUnavailable, TimedOut

if TYPE_CHECKING:
    from fourfold.engine import Index

T = TypeVar("T")
_log = logging.getLogger("fourfold.http")

FRESH_S = 2.0
"""Seconds for which a finished refresh is taken as fresh: as long as the engine trusts its own count of stale files."""
WAIT_S = 1.0
"""Seconds that a question waits for a refresh; a longer one goes on beside it, and the answer says so."""
WORDING = 8
"""Answers that may wait for a language model at the same time."""


class Service:
    """Answers questions about one index."""

    def __init__(self, index: Index, options: ServeOptions) -> None:
        self.index = index
        self.options = options
        self.jobs = Jobs(index, self._warm)
        self.scrub = Scrubber.of(index.root, [index.location])
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="fourfold-ask")
        # One thread ranks: it is Python bound by the processor, so that two take turns at the interpreter's lock and
        # evict each other's caches. `python -m benchmarks.ranking_threads`: questions a second 6.3, 5.8, 4.3 and
        # processor time a question 76, 90, 116 ms with 1, 2, 4 threads, in one run on a busy machine.
        self._ranking = ThreadPoolExecutor(1, thread_name_prefix="fourfold-rank")
        # Who waits for a language model waits apart: it may take a minute, and holds no processor.
        self._wording = ThreadPoolExecutor(WORDING, thread_name_prefix="fourfold-word")
        self._lock = threading.Lock()
        self._waiting = 0
        self._warmed = 0
        self.streams = 0
        self.closing = False

    @property
    def name(self) -> str:
        """What the index is called: the name of its root folder."""
        return self.index.root.name

    @property
    def waiting(self) -> int:
        """Questions that run or wait for a thread."""
        return self._waiting

    def close(self) -> None:
        """End what runs. The index stays open: it belongs to who opened it."""
        self.closing = True
        self.jobs.stop(wait_s=10.0)
        for pool in (self._pool, self._ranking, self._wording):
            pool.shutdown(wait=False, cancel_futures=True)

    async def ask(self, work: Callable[[Index], T], *, ranked: bool = False) -> T:
        """An answer of the engine on a fresh index, its meta telling what was not to be had. `ranked` where it ranks
        (search): such questions are answered one after another."""
        note = await self.freshen()
        try:
            found = await self.run(work, ranked=ranked)
        except IndexUnavailable as error:
            if note:
                raise type(error)("there is no index yet", hint=note) from error
            raise
        return self.said(found, note)

    async def run(self, work: Callable[[Index], T], *, ranked: bool = False, worded: bool = False) -> T:
        """`work` in a thread. Raises TimedOut where it takes too long once begun, and HttpFailure 503 where too many
        wait, or one waited too long. `worded` where it may wait for a language model: it has that one's time, too."""
        with self._lock:
            if self._waiting >= MAX_WAITING:
                raise HttpFailure(503, "too many questions at once", hint="ask again in a moment")
            self._waiting += 1
        loop, begun = asyncio.get_running_loop(), asyncio.Event()

        def begin() -> T:
            loop.call_soon_threadsafe(begun.set)
            return work(self.index)

        future = (self._ranking if ranked else self._wording if worded else self._pool).submit(begin)
        limit = self.options.timeout_s + (self.index.settings.llm.timeout_s if worded else 0.0)
        future.add_done_callback(self._left)
        try:
            await asyncio.wait_for(begun.wait(), QUEUE_S)
        except TimeoutError:
            future.cancel()
            raise HttpFailure(503, "too many questions at once", hint="ask again in a moment") from None
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), limit)
        except TimeoutError:
            raise TimedOut(f"no answer within {limit:g} s", hint="narrow the question by path or language") from None

    async def freshen(self) -> str:
        """Bring the index up to date where that was not just done; returns what is to be said with the answer."""
        if self.options.read_only:
            return ""
        newest = self.jobs.newest
        if newest is None or newest.finished.is_set():
            if self.jobs.age_s < FRESH_S:
                return _why_not(newest)
            newest, _ = self.jobs.start()
        if not await _finished(newest, 0.0 if newest.asked else WAIT_S):
            return "the index is being brought up to date; this is its last finished state"
        return _why_not(newest)

    def _warm(self, generation: int) -> None:
        """Make what the first question about structure would wait for: the graph of a new generation."""
        if generation == self._warmed or self.closing:
            return
        try:
            self.index.overview(refresh=False)
            self._warmed = generation
            give_back()
        except FourfoldError as error:
            _log.info("not warmed up: %s", error.code)

    def _left(self, future: Future[Any]) -> None:
        with self._lock:
            self._waiting -= 1

    def said(self, found: T, note: str) -> T:
        """The answer with `note` and without paths of the machine."""
        meta = getattr(found, "meta", None)
        if meta is None:
            return found
        degraded = "; ".join(text for text in (note, meta.degraded) if text) or None
        meta = replace(
            meta,
            root=".",
            degraded=self.scrub.clean(degraded) if degraded else None,
            stale=meta.stale or bool(note),
        )
        changed: T = replace(found, meta=meta)  # type: ignore[type-var]
        return changed


async def _finished(job: Job, seconds: float) -> bool:
    """Wait for a refresh at most so long; whether it has finished."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
            loop.call_soon_threadsafe(ended.set)

    job.when_finished(tell)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), seconds)
    return job.finished.is_set()


def _why_not(job: Job | None) -> str:
    error: FourfoldError | None = job.error if job is not None else None
    return f"the index was not brought up to date: {error.message}" if error is not None else ""
