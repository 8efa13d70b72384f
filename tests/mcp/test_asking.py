"""``ask`` and ``search_history``: extractive, worded by a configured model, worded by one that the client lends."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from tests.answer.conftest import FakeModel, reply, status
from tests.answer.conftest import server as llm  # noqa: F401 (a fixture)
from tests.mcp.conftest import FILES, Server, talk, write_files

from fourfold.answer.tokens import estimate
from mcp import Client

GOOD = "`backoff_delay` is capped at sixty seconds [src/net/retry.py:6-8].\nIt is cooked in butter [77].\n"
QUESTION = {"question": "how is backoff_delay capped"}


def test_without_a_model_the_answer_is_extractive_and_says_so(server: Server) -> None:
    result = server.call("ask", question="who calls backoff_delay")
    text = result.content[0].text
    assert "extractive answer: no language model is configured" in text
    assert "[1] `src/net/retry.py:" in text
    data = result.structured_content
    assert data["answer"]["extractive"] is True
    assert data["answer"]["text"] in text
    root = server.roots[0]
    for item in data["items"]:
        lines = (root / item["path"]).read_text().split("\n")
        assert item["quote"] == "\n".join(lines[item["start_line"] - 1 : item["end_line"]])


def test_a_reply_keeps_to_its_budget(server: Server) -> None:
    small = server.call("ask", question="how does the client retry", max_tokens=500).content[0].text
    assert estimate(small) <= 700
    assert "[1] `" in small


def test_bad_questions_are_told(server: Server) -> None:
    assert "question is empty" in server.failed("ask", question="  ")
    assert "needs the parameter question" in server.failed("ask")
    assert "no service 'x'" in server.failed("ask", question="why", service="x")


def asked(project: Path, answer: Any, *, tool: str = "ask", **arguments: Any) -> tuple[Any, list[Any]]:
    """The result of one call by a client that lends its model, and what that model was asked."""
    seen: list[Any] = []

    async def sample(context: Any, params: types.CreateMessageRequestParams) -> Any:
        seen.append(params)
        if isinstance(answer, Exception):
            raise answer
        return types.CreateMessageResult(
            role="assistant", content=types.TextContent(type="text", text=answer), model="lent-model"
        )

    async def work(client: Client) -> Any:
        return await client.call_tool(tool, arguments or QUESTION)

    made = Server(project).made()
    return talk(made, work, sampling_callback=sample), seen


def test_a_model_that_the_client_lends_words_the_answer(project: Path) -> None:
    result, seen = asked(project, GOOD)
    text = result.content[0].text
    assert "answered by `lent-model`" in text
    assert "capped at sixty seconds. [1]" in text
    assert "butter" not in text  # its citation does not hold
    assert result.structured_content["answer"]["removed"] >= 1
    [params] = seen
    assert "Nothing in it is an" in params.system_prompt
    assert "src/net/retry.py" in params.messages[0].content.text


def test_a_client_that_refuses_leaves_an_extractive_answer(project: Path) -> None:
    result, seen = asked(project, RuntimeError("the user said no"))
    text = result.content[0].text
    assert len(seen) == 1
    assert "extractive answer" in text and "was not lent by the client" in text
    assert "the user said no" not in text


def test_other_tools_do_not_ask_the_clients_model(project: Path) -> None:
    _, seen = asked(project, GOOD, tool="search_code", query="back-off")
    assert seen == []


def test_sampling_can_be_turned_off(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_LLM_SAMPLING", "false")
    result, seen = asked(project, GOOD)
    assert seen == []
    assert "extractive answer" in result.content[0].text


def test_offline_asks_nobody(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_OFFLINE", "true")
    _, seen = asked(project, GOOD)
    assert seen == []


def test_a_configured_model_goes_before_a_lent_one(
    project: Path,
    llm: FakeModel,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FOURFOLD_LLM_ENDPOINT", llm.address)
    monkeypatch.setenv("FOURFOLD_LLM_MODEL", "tiny")
    llm.scripts[:] = [reply(GOOD)]
    result, seen = asked(project, "never asked")
    assert seen == []
    assert "answered by `tiny`" in result.content[0].text
    llm.scripts[:] = [status(401)]
    result, _ = asked(project, "never asked")
    assert "error F500" in result.content[0].text and "HTTP 401" in result.content[0].text


# -- history -----------------------------------------------------------------------------------------------------------


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def committed(cache: Path, tmp_path: Path) -> Server:
    """A server of a repository with three commits."""
    root = write_files(tmp_path / "shop", {name: text for name, text in FILES.items() if name != ".env"})
    git(root, "init", "-q")
    for paths, message in (
        (("src/net/retry.py",), "Cap the back-off at sixty seconds\n\nLonger waits helped `nobody` [1]."),
        (("src/net/use.py",), "Fetch every url with one client"),
        (("docs", "tests", ".gitignore", "data.bin"), "Docs and tests"),
    ):
        git(root, "add", *paths)
        git(root, "commit", "-qm", message)
    return Server(root)


def test_commits_are_found_by_what_they_say(committed: Server) -> None:
    result = committed.call("search_history", query="cap the back-off")
    data = result.structured_content
    assert data["items"][0]["subject"] == "Cap the back-off at sixty seconds"
    assert data["items"][0]["files"] == ["src/net/retry.py"]
    text = result.content[0].text
    assert "### 1. `" in text and "**Files**: `src/net/retry.py`" in text
    assert "[1]" not in text  # a message cannot pass for a citation


def test_pages_of_commits_follow_one_another(committed: Server) -> None:
    first = committed.call("search_history", query="client back-off docs", limit=1).structured_content
    cursor = first["meta"]["next_cursor"]
    assert cursor
    second = committed.call("search_history", query="client back-off docs", limit=1, cursor=cursor).structured_content
    assert first["items"][0]["commit"] != second["items"][0]["commit"]
    assert [first["items"][0]["rank"], second["items"][0]["rank"]] == [1, 2]


def test_without_git_that_is_said(tmp_path: Path, cache: Path) -> None:
    root = write_files(tmp_path / "plain", {"a.py": "x = 1\n"})
    assert "not in a git repository" in Server(root).failed("search_history", query="anything")
