"""Workers: child processes that prepare files, so that a crash or a hang costs one file and no more.

Child processes over pipes, not fork (unsafe in threaded servers) and not spawn (re-runs a user's script without a main
guard). One thread per worker feeds it and waits for its replies; results meet in a short queue, which bounds memory.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from fourfold.index.forked import may_fork, prepare_forked
from fourfold.index.frames import receive, send
from fourfold.index.prepare import Preparer
from fourfold.index.task import Prepared, PrepareOptions, Task, skipped_record
from fourfold.index.worker import MEMORY_BYTES, NO_MEMORY
from fourfold.model.errors import BackendUnavailable
from fourfold.source.walk import Skip

BATCH_BYTES = 1_500_000
"""Source bytes prepared and committed together: large enough to share the cost of a commit, small enough to resume."""
FIRST_BATCH_BYTES = 100_000
"""Source bytes of the first batches; each following pair is twice as large. So an early Ctrl-C finds something kept."""
BATCH_FILES = 400
IN_PROCESS_FILES = 200
IN_PROCESS_BYTES = 2_000_000
"""Below both limits workers for each processor would cost more (the start of one takes about 0.4 s) than they save."""
IDLE_SECONDS = 120.0
"""Time that one worker waits for the next small refresh of this process: editing comes in bursts. It holds 0.1 GB."""
QUEUED_RESULTS = 2
TASK_SECONDS = 30.0
"""Time one file may take in a worker, all of it; a batch may take this for each of its files, up to `BATCH_SECONDS`."""
BATCH_SECONDS = 300.0


def batches(tasks: Sequence[Task], first_bytes: int = FIRST_BATCH_BYTES) -> list[list[Task]]:
    """Tasks in order, cut by :data:`BATCH_BYTES` (from `first_bytes` on for the first ones) and :data:`BATCH_FILES`."""
    result: list[list[Task]] = []
    size = limit = 0
    for task in tasks:
        if not result or size + task.found.size > limit or len(result[-1]) >= BATCH_FILES:
            limit = min(BATCH_BYTES, first_bytes << min(len(result) // 2, 10))
            result.append([])
            size = 0
        result[-1].append(task)
        size += task.found.size
    return result


def prepare_all(tasks: Sequence[Task], options: PrepareOptions, workers: int) -> Iterator[tuple[int, Prepared]]:
    """Prepare all tasks; yields (number of tasks done, what came of them) in any order.

    `workers` 0 chooses: a copy of this process (:mod:`fourfold.index.forked`) or one worker that is kept for
    little work, else one a processor. Stages that do not ship run in this process:
    another one need not know them.
    """
    if options.stages:
        yield from _in_process(tasks, options)
        return
    size = sum(task.found.size for task in tasks)
    if workers == 0:
        if not tasks:
            return
        if len(tasks) == 1 or (len(tasks) <= IN_PROCESS_FILES and size <= IN_PROCESS_BYTES):
            yield from _little(tasks, options)
            return
        workers = _processors()
    yield from _Pool(options, workers).run(batches(tasks))


def _processors() -> int:
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return max(1, os.cpu_count() or 1)


def _in_process(tasks: Sequence[Task], options: PrepareOptions) -> Iterator[tuple[int, Prepared]]:
    if tasks:
        preparer = Preparer(options)
        try:
            for batch in batches(tasks):
                yield len(batch), preparer.prepare(batch)
        finally:
            preparer.release()


def _little(tasks: Sequence[Task], options: PrepareOptions) -> Iterator[tuple[int, Prepared]]:
    """Prepare a few files in a copy of this process, and what that one does not survive in a worker.

    A process that comes back with more work has a worker from then on: it stays warm, which a copy does not (280 ms of
    parsing for ten files against 150).
    """
    work = batches(tasks, BATCH_BYTES)  # done within a second or two: each batch costs a commit and a merge
    if not _copied and may_fork(options):
        _copied.append(True)
        preparer = Preparer(options)
        try:
            for prepared in prepare_forked(preparer, list(work), patience):
                yield len(work.pop(0)), prepared
        except OSError:
            pass  # no room for another process like this one: a worker is smaller
        finally:
            preparer.release()
    if work:
        yield from _Pool(options, 1, keep=True).run(work)


def patience(tasks: Sequence[Task]) -> float:
    """Seconds that some files may take together."""
    return min(BATCH_SECONDS, TASK_SECONDS * len(tasks))


class _Worker:
    """One child process, started and ready; BackendUnavailable where it does not start.

    `ask` raises EOFError or BrokenPipeError where it dies, MemoryError where it runs out of that, TimeoutError where it
    hangs."""

    def __init__(self, options: PrepareOptions) -> None:
        home = str(Path(__file__).resolve().parents[2])
        inherited = os.environ.get("PYTHONPATH")
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([home, inherited] if inherited else [home]),
            # One thread each: the processes are the parallelism.
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        try:
            # -P: the working directory may be a repository under search, whose modules must never be imported.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "fourfold.index.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
            )
        except OSError as error:
            raise _not_started(f": {error.strerror}") from None
        self._requests = cast(BinaryIO, self._process.stdin)
        self._replies = cast(BinaryIO, self._process.stdout)
        try:
            send(self._requests, options)
            receive(self._replies)
        except (EOFError, OSError):
            self.stop()
            raise _not_started() from None

    def turn_to(self, options: PrepareOptions) -> None:
        """Prepare by these options from now on."""
        send(self._requests, options)
        receive(self._replies)

    def ask(self, tasks: list[Task]) -> Prepared:
        """Prepare tasks in the child."""
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            self._process.kill()

        timer = threading.Timer(patience(tasks), expire)
        timer.daemon = True
        timer.start()
        try:
            send(self._requests, tasks)
            return cast(Prepared, receive(self._replies))
        except (EOFError, OSError):
            if expired.is_set():
                raise TimeoutError from None
            with contextlib.suppress(subprocess.TimeoutExpired):
                if self._process.wait(1.0) == NO_MEMORY:
                    raise MemoryError from None
            raise
        finally:
            timer.cancel()

    def stop(self) -> None:
        """End the child at once."""
        self._process.kill()
        for stream in (self._requests, self._replies):
            try:
                stream.close()
            except OSError:
                # A request that the dead child never read may still be in the buffer.
                continue
        self._process.wait()


_copied: list[bool] = []
"""Not empty once this process has prepared a few files in a copy of itself."""
_kept: list[tuple[_Worker, threading.Timer]] = []
"""The worker that waits for the next small refresh, and what ends it if none comes: at most one."""
_kept_lock = threading.Lock()


def _take(options: PrepareOptions) -> _Worker:
    """The worker that was kept, else a new one. Raises BackendUnavailable."""
    with _kept_lock:
        waiting = _kept.pop() if _kept else None
    if waiting is not None:
        worker, timer = waiting
        timer.cancel()
        try:
            worker.turn_to(options)
        except (EOFError, OSError):
            worker.stop()
        else:
            return worker
    return _Worker(options)


def _keep(worker: _Worker) -> None:
    """Keep a worker for the next small refresh; one is enough."""
    with _kept_lock:
        if not _kept:
            timer = threading.Timer(IDLE_SECONDS, _let_go, (worker,))
            timer.daemon = True
            _kept.append((worker, timer))
            timer.start()
            return
    worker.stop()


@atexit.register
def _let_go(worker: _Worker | None = None) -> None:
    """End the worker that is kept, if it is this one (None: whichever it is)."""
    with _kept_lock:
        gone = [waiting for waiting in _kept if worker is None or waiting[0] is worker]
        _kept[:] = [waiting for waiting in _kept if waiting not in gone]
    for one, timer in gone:
        timer.cancel()
        one.stop()


def _not_started(why: str = "") -> BackendUnavailable:
    return BackendUnavailable(
        f"the parser process does not start{why}", hint="see what it printed above; run: fourfold doctor"
    )


class _Pool:
    """Feeds batches to workers and replaces workers that die."""

    def __init__(self, options: PrepareOptions, workers: int, *, keep: bool = False) -> None:
        self._keep = keep
        self._options = options
        self._count = workers
        self._results: queue.Queue[tuple[int, Prepared] | BaseException] = queue.Queue(maxsize=QUEUED_RESULTS)
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._workers: set[_Worker] = set()

    def run(self, work: list[list[Task]]) -> Iterator[tuple[int, Prepared]]:
        """Yield results until every task is accounted for; stops the workers when the caller stops."""
        todo: queue.SimpleQueue[list[Task]] = queue.SimpleQueue()
        for batch in work:
            todo.put(batch)
        open_tasks = sum(len(batch) for batch in work)
        threads = [
            threading.Thread(target=self._serve, args=(todo,), daemon=True)
            for _ in range(min(self._count, max(1, len(work))))
        ]
        for thread in threads:
            thread.start()
        try:
            while open_tasks:
                result = self._results.get()
                if isinstance(result, BaseException):
                    raise result
                open_tasks -= result[0]
                yield result
            if self._keep:
                for thread in threads:
                    thread.join()
        finally:
            self._stop()

    def _serve(self, todo: queue.SimpleQueue[list[Task]]) -> None:
        """Body of one thread: ask one worker until nothing is left to do."""
        worker: _Worker | None = None
        try:
            while not self._stopping.is_set():
                try:
                    batch = todo.get_nowait()
                except queue.Empty:
                    return
                # A batch that killed its worker is tried again file by file, to find the one to leave out.
                pending = [batch]
                while pending and not self._stopping.is_set():
                    tasks = pending.pop(0)
                    worker = worker or self._start()
                    try:
                        self._put((len(tasks), worker.ask(tasks)))
                    except (EOFError, OSError, MemoryError) as error:
                        self._discard(worker)
                        worker = None
                        if self._stopping.is_set():
                            return
                        if len(tasks) == 1:
                            self._put((1, _left_out(tasks[0], error)))
                        else:
                            pending.extend([task] for task in tasks)
        except BaseException as error:
            self._put(error)
        finally:
            if worker is not None:
                self._give_back(worker)

    def _give_back(self, worker: _Worker) -> None:
        """A worker whose work is done; one that waits in vain for an answer is among those that `_stop` ends."""
        with self._lock:
            ours = worker in self._workers
            self._workers.discard(worker)
        if self._keep and ours and not self._stopping.is_set():
            _keep(worker)
        else:
            worker.stop()

    def _start(self) -> _Worker:
        worker = _take(self._options) if self._keep else _Worker(self._options)
        with self._lock:
            self._workers.add(worker)
        return worker

    def _discard(self, worker: _Worker) -> None:
        with self._lock:
            self._workers.discard(worker)
        worker.stop()

    def _put(self, result: tuple[int, Prepared] | BaseException) -> None:
        while not self._stopping.is_set():
            try:
                self._results.put(result, timeout=0.2)
                return
            except queue.Full:
                continue

    def _stop(self) -> None:
        self._stopping.set()
        with self._lock:
            workers = list(self._workers)
            self._workers.clear()
        for worker in workers:
            worker.stop()


def _left_out(task: Task, error: Exception) -> Prepared:
    """What a file that killed its worker becomes: a skipped record that says so."""
    found = task.found
    reason, detail = "crashed", "the parser process ended while reading it"
    if isinstance(error, TimeoutError):
        reason, detail = "timed-out", f"took longer than {TASK_SECONDS:.0f} s"
    elif isinstance(error, MemoryError):
        detail = f"the parser process ran out of memory while reading it (it may have {MEMORY_BYTES >> 30} GB)"
    skip = Skip(found.path, reason, detail)
    prepared = Prepared()
    prepared.batch.skipped.append(skipped_record(skip, found))
    return prepared
