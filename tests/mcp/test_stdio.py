"""The program as a process: what stands on standard output, what initialize loads, how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp.conftest import write_files

from mcp import Client, StdioServerParameters

MAIN = "from fourfold.interfaces.cli.main import main; main()"


class Process:
    """A server as a process, spoken to in raw JSON lines."""

    def __init__(self, root: Path, code: str = MAIN, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "mcp", "--root", str(root), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ),
        )
        self.lines: list[bytes] = []

    def send(self, method: str, params: dict[str, Any] | None = None, number: int | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        if number is not None:
            message["id"] = number
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, number: int) -> dict[str, Any]:
        """The reply to a request; every line before it is kept."""
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            self.lines.append(line)
            message = json.loads(line)
            if message.get("id") == number:
                return dict(message)
        raise AssertionError(f"no answer: {self.process.stderr.read().decode()}")  # type: ignore[union-attr]

    def begin(self) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        self.send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}, 1)
        reply = self.answer(1)
        self.send("notifications/initialized")
        return reply

    def call(self, number: int, tool: str, **arguments: Any) -> dict[str, Any]:
        self.send("tools/call", {"name": tool, "arguments": arguments}, number)
        return self.answer(number)

    def end(self) -> tuple[int, str]:
        """Close the connection; the exit code and what stood on standard error."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(30)
        self.lines += self.process.stdout.readlines()
        self.process.stdout.close()
        error = self.process.stderr.read().decode()  # type: ignore[union-attr]
        self.process.stderr.close()  # type: ignore[union-attr]
        return code, error


NOISY = """
import os, sys
from fourfold.interfaces.mcp.tools import table
real = table.tool
def tool(name):
    print("a stray line")
    sys.stdout.flush()
    os.write(1, b"raw bytes\\n")
    os.system("echo from a child")
    import warnings; warnings.warn("a warning")
    if name == "grep_code":
        raise RuntimeError("a crash")
    return real(name)
table.tool = tool
from fourfold.interfaces.cli.main import main
main()
"""


def test_f1_standard_output_is_json_rpc_only_whatever_libraries_print(project: Path) -> None:
    write_files(project, {f"many/m{n}.py": f"def made_{n}():\n    return {n}\n" for n in range(250)})
    server = Process(project, NOISY)
    server.begin()
    found = server.call(2, "search_code", query="back-off delay")
    assert "error" not in found
    crash = server.call(3, "grep_code", pattern="x")
    code, error = server.end()
    assert code == 0
    for line in server.lines:
        assert json.loads(line)["jsonrpc"] == "2.0"
    assert "a stray line" in error and "raw bytes" in error and "from a child" in error
    assert "RuntimeError" in crash["error"]["message"]
    log = Path(crash["error"]["data"]["log"])
    assert "a crash" in log.read_text()
    assert "Traceback" not in json.dumps(crash)


PROBE = """
import sys, threading
from fourfold.interfaces.mcp.server import McpServer
real = McpServer._list_tools
async def listed(self, ctx, params):
    heavy = [name for name in ("numpy", "tree_sitter", "re2", "sqlite3", "Stemmer") if name in sys.modules]
    print("loaded", heavy, file=sys.stderr, flush=True)
    return await real(self, ctx, params)
McpServer._list_tools = listed
from fourfold.interfaces.mcp.client_roots import ClientRoots
async def nothing(self, ctx, again=False): pass
ClientRoots.learn = nothing
from fourfold.interfaces.cli.main import main
main()
"""


def test_f2_initialize_and_the_list_of_tools_load_nothing_heavy(project: Path) -> None:
    server = Process(project, PROBE)
    reply = server.begin()
    assert reply["result"]["serverInfo"]["name"] == "fourfold"
    server.send("tools/list", {}, 2)
    assert len(server.answer(2)["result"]["tools"]) == 11
    _, error = server.end()
    assert "loaded []" in error


def test_it_ends_when_the_client_goes_also_while_it_is_indexing(project: Path) -> None:
    write_files(project, {f"many/m{n}.py": f"def made_{n}():\n    return {n}\n" * 20 for n in range(300)})
    server = Process(project)
    server.begin()
    code, _ = server.end()
    assert code == 0


@pytest.mark.skipif(os.name != "posix", reason="parents are followed on POSIX only")
def test_one_interrupt_ends_it_though_the_client_says_nothing(project: Path) -> None:
    server = Process(project)
    server.begin()
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(20) == 0
    assert server.end()[0] == 0


def test_d9_it_ends_with_the_process_that_started_it(project: Path, tmp_path: Path) -> None:
    """The parent dies without closing the connection: something else still holds the pipe open."""
    watching = tmp_path / "watching"
    quick = f"""
import fourfold.interfaces.mcp.stdio as stdio
watch, stdio.WATCH_S = stdio._watch, 0.05
def told(*arguments):
    open({str(watching)!r}, "w").close()
    watch(*arguments)
stdio._watch = told
{MAIN}
"""
    # The write end is inherited by the child itself, so that its standard input never ends.
    parent = f"""
import os, subprocess, sys, time
held, other = os.pipe()
child = subprocess.Popen([sys.executable, "-c", {quick!r}, "mcp", "--root", {str(project)!r}],
                         stdin=held, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=[other])
open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
while not os.path.exists({str(watching)!r}) and child.poll() is None:
    time.sleep(0.02)
"""
    subprocess.run([sys.executable, "-c", parent], check=True, timeout=120)
    assert watching.exists()
    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and _alive(pid):
        time.sleep(0.1)
    assert not _alive(pid)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_the_sdks_client_over_stdio(project: Path) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-c", MAIN, "mcp", "--root", str(project)], env=dict(os.environ)
    )

    async def main() -> str:
        async with Client(parameters) as client:
            result = await client.call_tool("find_symbol", {"name": "backoff_delay"})
            return str(result.content[0].text)  # type: ignore[union-attr]

    assert "`src/net/retry.py:6-8`" in anyio.run(main)


def test_rubbish_on_the_wire_is_answered_or_ignored_and_not_the_end(project: Path) -> None:
    server = Process(project)
    server.begin()
    assert server.process.stdin is not None
    server.process.stdin.write(b"{ this is no json\n\xff\xfe\n[]\n")
    assert "result" in server.call(5, "index_status")
    assert server.end()[0] == 0


def test_a_message_that_is_too_long_is_refused_and_not_the_end(project: Path) -> None:
    server = Process(project)
    server.begin()
    assert server.process.stdin is not None and server.process.stdout is not None
    server.process.stdin.write(b'{"x": "' + b"x" * 6_000_000 + b'"}\n')
    server.process.stdin.flush()
    refused = json.loads(server.process.stdout.readline())
    assert refused["error"] == {"code": -32700, "message": "a message of more than 4 MB is not read; send less at once"}
    assert refused["id"] is None
    server.send("ping", number=3)
    assert server.answer(3)["result"] == {}
    assert server.end()[0] == 0
