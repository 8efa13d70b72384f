"""Services of the list over MCP: one ranking, files read at their ref."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.services.git_server import Repository

from fourfold.config.services import ServiceConfig, save_service
from fourfold.interfaces.mcp.arguments import checked
from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.schemas import INPUT
from fourfold.interfaces.mcp.tools.table import tool
from fourfold.interfaces.mcp.workspace import Workspace
from fourfold.model.errors import PathOutsideRoot, UsageError


@pytest.fixture
def listed_services(app: Repository, tmp_path: Path) -> Iterator[Workspace]:
    """A repository and a folder, as an agent's server has them."""
    from fourfold import Workspace as Listed

    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "login.py").write_text('def check_login(name):\n    """Signs a person in."""\n', encoding="utf-8")
    save_service(ServiceConfig("app", git=app.url, ref="main"))
    save_service(ServiceConfig("web", path=str(folder)))
    with Listed.open() as workspace:
        assert not workspace.sync()[1]
    made = Workspace.listed(("*",), tmp_path)
    yield made
    made.stop()
    for service in made.services:
        service.index().close()


def call(workspace: Workspace, name: str, **arguments: object) -> str:
    """The text that a tool answers."""
    return tool(name)(Call(workspace, checked(name, INPUT[name], arguments))).text


def test_one_ranking_over_all_services(listed_services: Workspace) -> None:
    text = call(listed_services, "search_code", query="exponential back-off delay", limit=2)
    first, second = text.index("src/retry.py"), text.find("login.py")
    assert second < 0 or first < second
    assert "**Service**: app" in text
    assert "main" in text
    assert "src/retry.py" not in call(listed_services, "search_code", query="exponential back-off", service="web")


def test_a_file_is_read_at_its_ref_and_that_is_said(listed_services: Workspace) -> None:
    text = call(listed_services, "get_code_context", file_path="app/src/retry.py")
    assert "def backoff_delay(attempt):" in text
    assert "main at " in text.splitlines()[0]
    assert "working tree" in call(listed_services, "get_code_context", file_path="web/login.py").splitlines()[0]
    symbol = call(listed_services, "get_code_context", file_path="src/retry.py", symbol_name="backoff_delay")
    assert "return 2 ** attempt" in symbol


def test_paths_cannot_leave_a_commit(listed_services: Workspace) -> None:
    for path in ("app/../../etc/passwd", "/etc/passwd", "app/src/../../x"):
        with pytest.raises((PathOutsideRoot, UsageError)):
            call(listed_services, "get_code_context", file_path=path)


def test_an_unknown_service_is_said(tmp_path: Path, listed_services: Workspace) -> None:
    with pytest.raises(UsageError, match="no service"):
        Workspace.listed(("nope",), tmp_path)
    with pytest.raises(UsageError, match="no service"):
        call(listed_services, "search_code", query="x", service="nope")


def test_the_status_names_ref_and_commit(listed_services: Workspace) -> None:
    text = call(listed_services, "index_status")
    assert "3 files" in text
    assert "indexed" in call(listed_services, "index_status", path="app/src/retry.py")
