"""The interfaces by which the askers ask: each a context that gives a function (kind, text) -> JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote

from benchmarks.concurrency.asking import Ask, Plain

MAIN = (sys.executable, "-m", "fourfold")
ADDRESS = re.compile(r"(http://\S+?)/ ")
TIMEOUT_S = 300.0
"""Nothing takes nearly as long on however busy a machine: what does hangs."""


@contextmanager
def by_python(root: Path, *, refresh: bool) -> Iterator[Ask]:
    """An index that stays open."""
    from fourfold import Index

    with Index.open(root, root=root) as index:

        def ask(kind: str, text: str) -> Plain:
            asked = {"search": index.search, "grep": index.grep, "symbol": partial(index.symbol, exact=True)}[kind]
            answer: Plain = asked(text, refresh=refresh).to_dict()  # type: ignore[operator]
            return answer

        yield ask


@contextmanager
def by_command(root: Path, *options: str) -> Iterator[Ask]:
    """A process for each question."""

    def ask(kind: str, text: str) -> Plain:
        more = ("--exact",) if kind == "symbol" else ()
        command = (*MAIN, *options, kind, *more, "--json", "--", text)
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        if ran.returncode not in (0, 1):
            raise RuntimeError(f"exit code {ran.returncode}: {ran.stderr[-300:]}")
        found: Plain = json.loads(ran.stdout)
        return found

    yield ask


@contextmanager
def by_mcp(root: Path) -> Iterator[Ask]:
    """A server over standard input and output."""
    tools = {"search": ("search_code", "query"), "grep": ("grep_code", "pattern"), "symbol": ("find_symbol", "name")}
    with subprocess.Popen([*MAIN, "mcp"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        sent, received, number = server.stdin, server.stdout, 0

        def tell(method: str, params: Plain, **more: int) -> None:
            sent.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}) + "\n")
            sent.flush()

        def call(method: str, params: Plain) -> Plain:
            nonlocal number
            number += 1
            tell(method, params, id=number)
            while True:
                reply = json.loads(received.readline())
                if reply.get("id") == number:
                    if "error" in reply or reply["result"].get("isError"):
                        raise RuntimeError(str(reply)[:300])
                    result: Plain = reply["result"]
                    return result

        def ask(kind: str, text: str) -> Plain:
            tool, name = tools[kind]
            answer: Plain = call("tools/call", {"name": tool, "arguments": {name: text}})["structuredContent"]
            return answer

        client = {"name": "concurrency", "version": "1"}
        call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        tell("notifications/initialized", {})
        yield ask
        sent.close()
        server.wait(TIMEOUT_S)


@contextmanager
def by_http(root: Path) -> Iterator[Ask]:
    """A server on a free port of this machine."""
    names = {"search": "q", "grep": "pattern", "symbol": "name"}
    with subprocess.Popen([*MAIN, "serve", "--port", "0"], cwd=root, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        threading.Thread(target=server.stderr.read, daemon=True).start()  # lest its log fills the pipe
        found = ADDRESS.search(line)
        if found is None:
            raise RuntimeError(f"the server did not start: {line}")

        def ask(kind: str, text: str) -> Plain:
            address = f"{found[1]}/api/v1/{kind}?{names[kind]}={quote(text)}"
            with urllib.request.urlopen(address, timeout=TIMEOUT_S) as reply:
                answer: Plain = json.load(reply)
                return answer

        yield ask
        server.terminate()
        server.wait(TIMEOUT_S)


WAYS: dict[str, Callable[[Path], AbstractContextManager[Ask]]] = {
    "python": partial(by_python, refresh=True),
    "python without a refresh": partial(by_python, refresh=False),
    "command": lambda root: by_command(root, "--no-helper"),
    "command by the helper": lambda root: by_command(root),
    "mcp": by_mcp,
    "http": by_http,
}
SLACK_S = {"python without a refresh": 2.0, "http": 2.0}
"""What these call up to date was so at most that long ago (docs: `index/freshness.CHECK_S`, docs/http.md)."""
