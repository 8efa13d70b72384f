"""Watching: what is told when, what is waited for, and how it ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.index import watch as module
from fourfold.index.watch import WatchEvent, wait_after, watch
from fourfold.model.errors import IndexUnavailable, LockHeld, NewerFormat, RootRefused
from fourfold.model.report import Progress, RefreshReport
from fourfold.store.local.lock import WriteLock

UNCHANGED = RefreshReport(unchanged=3)


@dataclass
class Scripted:
    """Refreshes that end as told, one after the other; then as the last one."""

    outcomes: list[RefreshReport | BaseException]
    calls: int = 0
    slept: list[float] = field(default_factory=list)

    def refresh(self, check: Callable[[Progress], None]) -> RefreshReport:
        outcome = self.outcomes[min(self.calls, len(self.outcomes) - 1)]
        self.calls += 1
        check(Progress("scan", 0, 0))
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


def run(root: Path, *outcomes: RefreshReport | BaseException, **options: Any) -> list[WatchEvent]:
    """The events until every outcome has come and gone."""
    script = Scripted([*outcomes, KeyboardInterrupt()])
    events: list[WatchEvent] = []
    with pytest.raises(KeyboardInterrupt):
        for event in watch(root, script.refresh, sleep=script.slept.append, **options):
            events.append(event)
    return events


def test_only_what_changed_is_told(tmp_path: Path) -> None:
    changed = RefreshReport(changed=1)
    events = run(tmp_path, UNCHANGED, UNCHANGED, changed, UNCHANGED, RefreshReport(removed=2))
    assert [event.kind for event in events] == ["started", "refreshed", "refreshed"]
    assert [event.report for event in events][1] is changed


def test_a_lock_is_waited_for_and_told_once(tmp_path: Path) -> None:
    held = LockHeld("the index in x is being written by: index, process 12")
    events = run(tmp_path, UNCHANGED, held, held, held, RefreshReport(added=1))
    assert [event.kind for event in events] == ["started", "waiting", "resumed", "refreshed"]
    assert events[1].reason == f"{held.message}; waiting for it to finish"


def test_a_folder_that_vanishes_is_waited_for_and_its_index_kept(tmp_path: Path) -> None:
    root, script = tmp_path / "root", Scripted([UNCHANGED])
    root.mkdir()
    kinds: list[str] = []

    def sleep(_: float) -> None:
        script.slept.append(0)
        if len(script.slept) == 2:
            root.rmdir()
        elif len(script.slept) == 8:
            assert script.calls == 1
            root.mkdir()
        elif len(script.slept) == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        for event in watch(root, script.refresh, sleep=sleep, clock=lambda: 0.0):
            kinds.append(event.kind)
    assert kinds == ["started", "waiting", "resumed"]
    assert script.calls > 1


@pytest.mark.parametrize(
    "error", [IndexUnavailable("the index cannot be written"), OSError(28, "No space left on device", "x.sqlite")]
)
def test_what_may_pass_is_told_and_tried_again(tmp_path: Path, error: Exception) -> None:
    events = run(tmp_path, error, error, UNCHANGED)
    assert [event.kind for event in events] == ["waiting", "resumed", "started"]
    assert events[0].reason.endswith("; trying again")


@pytest.mark.parametrize("error", [RootRefused("too wide"), NewerFormat("newer")])
def test_what_does_not_pass_ends_it(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(type(error)):
        list(watch(tmp_path, Scripted([error]).refresh, sleep=lambda _: None))


def test_ctrl_c_during_a_refresh_ends_it(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        list(watch(tmp_path, Scripted([RefreshReport(interrupted=True)]).refresh, sleep=lambda _: None))


def test_the_wait_follows_the_time_that_a_look_takes() -> None:
    assert wait_after(0.001) == module.MIN_WAIT_S == 0.5
    assert wait_after(0.1) == pytest.approx(2.0)
    assert wait_after(60.0) == module.MAX_WAIT_S == 5.0


def test_while_git_changes_the_tree_nothing_is_read(tmp_path: Path) -> None:
    own = tmp_path / ".git"
    own.mkdir()
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    lock = own / "index.lock"
    lock.write_text("")
    script = Scripted([UNCHANGED, KeyboardInterrupt()])

    def sleep(_: float) -> None:
        script.slept.append(0)
        if len(script.slept) == 4:
            assert script.calls == 0
            os.utime(lock, (time.time() - 60, time.time() - 60))  # left behind by a killed git

    with pytest.raises(KeyboardInterrupt):
        for event in watch(tmp_path, script.refresh, sleep=sleep):
            assert event.kind == "started"
    assert script.calls == 2


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits until it is told to end."""
    started = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    yield started
    started.communicate()


