"""Field reports of group D (crashes, concurrency, resources), acted out on an index."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from tests.reports.project import Project, paths

from fourfold.index import pool
from fourfold.model.errors import LockHeld
from fourfold.model.report import Progress

MODULES = {f"m{number}.py": f"def needle_{number}(value):\n    return value + {number}\n" for number in range(12)}
HOLDER = """
import sys
from fourfold import Index
with Index.open(sys.argv[1], root=sys.argv[1]) as index, index._store.writer(purpose="a long build"):
    print("held", flush=True)
    sys.stdin.read()
"""


class Stopped(Exception):
    """Stands for whatever ends a process in the middle."""


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit every three files."""
    monkeypatch.setattr(pool, "BATCH_FILES", 3)


def stop_after(files: int, error: type[BaseException]) -> object:
    """A progress callback that ends the work once so many files are done."""

    def watch(progress: Progress) -> None:
        if progress.stage == "index" and progress.done >= files:
            raise error

    return watch


def test_d1_status_after_a_stop_counts_what_is_there(project: Project, small_batches: None) -> None:
    index = project.write(MODULES).index()
    with pytest.raises(Stopped):
        index.refresh(progress=stop_after(6, Stopped))  # type: ignore[arg-type]
    status = project.index().status()
    assert (status.files, status.stale_files) == (6, 6)
    assert len(paths(project.index().grep("def needle", refresh=False))) == 6
    ran = project.run("status")
    assert "stale, 6 files changed since" in ran.out


def test_d2_a_torn_index_is_noticed_rebuilt_once_and_said(project: Project) -> None:
    index = project.write(MODULES).index()
    index.refresh()
    place = index.location / "index.sqlite"
    index.close()
    for suffix in ("-wal", "-shm"):
        Path(f"{place}{suffix}").unlink(missing_ok=True)
    place.write_bytes(place.read_bytes()[:5_000])
    report = project.index().refresh()
    assert any("damaged" in warning and "rebuilt" in warning for warning in report.warnings)
    assert report.added == len(MODULES)
    again = project.index()
    assert not again.refresh().warnings
    assert again.search("needle_7").items[0].path == "m7.py"


def test_d2_a_lost_segment_is_noticed_and_rebuilt(project: Project) -> None:
    index = project.write(MODULES).index()
    index.refresh()
    folder = index.location / "segments"
    index.close()
    next(folder.iterdir()).unlink()
    assert project.index().search("needle_7").items[0].path == "m7.py"
    assert all(check.ok for check in project.index().doctor())


def test_d3_a_held_lock_is_no_damage(project: Project) -> None:
    index = project.write(MODULES).index()
    generation = index.refresh().generation
    with project.index()._store.writer(purpose="test"):
        project.write({"new.py": "needle_new = 1\n"})
        result = index.search("needle_3")
        assert result.items[0].path == "m3.py"
        assert result.meta.generation >= generation
        assert result.meta.degraded is not None
        assert "damaged" not in result.meta.degraded
    assert not index.refresh().warnings


def test_d4_many_readers_need_no_lock(project: Project) -> None:
    project.write(MODULES).index().refresh()
    readers = [project.index() for _ in range(4)]
    with readers[0]._store.writer(purpose="test"):
        for reader in readers:
            assert reader.search("needle_5", refresh=False).items[0].path == "m5.py"


@pytest.fixture
def holder(project: Project) -> subprocess.Popen[str]:
    """Another process that writes the index of the project until its input ends."""
    project.write(MODULES).index().refresh()
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(project.root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def finish(process: subprocess.Popen[str]) -> int:
    """Let the holder go; its exit code."""
    process.communicate()
    return process.returncode


def test_d5_d6_a_second_indexer_hears_who_writes_and_ends_nobody(
    project: Project, holder: subprocess.Popen[str]
) -> None:
    project.write({"new.py": "needle_new = 1\n"})
    try:
        with pytest.raises(LockHeld, match=f"a long build, process {holder.pid}"):
            project.index().refresh(wait_s=0.2)
        ran = project.run("index")
        assert ran.code == 4
        assert str(holder.pid) in ran.err
        assert project.run("search", "needle_3", "-l").out.split()[0] == "m3.py"
        assert holder.poll() is None
    finally:
        assert finish(holder) == 0
    assert project.index().refresh().added == 1


def test_d7_waiting_for_a_writer_ends_when_it_is_done(project: Project, holder: subprocess.Popen[str]) -> None:
    project.write({"new.py": "needle_new = 1\n"})
    timer = threading.Timer(0.4, finish, (holder,))
    timer.start()
    assert project.index().refresh(wait_s=30).added == 1
    timer.join()


def test_d9_a_worker_ends_with_its_indexer() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-P", "-m", "fourfold.index.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    out, _ = worker.communicate(b"", timeout=30)  # closes its input, as the end of the indexer does
    assert (worker.returncode, out) == (0, b"")


def open_files() -> int:
    """Files that this process holds open."""
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files by /proc")
def test_d10_questions_leave_no_files_and_no_threads_behind(project: Project) -> None:
    project.git("commit", "-qm", "empty", "--allow-empty")
    index = project.write(MODULES).index()
    project.write({"m.py": "def changed(): pass\n"})
    index.search("changed")  # from here on a worker is kept for small refreshes
    files, threads = open_files(), threading.active_count()
    for number in range(5):
        project.write({f"m{number}.py": f"def changed_{number}(): pass\n"})
        index.search("changed")
    assert open_files() <= files + 8  # the segments of new generations
    assert threading.active_count() <= threads
    index.close()


def test_d11_a_stop_loses_no_committed_batch(project: Project, small_batches: None) -> None:
    for path, text in MODULES.items():
        (project.root / path).write_text(text)
        os.utime(project.root / path, (1_700_000_000, 1_700_000_000))
    index = project.index()
    report = index.refresh(progress=stop_after(6, KeyboardInterrupt))  # type: ignore[arg-type]
    assert report.interrupted
    assert index.status().files == 6
    assert index.refresh().added == 6
    assert index.status().files == 12
    fresh = Project(project.root, project.opened)
    assert [item.path for item in fresh.index().grep("def needle").items] == sorted(MODULES)


def test_d12_no_loadable_extension_is_needed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    class Plain(sqlite3.Connection):
        def enable_load_extension(self, *_: object) -> None:  # type: ignore[override]
            raise AttributeError("built without loadable extensions")

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **named: real(*given, factory=Plain, **named))
    index = project.write(MODULES).index()
    assert index.search("needle_2").items[0].path == "m2.py"
    assert index.grep("needle_2").items


def test_d13_what_is_prepared_at_once_is_bounded(project: Project, small_batches: None) -> None:
    seen: list[int] = []
    project.write(MODULES).index().refresh(progress=lambda progress: seen.append(progress.done))
    steps = [after - before for before, after in pairwise(seen)]
    assert max(steps) == 3
    assert seen[-1] == 12
