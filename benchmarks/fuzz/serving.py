"""Targets that need a server: messages of MCP clients and requests of HTTP clients, on one small indexed project."""

from __future__ import annotations

import asyncio
import atexit
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, unquote_to_bytes

from fourfold import Index
from fourfold.config.load import load_settings

FILES = {
    "src/retry.py": 'def backoff_delay(attempt):\n    """Back-off with jitter."""\n    return 2 ** attempt\n',
    "src/use.py": "from src.retry import backoff_delay\n\n\ndef wait():\n    return backoff_delay(3)\n",
    "docs/guide.md": "# Guide\n\nHow retries are delayed.\n",
    ".env": "PASSWORD=hunter2hunter2\n",
}
SECRET = "hunter2"
SERVED = "fuzzedproject"
"""Name of the folder: no answer over HTTP may tell where it lies."""

Request = tuple[str, str, list[tuple[str, str]], bytes]
"""Method, target (path and query), headers, body."""


@cache
def project() -> Path:
    """The folder of the project, deleted with the process."""
    folder = Path(tempfile.mkdtemp(prefix="ff"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, text in FILES.items():
        place = folder / SERVED / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder / SERVED


@cache
def _index() -> Index:
    given = {"cache_dir": str(project().parent / "cache"), "embedding.model": "hash"}
    index = Index.open(project(), root=project(), settings=load_settings(project(), given, environ={}).settings)
    index.refresh()
    return index


@cache
def _workspace() -> Any:
    from fourfold.interfaces.mcp.service import Service
    from fourfold.interfaces.mcp.workspace import Workspace

    workspace = Workspace([], fixed=True)
    workspace._services = {SERVED: Service(SERVED, project(), _index)}
    return workspace


def message(data: bytes) -> None:
    """A line of an MCP client is a message or refused under JSON-RPC; a call of a tool is answered, or refused in a
    sentence; neither tells a secret."""
    import io

    from mcp.types import jsonrpc_message_adapter

    from fourfold.interfaces.mcp.lines import Lines
    from fourfold.interfaces.mcp.unreadable import refusal

    for line in iter(Lines(io.BytesIO(data), most=2_000).next, None):
        try:
            read = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except Exception as error:
            json.loads(refusal(error).model_dump_json())
            continue
        params = getattr(read, "params", None)
        if getattr(read, "method", "") == "tools/call" and isinstance(params, dict):
            _called(params.get("name"), params.get("arguments"))


def _called(name: Any, arguments: Any) -> None:
    from fourfold.interfaces.mcp.arguments import checked
    from fourfold.interfaces.mcp.call import Call
    from fourfold.interfaces.mcp.schemas import INPUT
    from fourfold.interfaces.mcp.tools.table import tool

    if not isinstance(name, str) or name not in INPUT or not isinstance(arguments, (dict, type(None))):
        return
    given = checked(name, INPUT[name], arguments)
    reply = tool(name)(Call(_workspace(), given))
    told = reply.text + json.dumps(reply.data)
    told.encode()
    assert SECRET not in told, "a secret was told"


def tool_call(name: str, arguments: dict[str, Any]) -> bytes:
    """The line that calls a tool."""
    params = {"name": name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode() + b"\n"


@cache
def _served() -> tuple[Any, asyncio.AbstractEventLoop]:
    from fourfold.interfaces.http.app import create_app
    from fourfold.interfaces.http.options import ServeOptions

    return create_app(_index(), ServeOptions(read_only=True, rate=1e9)), asyncio.new_event_loop()


def requested(request: Request) -> None:
    """A request has an answer below 500, or 503; it tells neither a secret nor a place of the machine, and carries the
    headers that keep foreign things out."""
    app, loop = _served()
    method, target, headers, body = request
    path, _, query = target.partition("?")
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote_to_bytes(path).decode("utf-8", "replace"),
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": query.encode("utf-8", "replace"),
        "headers": [(name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
                    for name, value in [("host", "localhost:8000"), *headers]],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8000),
        "root_path": "",
    }  # fmt: skip
    parts = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> dict[str, Any]:
        return next(parts, {"type": "http.disconnect"})

    async def send(part: dict[str, Any]) -> None:
        sent.append(part)

    loop.run_until_complete(asyncio.wait_for(app(scope, receive, send), 30.0))
    status = sent[0]["status"]
    names = {name.decode("latin-1").lower() for name, _ in sent[0]["headers"]}
    content = b"".join(part.get("body", b"") for part in sent[1:])
    assert status < 500 or status == 503, f"status {status}: {content[:300]!r}"
    assert {"content-security-policy", "x-content-type-options"} <= names, f"{status} without {sorted(names)}"
    assert SECRET.encode() not in content, "a secret was told"
    assert str(project().parent).encode() not in content, "a place was told"


ROUTES = (
    "/", "/search", "/file", "/healthz", "/login", "/openapi.json", "/static/page.css",
    *(f"/api/v1/{name}" for name in (
        "search", "grep", "symbol", "usages", "impact", "context", "similar", "match", "routes", "overview", "file",
        "graph", "status", "status/path", "history", "ask", "index", "reindex", "jobs/1", "webhooks/github",
        "pipelines",
    )),
)  # fmt: skip
PARAMETERS = (
    "q", "pattern", "name", "target", "file", "line", "path", "limit", "preset", "language", "kind", "direction",
    "depth", "start", "end", "in_language", "literal", "explain", "token", "not_path",
)  # fmt: skip
VALUES = (
    "backoff_delay", "src/retry.py", "../.env", ".env", "/etc/passwd", "1", "-1", "999999999999", "true", "python",
    "\0", "a\nb", "((", "def $A($$$)", "\u202e", "%", "lang:py kind:", "default", "function",
)  # fmt: skip


def http_request(data: bytes) -> Request:
    """The request that some bytes stand for: method and target in the first line, headers behind, then the body."""
    head, _, body = data.partition(b"\n\n")
    first, *rest = head.decode("utf-8", "replace").split("\n")
    method, _, target = first.partition(" ")
    headers = [cast("tuple[str, str]", tuple(line.split(":", 1))) for line in rest if ":" in line]
    return method or "GET", target or "/", [(name, value.strip()) for name, value in headers], body


def written(method: str, route: str, pairs: list[tuple[str, str]], headers: list[str], body: bytes) -> bytes:
    """Bytes that :func:`http_request` reads."""
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in pairs)
    return "\n".join([f"{method} {route}?{query}", *headers]).encode("utf-8", "replace") + b"\n\n" + body


Check = Callable[[Any], None]
