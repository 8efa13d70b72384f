"""Worker processes: what a file that kills or hangs one costs, and that none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourfold.index import forked, pool, stages
from fourfold.index.pool import BATCH_BYTES, batches, prepare_all
from fourfold.index.task import Prepared, PrepareOptions, Task
from fourfold.model.errors import BackendUnavailable
from fourfold.source.tree import DiskTree
from fourfold.source.walk import Found, WalkOptions, walk

PYTHON = sys.executable
STUB = """#!{python}
# Stands for a worker on which some files have an effect that no file should have.
import os, sys, time
from fourfold.index.frames import receive, send
from fourfold.index.prepare import Preparer

preparer = Preparer(receive(sys.stdin.buffer))
send(sys.stdout.buffer, "ready")
while True:
    try:
        tasks = receive(sys.stdin.buffer)
    except EOFError:
        sys.exit(0)
    names = [task.found.path for task in tasks]
    if any("killer" in name for name in names):
        os._exit(9)
    if any("sleeper" in name for name in names):
        time.sleep(60)
    send(sys.stdout.buffer, preparer.prepare(tasks))
"""


def task(path: str, size: int = 10) -> Task:
    return Task(Found(path, size, 1, 1, 1))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    for number in range(6):
        (root / f"m{number}.py").write_text(f"def needle_{number}(value):\n    return value + {number}\n")
    return root


def tasks_of(root: Path) -> list[Task]:
    return [Task(found) for found in walk(root).found]


def options(root: Path) -> PrepareOptions:
    return PrepareOptions(root, WalkOptions(), model="hash")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Every worker process that is started."""
    found: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def start(*given: Any, **named: Any) -> subprocess.Popen[bytes]:
        found.append(real(*given, **named))
        return found[-1]

    monkeypatch.setattr(pool.subprocess, "Popen", start)
    return found


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]) -> Path:
    """A script in the place of the interpreter that runs workers."""
    script = tmp_path / "interpreter"
    script.write_text(STUB.format(python=sys.executable))
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    return script


def outcome(results: list[tuple[int, Prepared]]) -> tuple[int, list[str], dict[str, str]]:
    """Tasks accounted for, paths indexed, paths skipped with the reason."""
    files = sorted(file.record.path for _, prepared in results for file in prepared.batch.files)
    skipped = {record.path: record.reason for _, prepared in results for record in prepared.batch.skipped}
    return sum(done for done, _ in results), files, skipped


def ended(processes: list[subprocess.Popen[bytes]]) -> bool:
    """True once all of them are gone; TimeoutExpired where one stays."""
    return all(process.wait(10) is not None for process in processes)


def test_batches_keep_the_order_and_their_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "BATCH_BYTES", 100)
    monkeypatch.setattr(pool, "FIRST_BATCH_BYTES", 100)
    monkeypatch.setattr(pool, "BATCH_FILES", 3)
    sizes = [60, 40, 1, 250, 5, 5, 5, 5, 99]
    cut = batches([task(f"{number}", size) for number, size in enumerate(sizes)])
    assert [[one.found.size for one in batch] for batch in cut] == [[60, 40], [1], [250], [5, 5, 5], [5], [99]]
    assert [one.found.path for batch in cut for one in batch] == [str(number) for number in range(len(sizes))]
    assert batches([]) == []


def test_the_first_batches_are_small_so_that_an_early_end_keeps_something() -> None:
    cut = batches([task(f"{number}", 50_000) for number in range(200)])
    sizes = [sum(one.found.size for one in batch) for batch in cut]
    assert sizes[:6] == [100_000, 100_000, 200_000, 200_000, 400_000, 400_000]
    assert max(sizes) == BATCH_BYTES
    assert sum(sizes) == 200 * 50_000


