"""Starting a refresh, watching it, stopping it; questions keep the index fresh by themselves."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.built import Built
from tests.http.conftest import serving

from fourfold.interfaces.http import service
from fourfold.interfaces.http.jobs import CANCELLED, DONE, FAILED, Job, Jobs
from fourfold.model.errors import LockHeld
from fourfold.model.report import Progress, RefreshReport

WRITE = {"x-fourfold": "1"}


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Built, TestClient]]:
    """An index of its own, served."""
    with (
        Built(tmp_path_factory.mktemp("own")).write({"a.py": "def first(): pass\n"}) as built,
        serving(built) as client,
    ):
        yield built, client


def settled(client: TestClient) -> dict[str, Any]:
    """The end of the refresh that was asked for."""
    for _ in range(500):
        lines = client.get("/api/v1/index/events", headers={"accept": "application/x-ndjson"}).text.splitlines()
        state: dict[str, Any] = json.loads(lines[-1])
        if state["state"] != "running":
            return state
        time.sleep(0.02)
    raise AssertionError("the refresh does not end")


def test_a_refresh_is_started_and_its_end_told(own: tuple[Built, TestClient]) -> None:
    built, client = own
    (built.root / "b.py").write_text("def second(): pass\n", encoding="utf-8")
    reply = client.post("/api/v1/index", headers=WRITE)
    assert reply.status_code == 202 and reply.json()["asked"] is True
    end = settled(client)
    assert end["state"] == DONE and end["error"] is None
    assert client.get("/api/v1/symbol?name=second&exact=true").json()["items"]


def test_progress_streams_as_lines_and_as_events(own: tuple[Built, TestClient]) -> None:
    _, client = own
    lines = client.post("/api/v1/index?force=true", headers={**WRITE, "accept": "application/x-ndjson"})
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    states = [json.loads(line) for line in lines.text.splitlines()]
    assert states[-1]["state"] == DONE
    assert states[-1]["report"]["changed"] + states[-1]["report"]["unchanged"] >= 1 or len(states) == 1
    events = client.get("/api/v1/index/events")
    assert events.headers["content-type"].startswith("text/event-stream")
    assert events.text.startswith("data: {") and events.text.endswith("\n\n")


def test_nothing_to_stop(own: tuple[Built, TestClient]) -> None:
    _, client = own
    settled(client)
    for _ in range(100):
        reply = client.post("/api/v1/index/cancel", headers=WRITE)
        if reply.status_code == 404:
            break
    assert reply.json()["error"]["message"] == "nothing is being indexed"


def test_a_question_sees_what_changed_just_before(
    own: tuple[Built, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    built, client = own
    monkeypatch.setattr(service, "FRESH_S", 0.0)
    monkeypatch.setattr(service, "WAIT_S", 60.0)
    for number in range(3):
        (built.root / f"more{number}.py").write_text(f"def added{number}(): pass\n", encoding="utf-8")
        found = client.get(f"/api/v1/symbol?name=added{number}&exact=true").json()
        assert [item["path"] for item in found["items"]] == [f"more{number}.py"]
        assert found["meta"]["stale"] is False


class SlowIndex:
    """An index whose refresh goes on until it is told to end or to stop."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.refreshes = 0

    def refresh(self, *, force: bool, progress: Any, wait_s: float) -> RefreshReport:
        self.refreshes += 1
        for done in range(10_000):
            progress(Progress("index", done, 10_000))
            if self.go_on.wait(0.005):
                return RefreshReport(added=done, generation=5)
        raise AssertionError("nobody ended it")


def test_there_is_one_refresh_at_a_time() -> None:
    index, ended = SlowIndex(), []
    jobs = Jobs(index, ended.append)  # type: ignore[arg-type]
    first, new = jobs.start()
    again, new_again = jobs.start(asked=True)
    assert (new, new_again, again is first, first.state.asked) == (True, False, True, True)
    index.go_on.set()
    assert first.finished.wait(10)
    assert first.state.state == DONE and first.state.report is not None
    second, new = jobs.start()
    assert new and second.id == first.id + 1 and second.finished.wait(10)
    for _ in range(200):
        if len(ended) == 2:
            break
        time.sleep(0.01)
    assert ended == [5, 5]


def test_who_waits_for_a_refresh_is_told_once_whether_it_runs_or_has_ended() -> None:
    index, told = SlowIndex(), []
    job, _ = Jobs(index).start()  # type: ignore[arg-type]
    job.when_finished(lambda: told.append(job.finished.is_set()))
    assert not told
    index.go_on.set()
    assert job.finished.wait(10)
    for _ in range(200):
        if told:
            break
        time.sleep(0.01)
    job.when_finished(lambda: told.append(job.finished.is_set()))
    assert told == [True, True]


def test_a_refresh_is_stopped_at_its_next_batch() -> None:
    index = SlowIndex()
    job, _ = Jobs(index).start(asked=True)  # type: ignore[arg-type]
    job.cancel()
    assert job.finished.wait(10)
    assert job.state.state == CANCELLED and job.state.progress is not None


@pytest.mark.parametrize("error", [LockHeld("held", hint="wait"), OSError(28, "No space left"), KeyError("x")])
def test_a_refresh_that_fails_says_why(error: Exception) -> None:
    class Failing:
        def refresh(self, **_: object) -> RefreshReport:
            raise error

    job = Job(1, asked=True)
    job.run(Failing(), force=False)  # type: ignore[arg-type]
    state = job.state
    assert state.state == FAILED and state.error is not None and state.error["message"]
    assert job.finished.is_set()
