"""Streamable HTTP: a real server on a free port, and who may ask."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from fourfold.interfaces.mcp.guard import Guard, is_loopback
from fourfold.interfaces.mcp.http import serve_http
from fourfold.interfaces.mcp.server import McpServer
from fourfold.interfaces.mcp.workspace import Workspace
from fourfold.model.errors import BackendUnavailable, UsageError
from mcp import Client

TOKEN = "0123456789abcdef-token"


def status(path: str = "/mcp", host: str = "127.0.0.1", token: str = "", **headers: str) -> int:
    """The status that a guarded application of one route answers with."""

    async def hello(request: Any) -> PlainTextResponse:
        return PlainTextResponse("hello")

    app = Guard(Starlette(routes=[Route("/mcp", hello)]), host, token)
    found: list[int] = []

    async def main() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                found.append(message["status"])

        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "GET", "path": path, "headers": raw, "query_string": b"", "root_path": ""}
        await app(scope, receive, send)

    anyio.run(main)
    return found[0]


@pytest.mark.parametrize("host", ["127.0.0.1:8001", "localhost:8001", "localhost", "[::1]:9", "LOCALHOST"])
def test_requests_to_this_machine_pass(host: str) -> None:
    assert status(Host=host) == 200


@pytest.mark.parametrize("path", ["/mcp", "/", "/docs", "/.well-known/oauth-protected-resource", "/mcp/x"])
def test_j5_a_foreign_host_or_origin_is_refused_on_every_route(path: str) -> None:
    for host in ("evil.example", "evil.example:8001", "127.0.0.1.evil.example", "localhost.evil.example:80", ""):
        assert status(path, Host=host) == 421
    for origin in ("http://evil.example", "https://127.0.0.1.evil.example", "null", "file://", "http://[bad"):
        assert status(path, Host="127.0.0.1:8001", Origin=origin) == 403
    assert status(path, Host="127.0.0.1:8001", Origin="http://localhost:3000") in (200, 404)


def test_a_token_is_needed_where_there_is_one() -> None:
    ours = {"Host": "box.lan:8001"}
    assert status("/mcp", "0.0.0.0", TOKEN, **ours) == 401
    assert status("/other", "0.0.0.0", TOKEN, **ours) == 401
    assert status("/mcp", "0.0.0.0", TOKEN, **ours, Authorization="Bearer wrong") == 401
    assert status("/mcp", "0.0.0.0", TOKEN, **ours, Authorization=f"Basic {TOKEN}") == 401
    assert status("/mcp", "0.0.0.0", TOKEN, **ours, Authorization=f"Bearer {TOKEN}") == 200


def test_off_this_machine_a_token_is_needed_to_start(tmp_path: Path) -> None:
    server = McpServer(Workspace([tmp_path]))
    with pytest.raises(UsageError, match="no token"):
        serve_http(server, "0.0.0.0", 0, "")
    with pytest.raises(UsageError, match="shorter"):
        serve_http(server, "0.0.0.0", 0, "abc")
    with pytest.raises(BackendUnavailable, match="cannot listen"):
        serve_http(server, "203.0.113.7", 0, TOKEN)


@pytest.mark.parametrize(
    ("host", "good"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("box", False)],
)
def test_what_is_this_machine(host: str, good: bool) -> None:
    assert is_loopback(host) is good


@pytest.fixture
def address(project: Path) -> Iterator[str]:
    """A running server."""
    code = "from fourfold.interfaces.cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "mcp", "--http", "--port", "0", "--root", str(project)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=dict(os.environ),
        text=True,
    )
    assert process.stderr is not None and process.stdout is not None
    line = process.stderr.readline()
    found = re.search(r"http://\S+", line)
    assert found, line
    yield found.group()
    process.terminate()
    process.wait(30)
    assert process.stdout.read() == ""
    process.stdout.close()
    process.stderr.close()


def test_the_sdks_client_over_http_and_eight_at_once(address: str) -> None:
    texts: list[str] = []

    async def one() -> None:
        async with Client(address, mode="legacy") as client:
            result = await client.call_tool("search_code", {"query": "back-off delay"})
            while result.is_error and "ask again" in result.content[0].text:  # type: ignore[union-attr]
                result = await client.call_tool("search_code", {"query": "back-off delay"})
            texts.append(result.content[0].text)  # type: ignore[union-attr]

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(one)

    anyio.run(main)
    assert len(texts) == 8
    assert all("src/net/retry.py" in text for text in texts)
