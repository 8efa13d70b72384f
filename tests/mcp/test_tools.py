"""Each tool over the SDK's own client in memory, which also checks every answer against the declared schema."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError
from tests.mcp.conftest import Server, talk, write_files

from fourfold.answer.tokens import estimate


def test_tools_are_listed_as_read_only_unless_writing_is_allowed(shared_project: Path) -> None:
    listed = talk(Server(shared_project).made(), lambda client: client.list_tools()).tools
    assert "reindex" not in [item.name for item in listed]
    assert all(item.annotations.read_only_hint for item in listed)
    assert all(item.output_schema["type"] == "object" for item in listed)
    listed = talk(Server(shared_project, allow_write=True).made(), lambda client: client.list_tools()).tools
    assert [item.name for item in listed if not item.annotations.read_only_hint] == ["reindex"]


def test_a_search_names_place_symbol_and_numbered_code(server: Server) -> None:
    result = server.call("search_code", query="exponential back-off with jitter")
    text = result.content[0].text
    assert "**Location**: `src/net/retry.py:" in text
    assert re.search(r"^\s*6 def backoff_delay", text, re.MULTILINE)
    assert "index fresh" in text
    data = result.structured_content
    assert data["schema"] == "fourfold/1"
    first = data["items"][0]
    assert first["path"] == "src/net/retry.py"
    lines = (server.roots[0] / first["path"]).read_text().split("\n")
    assert first["snippet"] == "\n".join(lines[number - 1] for number in first["snippet_lines"])


def test_the_same_items_stand_in_text_and_data(server: Server) -> None:
    result = server.call("search_code", query="backoff", limit=3)
    places = re.findall(r"\*\*Location\*\*: `([^`]+)`", result.content[0].text)
    items = result.structured_content["items"]
    assert places == [f"{item['path']}:{item['start_line']}-{item['end_line']}" for item in items]


def test_pages_follow_one_another_without_gap_or_repetition(server: Server) -> None:
    whole = server.call("search_code", query="backoff_delay retry client", limit=10).structured_content["items"]
    assert len(whole) >= 3
    seen, cursor = [], None
    for _ in whole:
        data = server.call(
            "search_code", query="backoff_delay retry client", limit=1, **({"cursor": cursor} if cursor else {})
        ).structured_content
        seen += data["items"]
        cursor = data["meta"]["next_cursor"]
    assert [(item["rank"], item["path"], item["start_line"]) for item in seen] == [
        (item["rank"], item["path"], item["start_line"]) for item in whole
    ]


def test_a_cursor_of_another_question_is_refused(server: Server) -> None:
    cursor = server.call("search_code", query="backoff_delay", limit=1).structured_content["meta"]["next_cursor"]
    assert "does not belong" in server.failed("search_code", query="other", cursor=cursor)
    assert "does not belong" in server.failed("search_code", query="backoff_delay", cursor="!!")


def test_f5_a_reply_stays_within_its_budget_and_says_what_was_cut(project: Path) -> None:
    body = "".join(f"    total_{n} = compute_widget(value, {n})  # widget number {n}\n" for n in range(30))
    write_files(project, {f"src/widgets/w{n}.py": f"def widget_{n}(value):\n{body}" for n in range(80)})
    for tokens in (400, 1500, 2500):
        result = Server(project).call("search_code", query="compute widget", limit=80, max_tokens=tokens)
        text = result.content[0].text
        assert estimate(text) <= tokens
        assert "cut to stay within" in text
        assert result.structured_content["meta"]["truncated"] is True
        assert result.structured_content["meta"]["next_cursor"] in text


def test_f7_nothing_found_is_worded_and_claims_no_absence(server: Server) -> None:
    text = server.text("grep_code", pattern="hidden_plan", path="ignored")
    assert "no proof that it does not exist" in text
    assert "`ignored` is not indexed because: ignored" in text


def test_a_symbol_is_found_exactly_in_part_and_misspelt(server: Server) -> None:
    assert "`src/net/retry.py:6-8`" in server.text("find_symbol", name="backoff_delay", exact=True)
    assert "`backoff_delay`" in server.text("find_symbol", name="BACKOFF")
    assert "backoff_delay" in server.text("find_symbol", name="bakcoff_delay")
    assert "Nothing found" in server.text("find_symbol", name="zzqqy", exact=True)


def test_a_symbol_of_another_kind_is_left_out(server: Server) -> None:
    text = server.text("find_symbol", name="Client", symbol_type="function")
    assert "**Location**: `src/net/retry.py:11" not in text


def test_usages_show_lines_around_and_never_the_definition(server: Server) -> None:
    result = server.call("find_usages", symbol_name="backoff_delay")
    text = result.content[0].text
    assert "delay = backoff_delay(1)" in text
    assert "return backoff_delay(2) + backoff_delay(3)" in text
    assert "Defined: `backoff_delay`" in text
    assert all(item["line"] != 6 or item["path"] != "src/net/retry.py" for item in result.structured_content["items"])


def test_impact_counts_steps_and_tests(server: Server) -> None:
    text = server.text("analyze_impact", symbol="backoff_delay", depth=2)
    assert "## 1 step away" in text
    assert "Client.request" in text
    assert "## 2 steps away" in text
    assert "`fetch_all`" in text
    assert "[test]" in text


def test_code_of_a_file_a_range_and_a_symbol(server: Server) -> None:
    text = server.text("get_code_context", file_path="src/net/use.py")
    assert "whole file" in text and "(working tree)" in text
    text = server.text("get_code_context", file_path="src/net/use.py", start_line=4, end_line=5)
    assert re.findall(r"^(\d+) ", text, re.MULTILINE) == ["4", "5"]
    text = server.text("get_code_context", file_path="src/net/retry.py", symbol_name="backoff_delay")
    assert "`src/net/retry.py:6-8`" in text
    assert "**Callers**" in text


def test_a_symbol_that_is_not_indexed_falls_back_to_the_text(server: Server) -> None:
    text = server.text("get_code_context", file_path="src/net/retry.py", symbol_name="uniform")
    assert "No definition of `uniform` is indexed" in text
    assert "random.uniform(0" in text


def test_a_long_file_is_cut_and_says_where_to_go_on(project: Path) -> None:
    write_files(project, {"big.py": "".join(f"value_{n} = {n}\n" for n in range(2000)) + "def last():\n    pass\n"})
    result = Server(project).call("get_code_context", file_path="big.py", max_tokens=600)
    text = result.content[0].text
    start = result.structured_content["next_start_line"]
    assert estimate(text) <= 600
    assert f"start_line={start}" in text
    assert "`last` 2001-2002" in text
    again = Server(project).text("get_code_context", file_path="big.py", start_line=start, end_line=start)
    assert f"{start} value_{start - 1} = {start - 1}" in again


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (".env", "secret"),
        ("data.bin", "binary"),
        ("ignored/secret_plan.py", "ignored"),
        ("nowhere.py", "absent"),
    ],
)
def test_a15_a_file_that_is_not_indexed_is_answered_with_the_reason(server: Server, path: str, said: str) -> None:
    text = server.failed("get_code_context", file_path=path)
    assert f"{path} is not indexed because: {said}" in text
    assert "hunter2" not in text
    assert said in server.text("index_status", path=path)


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "src/../../x", "a\0b"])
def test_j4_a_path_outside_the_root_is_refused(server: Server, path: str) -> None:
    assert "F104" in server.failed("get_code_context", file_path=path)
    assert "F104" in server.failed("find_similar", file_path=path, line=1)
    assert "F104" in server.failed("index_status", path=path)


def test_a_link_out_of_the_root_is_not_read(project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("TOP = 'outside text'\n")
    (project / "link.py").symlink_to(tmp_path / "outside.py")
    text = Server(project).failed("get_code_context", file_path="link.py")
    assert "outside text" not in text


def test_similar_code(server: Server) -> None:
    result = server.call("find_similar", file_path="src/net/retry.py", line=7, limit=3)
    assert not result.is_error
    assert "has no code at line 900" in server.failed("find_similar", file_path="src/net/retry.py", line=900)


def test_grep_is_literal_unless_asked(server: Server) -> None:
    assert "return backoff_delay(2)" in server.text("grep_code", pattern="backoff_delay(2)")
    assert "3 " in server.text("grep_code", pattern=r"^import \w+$", regex=True)
    assert "F203" in server.failed("grep_code", pattern="foo(", regex=True)
    assert "backoff_delay" in server.text("grep_code", pattern="BACKOFF_DELAY", ignore_case=True, language="py")


def test_j7_snippets_are_fenced_as_data(server: Server) -> None:
    text = server.text("get_code_context", file_path="docs/fence.md")
    body = text[text.index("````") :]
    assert body.startswith("````markdown\n")
    assert body.split("\n").count("````") == 1


def test_overview_status_and_reindex(server: Server) -> None:
    assert "**Languages**" in server.text("repository_overview")
    text = server.text("index_status")
    assert "holds: " in text and "index fresh" in text
    assert "unchanged" in server.text("reindex", force=False)


def test_edits_are_seen_by_the_next_question(project: Path) -> None:
    fresh = Server(project)
    assert "Nothing found" in fresh.text("grep_code", pattern="brandnewword")
    write_files(project, {"src/new.py": "brandnewword = 1\n"})
    assert "`src/new.py`" in fresh.text("grep_code", pattern="brandnewword")
    (project / "src/new.py").unlink()
    assert "Nothing found" in fresh.text("grep_code", pattern="brandnewword")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_code", {}, "needs the parameter query"),
        ("search_code", {"query": "  "}, "query is empty"),
        ("search_code", {"query": 5}, "query must be a text"),
        ("search_code", {"query": "x", "limit": 0}, "limit must be between 1 and 100"),
        ("search_code", {"query": "x", "limit": True}, "limit must be a whole number"),
        ("search_code", {"query": "x", "lang": "py"}, "no parameter 'lang'"),
        ("search_code", {"query": "x", "language": "klingon"}, "klingon"),
        ("search_code", {"query": "x", "path": "../up"}, "leaves the root"),
        ("search_code", {"query": "x", "service": "nope"}, "there is no service 'nope'"),
        ("analyze_impact", {"symbol": "x", "direction": "sideways"}, "there is no direction"),
        ("get_code_context", {"file_path": "src/net/use.py", "start_line": 9000}, "so none at 9,000"),
        ("get_code_context", {"file_path": "src/net/use.py", "start_line": 5, "end_line": 2}, "before start_line"),
    ],
)
def test_a_wrong_argument_is_one_sentence(server: Server, tool: str, arguments: dict[str, object], said: str) -> None:
    text = server.failed(tool, **arguments)
    assert said in text
    assert text.startswith("error F1")
    assert "Traceback" not in text


def test_numbers_that_clients_send_as_texts_are_read(server: Server) -> None:
    assert server.call("search_code", query="backoff", limit="2").structured_content["items"]
    assert server.call("search_code", query="backoff", limit=2.0, path=None).structured_content["items"]


def test_an_unknown_tool_is_an_error_of_the_protocol(server: Server) -> None:
    with pytest.raises(MCPError, match="there is no tool"):
        server.call("no_such_tool")


def test_f4_a_fault_is_an_error_with_the_logs_place_and_no_trace(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fourfold.interfaces.mcp import server as module

    monkeypatch.setattr(module, "tool", lambda name: lambda call: 1 / 0)
    with pytest.raises(MCPError) as caught:
        server.call("search_code", query="x")
    assert "ZeroDivisionError" in caught.value.message
    assert "the-log" in caught.value.message
    assert "Traceback" not in caught.value.message


def test_a_root_that_cannot_be_indexed_is_told_by_each_question(tmp_path: Path, cache: Path) -> None:
    assert "does not exist" in Server(tmp_path / "gone").failed("search_code", query="x")
    assert "F301" in Server(Path("/")).failed("search_code", query="x")


def test_resources_are_files_and_the_overview(server: Server) -> None:
    async def work(client: object) -> list[str]:
        file = await client.read_resource("fourfold://file/src/net/use.py")  # type: ignore[attr-defined]
        overview = await client.read_resource("fourfold://overview")  # type: ignore[attr-defined]
        templates = await client.list_resource_templates()  # type: ignore[attr-defined]
        return [file.contents[0].text, overview.contents[0].text, templates.resource_templates[0].uri_template]

    file, overview, template = talk(server.made(), work)
    assert file == (server.roots[0] / "src/net/use.py").read_text()
    assert "**Languages**" in overview
    assert template == "fourfold://file/{+path}"
    for uri in ("fourfold://file/.env", "fourfold://file/..%2F..%2Fetc/passwd", "fourfold://other"):
        with pytest.raises(MCPError):
            talk(server.made(), lambda client, uri=uri: client.read_resource(uri))


def test_prompts(server: Server) -> None:
    listed = talk(server.made(), lambda client: client.list_prompts()).prompts
    assert [prompt.name for prompt in listed] == ["system_overview", "explain_symbol", "plan_change"]

    def get(name: str, **arguments: str) -> str:
        found = talk(server.made(), lambda client: client.get_prompt(name, arguments))
        return str(found.messages[0].content.text)

    assert "`Client`" in get("explain_symbol", symbol="Client")
    assert "add a cache" in get("plan_change", change="add a cache")
    assert "**Languages**" in get("system_overview")
    with pytest.raises(MCPError, match="needs symbol"):
        get("explain_symbol")


def test_the_modern_protocol_is_served_as_well(server: Server) -> None:
    result = talk(
        server.made(), lambda client: client.call_tool("search_code", {"query": "backoff"}), mode="2026-07-28"
    )
    assert result.structured_content["items"]


@pytest.mark.parametrize("tool", [("search_code", "query"), ("grep_code", "pattern")])
def test_a_language_of_which_nothing_is_indexed_is_said_to_be_absent(server: Server, tool: tuple[str, str]) -> None:
    text = server.text(tool[0], **{tool[1]: "retry"}, language="cobol")
    assert "no file of cobol is indexed here, only of python" in text
    assert "Nothing found" in text