@pytest.fixture(params=["forked", "kept"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Both ways to prepare a few files."""
    monkeypatch.setattr(pool, "may_fork", lambda options: request.param == "forked")
    monkeypatch.setattr(pool, "_copied", [])
    pool._let_go()
    yield str(request.param)
    pool._let_go()


def test_little_work_starts_one_process_at_most(
    tree: Path, started: list[subprocess.Popen[bytes]], way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "BATCH_FILES", 4)
    for round_ in range(3):
        results = list(prepare_all(tasks_of(tree), options(tree), 0))
        assert outcome(results) == (6, [f"m{number}.py" for number in range(6)], {})
        assert [done for done, _ in results] == [4, 2]
        assert len(started) == (way == "kept" or round_ > 0)  # who comes back gets a worker, which is kept
    assert list(prepare_all([], options(tree), 0)) == []
    pool._let_go()
    assert ended(started)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a copy of the process needs fork")
def test_a_grammar_that_crashes_in_a_small_refresh_costs_one_file(
    tree: Path, way: str, stub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy dies of it, the worker that takes over as well; this process does not."""
    (tree / "killer.py").write_text("x = 1\n")
    original, real = os.getpid(), stages.parse_file

    def parse(path: str, *given: Any, **named: Any) -> Any:
        assert os.getpid() != original, "parsed where a crash would end the command"
        if "killer" in path:
            os.kill(os.getpid(), signal.SIGSEGV)
        return real(path, *given, **named)

    monkeypatch.setattr(stages, "parse_file", parse)
    results = list(prepare_all(tasks_of(tree), options(tree), 0))
    assert outcome(results) == (7, [f"m{number}.py" for number in range(6)], {"killer.py": "crashed"})


def test_a_copy_that_hangs_is_ended(tree: Path, stub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "may_fork", lambda options: True)
    monkeypatch.setattr(pool, "_copied", [])
    monkeypatch.setattr(pool, "TASK_SECONDS", 0.2)
    monkeypatch.setattr(stages, "parse_file", lambda *given, **named: time.sleep(60))
    (only,) = [one for one in tasks_of(tree) if "m0" in one.found.path]
    results = prepare_all([only], options(tree), 0)
    monkeypatch.setattr(pool, "_Pool", lambda *given, **named: Elsewhere())
    assert list(results) == [(1, Prepared())]


class Elsewhere:
    """Takes the place of the workers."""

    def run(self, work: list[list[Task]]) -> Iterator[tuple[int, Prepared]]:
        yield from ((len(batch), Prepared()) for batch in work)


def test_a_kept_worker_that_died_meanwhile_is_replaced(
    tree: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "may_fork", lambda options: False)
    pool._let_go()
    for _ in range(2):
        assert outcome(list(prepare_all(tasks_of(tree), options(tree), 0)))[0] == 6
        started[-1].kill()
        started[-1].wait()
    assert len(started) == 2
    pool._let_go()


def test_who_may_be_copied(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = tree / "threads"
    (threads / "1").mkdir(parents=True)
    monkeypatch.setattr(forked, "_THREADS", threads)
    assert forked.may_fork(options(tree)) == (sys.platform == "linux")
    assert forked.may_fork(replace(options(tree), root=DiskTree(tree))) == (sys.platform == "linux")
    assert not forked.may_fork(replace(options(tree), parsed=tree / "parsed"))
    (threads / "2").mkdir()
    assert not forked.may_fork(options(tree))
    monkeypatch.setattr(forked, "_THREADS", tree / "no such system")
    assert not forked.may_fork(options(tree))


def test_workers_give_what_this_process_gives(
    tree: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "BATCH_FILES", 3)
    here = list(pool._in_process(tasks_of(tree), options(tree)))
    there = list(prepare_all(tasks_of(tree), options(tree), 1))
    assert len(started) == 1
    assert [done for done, _ in there] == [3, 3]
    for (_, one), (_, other) in zip(here, there, strict=True):
        assert one.batch.files == other.batch.files
        assert one.batch.arrays.keys() == other.batch.arrays.keys()
        for name, array in one.batch.arrays.items():
            assert array.dtype == other.batch.arrays[name].dtype
            assert np.array_equal(array, other.batch.arrays[name]), name
    assert ended(started)


def test_a_worker_that_dies_costs_one_file(tree: Path, stub: Path, started: list[subprocess.Popen[bytes]]) -> None:
    (tree / "killer.py").write_text("x = 1\n")
    results = list(prepare_all(tasks_of(tree), options(tree), 1))
    assert outcome(results) == (7, [f"m{number}.py" for number in range(6)], {"killer.py": "crashed"})
    (record,) = [record for _, prepared in results for record in prepared.batch.skipped]
    assert record.size == 6
    assert "ended while reading it" in record.detail
    assert ended(started)


HUNGRY = """#!{python}
# A worker that may have less memory than others, and a file that wants more: for real.
import sys
from fourfold.index import stages, worker

real = stages.parse_file
def parse_file(path, *given, **named):
    if "hungry" in path:
        held = [bytearray(1 << 20) for _ in range(1 << 14)]
    return real(path, *given, **named)

stages.parse_file = parse_file
worker.MEMORY_BYTES = 1 << 30
sys.exit(worker.main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
def test_a_file_that_needs_more_memory_than_a_worker_has_is_left_out_and_named(
    tree: Path, stub: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    stub.write_text(HUNGRY.format(python=PYTHON))
    (tree / "hungry.py").write_text("x = 1\n")
    results = list(prepare_all(tasks_of(tree), options(tree), 1))
    assert outcome(results) == (7, [f"m{number}.py" for number in range(6)], {"hungry.py": "crashed"})
    (record,) = [record for _, prepared in results for record in prepared.batch.skipped]
    assert "ran out of memory" in record.detail
    assert ended(started)


def test_a_worker_that_hangs_costs_one_file(tree: Path, stub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "TASK_SECONDS", 0.5)
    (tree / "sleeper.py").write_text("x = 1\n")
    results = list(prepare_all([one for one in tasks_of(tree) if "sleeper" in one.found.path], options(tree), 1))
    assert outcome(results) == (1, [], {"sleeper.py": "timed-out"})


@pytest.mark.parametrize("script", ["exit 3", "true", "echo no frame at all"])
def test_a_worker_that_cannot_start_is_one_clear_error(tree: Path, stub: Path, script: str) -> None:
    stub.write_text(f"#!/bin/sh\n{script}\n")
    with pytest.raises(BackendUnavailable, match="does not start") as caught:
        list(prepare_all(tasks_of(tree), options(tree), 2))
    assert "doctor" in caught.value.hint


def test_an_interpreter_that_is_not_there_is_an_error(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tree / "nowhere"))
    with pytest.raises(BackendUnavailable, match="does not start: No such file"):
        list(prepare_all(tasks_of(tree), options(tree), 1))


def test_a_caller_that_stops_leaves_no_process_behind(
    tree: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "BATCH_FILES", 1)
    results = prepare_all(tasks_of(tree), options(tree), 2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert started
    assert ended(started)


def test_workers_do_not_import_from_the_working_folder(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "trap"
    trap.mkdir()
    for name in ("pickle.py", "struct.py", "fourfold.py", "sitecustomize.py"):
        (trap / name).write_text(f"open({str(tmp_path / 'sprung')!r}, 'w').close()\n")
    monkeypatch.chdir(trap)
    assert outcome(list(prepare_all(tasks_of(tree), options(tree), 1)))[0] == 6
    assert not (tmp_path / "sprung").exists()


def test_processors_are_counted() -> None:
    assert 1 <= pool._processors() <= (os.cpu_count() or 1)
