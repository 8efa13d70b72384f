"""Several roots, roots that the client names, and indexing in the background."""

from __future__ import annotations

import threading
import time
import warnings
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import ListRootsResult, Root
from tests.mcp.conftest import Server, write_files

from fourfold.interfaces.mcp.client_roots import folder_of
from fourfold.interfaces.mcp.refresher import Refresher
from fourfold.interfaces.mcp.server import McpServer
from fourfold.interfaces.mcp.service import Service, indexing
from fourfold.interfaces.mcp.workspace import Workspace
from fourfold.model.report import Progress, RefreshReport
from mcp import Client


@pytest.fixture
def two(cache: Path, tmp_path: Path) -> Server:
    """Two roots that hold different code."""
    for name, word in (("api", "serve_orders"), ("web", "show_orders")):
        (tmp_path / name / ".git").mkdir(parents=True)
        write_files(tmp_path / name, {f"{name}.py": f"def {word}():\n    return 'orders'\n", "same.py": "x = 1\n"})
    return Server(tmp_path / "api", tmp_path / "web")


def test_all_roots_are_searched_or_the_named_one(two: Server) -> None:
    items = two.call("search_code", query="orders").structured_content["items"]
    assert {item["service"] for item in items} == {"api", "web"}
    assert [item["rank"] for item in items] == list(range(1, len(items) + 1))
    items = two.call("search_code", query="orders", service="web").structured_content["items"]
    assert {item["service"] for item in items} == {"web"}
    assert "choose one of: api, web" in two.failed("search_code", query="x", service="db")


def test_paths_find_their_root(two: Server) -> None:
    assert "def show_orders" in two.text("get_code_context", file_path="web.py")
    assert "several roots hold same.py" in two.failed("get_code_context", file_path="same.py")
    assert "1 x = 1" in two.text("get_code_context", file_path="web/same.py")
    assert "def serve_orders" in two.text("get_code_context", file_path=str(two.roots[0] / "api.py"))
    assert "F104" in two.failed("get_code_context", file_path="../other/web.py")


def test_f12_a_root_with_a_fault_does_not_silence_the_others(two: Server, tmp_path: Path) -> None:
    text = Server(*two.roots, tmp_path / "gone").text("search_code", query="orders")
    assert "gone was not searched" in text
    assert "show_orders" in text


def test_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent / "app").mkdir(parents=True)
    space = Workspace([tmp_path / "a/app", tmp_path / "b/app", tmp_path / "a/app"])
    assert [service.name for service in space.services] == ["app", "app-2"]


def test_the_clients_roots_are_used_where_none_were_named(two: Server, tmp_path: Path) -> None:
    async def roots(context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=two.roots[1].as_uri())])  # type: ignore[arg-type]

    async def main(fixed: bool) -> str:
        server = McpServer(Workspace([two.roots[0]], fixed=fixed))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                async with Client(server.sdk, mode="legacy", list_roots_callback=roots) as client:
                    result = await client.call_tool("search_code", {"query": "orders"})
                    return str(result.content[0].text)  # type: ignore[union-attr]
        finally:
            server.workspace.stop()

    assert "show_orders" in anyio.run(main, False)
    assert "show_orders" not in anyio.run(main, True)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c", Path("/a/b c")),
        ("file://localhost/a", Path("/a")),
        ("file://other/a", None),
        ("https://x/a", None),
        ("file:///C:/x", Path("C:/x")),
    ],
)
def test_roots_are_file_uris_of_this_machine(uri: str, path: Path | None) -> None:
    assert folder_of(uri) == path


def test_who_asks_gets_a_refresh_that_began_after_the_asking() -> None:
    began: list[int] = []
    go = threading.Event()

    def run(note: Any) -> RefreshReport:
        began.append(1)
        note(Progress("index", 1, 4))
        go.wait(5)
        return RefreshReport()

    refresher = Refresher(run)
    first = refresher.request()
    while not began:
        time.sleep(0.001)
    second, third = refresher.request(), refresher.request()
    assert second == third == first + 1
    waiting = refresher.wait(first, 0.01, threading.Event())
    assert waiting.running == Progress("index", 1, 4)
    assert indexing(waiting.running) == "indexing 1/4 files"
    go.set()
    assert refresher.wait(second, 5, threading.Event()).running is None
    assert len(began) == 2


