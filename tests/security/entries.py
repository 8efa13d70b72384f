"""Every entry point that takes a path: a name, and a call that gives back all that it shows (errors included)."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import anyio

from fourfold import Index
from fourfold.engine.kept import KeptIndexes
from fourfold.interfaces.cli.program import run
from fourfold.model.errors import FourfoldError
from fourfold.model.query import Filters

Shown = str
"""What an entry point shows of a path, as text."""
LINE = "return"
"""Stands in every file of the project, refused or not."""

CLI: dict[str, Callable[[str], list[str]]] = {
    "status": lambda path: ["status", "--", path],
    "context": lambda path: ["context", "--no-refresh", "--", path],
    "similar": lambda path: ["similar", "--no-refresh", "--", f"{path}:1"],
    "match": lambda path: ["match", "--no-refresh", "--lang", "python", f"--path={path}", "def $A(): $$$B"],
    "search": lambda path: ["search", "--no-refresh", f"--path={path}", LINE],
    "search path:": lambda path: ["search", "--no-refresh", "--", f"{LINE} path:{path}"],
    "grep": lambda path: ["grep", "--no-refresh", "--", LINE, path],
    "grep -g": lambda path: ["grep", "--no-refresh", f"--glob={path}", LINE],
    "symbol": lambda path: ["symbol", "--no-refresh", f"--path={path}", "greeting_of_the_inside"],
}
PYTHON: dict[str, Callable[[Index, str], object]] = {
    "read": lambda index, path: index.read(path),
    "status_of": lambda index, path: index.status_of(path),
    "context": lambda index, path: index.context(path, refresh=False),
    "similar": lambda index, path: index.similar(path, 1, refresh=False),
    "match": lambda index, path: index.match("def $A(): $$$B", language="python", filters=_below(path), refresh=False),
    "search": lambda index, path: index.search(LINE, filters=_below(path), refresh=False),
    "grep": lambda index, path: index.grep(LINE, filters=_below(path), refresh=False),
}
HTTP = {
    "file": "/api/v1/file?path={}",
    "status": "/api/v1/status/path?path={}",
    "context": "/api/v1/context?target={}",
    "similar": "/api/v1/similar?file={}&line=1",
    "match": "/api/v1/match?pattern=def%20$A():%20$$$B&in_language=python&path={}",
    "search": "/api/v1/search?q=return&path={}",
    "grep": "/api/v1/grep?pattern=return&path={}",
    "graph": "/api/v1/graph?name=greeting_of_the_inside&path={}",
    "page of a file": "/file/{}",
    "page's lines": "/part/lines?path={}&start=1&end=3",
    "page's results": "/part/results?q=return&path={}",
    "page of the graph": "/graph?symbol=greeting_of_the_inside&path={}",
    "page of the index": "/index?path={}",
}
MCP: dict[str, Callable[[Any, str], Awaitable[Any]]] = {
    "get_code_context": lambda client, path: client.call_tool("get_code_context", {"file_path": path}),
    "find_similar": lambda client, path: client.call_tool("find_similar", {"file_path": path, "line": 1}),
    "index_status": lambda client, path: client.call_tool("index_status", {"path": path}),
    "search_code": lambda client, path: client.call_tool("search_code", {"query": LINE, "path": path}),
    "grep_code": lambda client, path: client.call_tool("grep_code", {"pattern": LINE, "path": path}),
    "resource": lambda client, path: client.read_resource("fourfold://file/" + path),
    "resource, encoded": lambda client, path: client.read_resource("fourfold://file/" + quoted(path)),
}


def quoted(path: str) -> str:
    """A path percent-encoded whole, whatever characters it holds."""
    return quote(path.encode("utf-8", "surrogatepass"), safe="")


def ask_cli(root: Path, arguments: Sequence[str], kept: KeptIndexes) -> Shown:
    """What the program prints on both streams; a traceback is a failure. Indexes stay open in `kept`."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="\n") for _ in range(2))
    with contextlib.chdir(root), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments, kept)
    text = ""
    for stream in (out, err):
        stream.flush()
        raw = stream.buffer
        assert isinstance(raw, BytesIO)
        text += raw.getvalue().decode()
    assert code in (0, 1, 2), text
    return text


def ask_python(index: Index, ask: Callable[[Index, str], object], path: str) -> Shown:
    """The answer's representation, or the error; any other exception is a failure."""
    try:
        return repr(ask(index, path))
    except FourfoldError as error:
        return f"{error.code} {error.message} {error.hint}"


async def ask_http(app: Any, address: str, path: str) -> Shown:
    """The body of the reply; a status of a fault is a failure. The server's interface is called as it stands: a client
    in between would take four times as long, and put a path such as ``..`` in order before it is sent."""
    raw, _, query = address.format(quoted(path)).partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(raw),
        "raw_path": raw.encode("ascii"),
        "query_string": query.encode("ascii"),
        "root_path": "",
        "headers": [(b"host", b"localhost:8000")],
        "client": ("127.0.0.1", 50_000),
        "server": ("localhost", 8000),
    }
    sent: list[dict[str, Any]] = []
    asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        message = next(asked, None)
        if message is None:
            await anyio.sleep_forever()
            raise AssertionError("never awakes")
        return message

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    text = b"".join(message.get("body", b"") for message in sent).decode()
    assert sent[0]["status"] < 500, text
    return text


async def ask_mcp(client: Any, ask: Callable[[Any, str], Awaitable[Any]], path: str) -> Shown:
    """Text and structured content, or the error; a fault of the server is a failure."""
    from mcp.shared.exceptions import MCPError

    try:
        result = await ask(client, path)
    except MCPError as error:
        assert "unexpected" not in error.message, error.message
        return error.message
    structured = json.dumps(getattr(result, "structured_content", None))
    contents = getattr(result, "content", None) or result.contents
    return " ".join([*(item.text for item in contents), structured])


def _below(path: str) -> Filters:
    return Filters(paths=(path,))
