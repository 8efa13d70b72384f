"""Field reports of groups F, H and J that concern what a client meets: one state, time-outs, roots, what is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import ListRootsResult, Root
from tests.embed.conftest import server as server
from tests.embed.provider_server import EmbeddingServer
from tests.mcp.conftest import Server, talk
from tests.reports.project import Project

from fourfold.config.load import load_settings
from fourfold.config.settings import build, options
from fourfold.embed.protocol import EmbedInput
from fourfold.embed.providers.load import load_provider
from fourfold.interfaces.agents.instructions import BLOCK, SUB_AGENT
from fourfold.interfaces.http.app import create_app
from fourfold.interfaces.http.options import ServeOptions
from fourfold.interfaces.mcp.descriptions import INSTRUCTIONS, TOOLS
from fourfold.interfaces.mcp.server import McpServer
from fourfold.interfaces.mcp.workspace import Workspace
from mcp import Client

CODE = "def greeting():\n    return 'hello'\n"


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that waits for its index, however busy the machine."""
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "hash")
    for name in ("REFRESH_WAIT_S", "BUILD_WAIT_S"):
        monkeypatch.setattr(f"fourfold.interfaces.mcp.service.{name}", 60.0)


def test_f8_status_and_search_of_every_interface_speak_of_one_state(project: Project, patient: None) -> None:
    """What one of them has indexed is indexed for all."""
    from starlette.testclient import TestClient

    project.write({"app.py": CODE})
    mcp = Server(project.root)
    assert "greeting" in mcp.text("find_symbol", name="greeting")
    assert "app.py: indexed" in project.run("status", "app.py").out
    assert "app.py" in project.run("grep", "--no-refresh", "hello").out
    (project.root / "app.py").write_text(CODE.replace("hello", "goodbye"))
    assert project.run("index").code == 0
    assert "goodbye" in mcp.text("grep_code", pattern="goodbye")
    with TestClient(create_app(project.index(), ServeOptions()), base_url="http://localhost:8000") as web:
        assert web.get("/api/v1/status/path?path=app.py").json()["status"] == "indexed"
        assert [item["path"] for item in web.get("/api/v1/grep?pattern=goodbye").json()["items"]] == ["app.py"]


def test_f11_agents_are_told_when_to_ask_and_how_without_tools() -> None:
    """Each tool says when; the instructions name the shell commands, which sub-agents without tools have."""
    assert [name for name, text in TOOLS.items() if "Use when:" not in text] == []
    assert "search_code first" in INSTRUCTIONS
    assert "Sub-agents without MCP tools can use the shell commands" in BLOCK
    assert 'fourfold "question' in BLOCK
    assert "mcp__fourfold__search_code" in SUB_AGENT.split("---")[1]


def test_f14_every_time_out_is_a_setting_of_file_and_environment(tmp_path: Path) -> None:
    """What waits for another machine or process may be told how long."""
    limits = {key for key in options() if key.endswith("_s")}
    assert limits >= {"embedding.timeout_s", "llm.timeout_s", "qdrant.timeout_s", "index.lock_wait_s"}
    for key in limits:
        section, _, name = key.rpartition(".")
        (tmp_path / "user.toml").write_text(f"[{section}]\n{name} = 7\n")
        environ = {"FOURFOLD_CONFIG": str(tmp_path / "user.toml")}
        by_file = load_settings(tmp_path, {}, environ=environ).settings
        variable = "FOURFOLD_" + key.upper().replace(".", "_")
        by_variable = load_settings(tmp_path, {}, environ={**environ, variable: "9"}).settings
        assert (getattr(getattr(by_file, section), name), getattr(getattr(by_variable, section), name)) == (7, 9)


@pytest.mark.parametrize(("dimension", "sent"), [(0, None), (256, 256)])
def test_h10_dimensions_are_sent_only_where_they_are_set(
    server: EmbeddingServer, dimension: int, sent: int | None
) -> None:
    """A server that does not know the parameter is not given it."""
    values: dict[str, Any] = {
        "embedding.provider": "openai",
        "embedding.endpoint": server.address + "/v1",
        "embedding.model": "text-embedding-3-large" if dimension else "tiny",
        "embedding.dimension": dimension,
    }
    model = load_provider(build(values), environ={})
    model.documents([EmbedInput(CODE, "app.py", "greeting")])
    assert server.bodies and all(body.get("dimensions") == sent for body in server.bodies)


@pytest.mark.parametrize("wide", ["/", "/etc", "home"])
def test_j10_a_client_cannot_widen_what_is_served(project: Project, patient: None, wide: str) -> None:
    """Neither as the root that a client names nor as an argument is a home or a system folder indexed."""
    folder = project.root.parent / "home" if wide == "home" else Path(wide)
    project.write({"app.py": CODE})

    async def roots(context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=folder.as_uri())])  # type: ignore[arg-type]

    async def ask() -> str:
        served = McpServer(Workspace([project.root], fixed=False), log="the-log")
        try:
            async with Client(served.sdk, mode="legacy", list_roots_callback=roots) as client:
                result = await client.call_tool("search_code", {"query": "greeting"})
                return str(result.content[0].text)  # type: ignore[union-attr]
        finally:
            served.workspace.stop()

    assert "F301" in anyio.run(ask)
    asked = {"query": "greeting", "service": str(folder)}
    refused = talk(McpServer(Workspace([project.root]), log="the-log"), lambda one: one.call_tool("search_code", asked))
    assert refused.is_error and "there is no service" in refused.content[0].text