def test_a_failed_refresh_is_told_and_the_next_one_runs() -> None:
    runs: list[int] = []

    def run(note: Any) -> RefreshReport:
        runs.append(1)
        if len(runs) == 1:
            raise OSError("disk")
        return RefreshReport()

    refresher = Refresher(run)
    assert isinstance(refresher.wait(refresher.request(), 5, threading.Event()).error, OSError)
    assert refresher.wait(refresher.request(), 5, threading.Event()).error is None


def test_f3_a_question_during_indexing_is_answered_from_what_is_ready(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index is built, a long refresh runs: the answer comes, and says how far the refresh is."""
    Server(project).text("search_code", query="backoff")
    monkeypatch.setattr("fourfold.interfaces.mcp.service.REFRESH_WAIT_S", 0.05)
    go = threading.Event()

    def slow(self: Service, note: Any) -> RefreshReport:
        note(Progress("index", 120, 2818))
        go.wait(20)
        return RefreshReport()

    monkeypatch.setattr(Service, "_refresh", slow)
    try:
        result = Server(project).call("search_code", query="backoff delay")
    finally:
        go.set()
    assert result.structured_content["meta"]["degraded"].startswith("indexing 120/2,818 files")
    assert result.structured_content["meta"]["stale"] is True
    assert "**degraded**: indexing 120/2,818 files" in result.content[0].text
    assert result.structured_content["items"]


def test_a_question_before_anything_is_ready_says_so(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.interfaces.mcp.service.REFRESH_WAIT_S", 0.02)
    monkeypatch.setattr("fourfold.interfaces.mcp.service.BUILD_WAIT_S", 0.05)
    go = threading.Event()

    def slow(self: Service, note: Any) -> RefreshReport:
        note(Progress("index", 3, 9))
        go.wait(20)
        return RefreshReport()

    monkeypatch.setattr(Service, "_refresh", slow)
    try:
        text = Server(project).failed("search_code", query="backoff delay")
    finally:
        go.set()
    assert "indexing 3/9 files" in text
    assert "ask again" in text


def test_f10_progress_is_told_to_a_client_that_wants_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Server(project).text("search_code", query="backoff")
    monkeypatch.setattr("fourfold.interfaces.mcp.server.PROGRESS_S", 0.01)
    told: list[tuple[float, float | None, str | None]] = []
    seen = threading.Event()

    def slow(self: Service, note: Any) -> RefreshReport:
        note(Progress("index", 5, 10))
        seen.wait(5)
        return RefreshReport()

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))
        seen.set()

    monkeypatch.setattr(Service, "_refresh", slow)
    server = Server(project).made()

    async def main() -> None:
        async with Client(server.sdk, mode="legacy") as client:
            await client.call_tool("search_code", {"query": "backoff"}, progress_callback=on_progress)

    try:
        anyio.run(main)
    finally:
        seen.set()
        server.workspace.stop()
    assert told[0] == (5.0, 10.0, "indexing 5/10 files")


def test_a_client_that_gives_up_stops_the_waiting(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    gone = threading.Event()

    def slow(self: Service, note: Any) -> RefreshReport:
        go.wait(20)
        return RefreshReport()

    ask = Service.ask

    def watched(self: Service, work: Any, cancelled: threading.Event) -> Any:
        threading.Thread(target=lambda: cancelled.wait(10) and gone.set(), daemon=True).start()
        return ask(self, work, cancelled)

    monkeypatch.setattr(Service, "_refresh", slow)
    monkeypatch.setattr(Service, "ask", watched)
    server = Server(project).made()

    async def main() -> None:
        async with Client(server.sdk, mode="legacy") as client:
            with anyio.move_on_after(0.3):
                await client.call_tool("search_code", {"query": "backoff"})

    try:
        anyio.run(main)
        assert gone.wait(5)
    finally:
        go.set()
        server.workspace.stop()


def test_d9_memory_is_given_back_and_taken_again(project: Path) -> None:
    service = Service("shop", project)
    quiet = threading.Event()

    def work(index: Any, refresh: bool) -> int:
        return len(index.search("backoff", refresh=refresh).items)

    count, _ = service.ask(work, quiet)
    assert not service.give_back(idle_s=60)
    assert service.give_back(idle_s=-1)
    assert service.ask(work, quiet)[0] == count
    service.stop()