def test_it_ends_with_its_parent(tmp_path: Path, process: subprocess.Popen[bytes]) -> None:
    script = Scripted([UNCHANGED])
    kinds: list[str] = []

    def sleep(_: float) -> None:
        script.slept.append(0)
        if len(script.slept) == 3:
            process.communicate()

    for event in watch(tmp_path, script.refresh, parent=process.pid, sleep=sleep):
        kinds.append(event.kind)
    assert kinds == ["started", "stopped"] and len(script.slept) == 3


def test_it_ends_a_long_refresh_when_its_parent_ends(tmp_path: Path, process: subprocess.Popen[bytes]) -> None:
    def refresh(check: Callable[[Progress], None]) -> RefreshReport:
        check(Progress("index", 1, 9))
        process.communicate()
        check(Progress("index", 2, 9))
        raise AssertionError("went on")

    assert [event.kind for event in watch(tmp_path, refresh, parent=process.pid)] == ["stopped"]


def test_a_parent_that_is_gone_at_the_start_ends_it_at_once(tmp_path: Path, process: subprocess.Popen[bytes]) -> None:
    process.communicate()
    script = Scripted([UNCHANGED])
    assert [event.kind for event in watch(tmp_path, script.refresh, parent=process.pid)] == ["stopped"]
    assert script.calls == 0


def test_a_later_process_with_the_same_number_is_not_the_parent(
    tmp_path: Path, process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    began = iter(["100", "100"])
    monkeypatch.setattr(module, "_began", lambda number: next(began, "200"))
    script = Scripted([UNCHANGED])
    events = watch(tmp_path, script.refresh, parent=process.pid, sleep=script.slept.append)
    assert [event.kind for event in events][-1] == "stopped"


def test_a_real_tree_is_followed_through_everything(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "one.py").write_text("def one(): pass\n")
    settings = load_settings(root, {"cache_dir": str(tmp_path / "cache"), "embedding.model": "none"}, environ={})
    lock: list[WriteLock] = []

    def taken() -> None:
        lock.append(WriteLock(index.location))
        lock[0].acquire("another", 0.0)
        (root / "two.py").write_text("def two_again(): pass\n")

    def back() -> None:
        root.mkdir()
        (root / "three.py").write_text("def three(): pass\n")

    acts: dict[str, Callable[[], object]] = {
        "started": lambda: (root / "two.py").write_text("def two(): pass\n"),
        "refreshed": taken,
        "waiting": lambda: lock[0].release(),
        "resumed": lambda: None,
        "refreshed again": lambda: shutil.rmtree(root),
        "waiting again": back,
        "resumed again": lambda: None,
    }
    with Index.open(root, root=root, settings=settings.settings) as index:
        seen: list[str] = []
        for event in watch(root, lambda check: index.refresh(progress=check), sleep=lambda _: None):
            seen.append(event.kind if event.kind not in seen else f"{event.kind} again")
            if seen[-1] not in acts:
                break
            acts.pop(seen[-1])()
        names = {symbol: [item.path for item in index.symbol(symbol).items] for symbol in ("one", "two_again", "three")}
    assert seen == [
        *("started", "refreshed", "waiting", "resumed", "refreshed again", "waiting again", "resumed again"),
        "refreshed again",
    ]
    assert names == {"one": [], "two_again": [], "three": ["three.py"]}
    assert event.report is not None and (event.report.added, event.report.removed) == (1, 2)
