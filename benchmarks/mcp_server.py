"""How fast the MCP server is: ``python -m benchmarks.mcp_server --root DIR``.

Over stdio with the SDK's own client: `initialize` against an empty server of the same SDK, the time of each tool (p50,
p99), eight clients at once, and the server's memory over a thousand calls. Prints a table and writes
``benchmarks/results/mcp.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio

from benchmarks.dataset import HERE
from benchmarks.machine import circumstances
from benchmarks.tables import table
from mcp import Client, StdioServerParameters

EMPTY = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
async def main():
    server = Server("empty")
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
anyio.run(main)
"""
OURS = "from fourfold.interfaces.cli.main import main; main()"
STARTS = 9
CALLS = 40
CLIENTS = 8
MANY = 1000


def calls(symbol: str, path: str, line: int) -> dict[str, dict[str, Any]]:
    """One call of each tool."""
    return {
        "search_code": {"query": "how are transactions rolled back on error"},
        "find_symbol": {"name": symbol},
        "find_usages": {"symbol_name": symbol},
        "get_code_context": {"file_path": path, "start_line": line, "end_line": line + 60},
        "analyze_impact": {"symbol": symbol, "depth": 2},
        "find_similar": {"file_path": path, "line": line},
        "grep_code": {"pattern": symbol},
        "repository_overview": {},
        "index_status": {"path": path},
    }


def start_ms(code: str, arguments: list[str], env: dict[str, str]) -> float:
    """From the start of the process to the answer to `initialize`."""
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    }
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=env,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(hello).encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    took = (time.perf_counter() - began) * 1000
    process.stdin.close()
    process.wait(30)
    process.stdout.close()
    return took


def starts(root: Path, env: dict[str, str]) -> dict[str, float]:
    """Medians of both servers, started in turn."""
    ours, empty = [], []
    for _ in range(STARTS):
        empty.append(start_ms(EMPTY, [], env))
        ours.append(start_ms(OURS, ["mcp", "--root", str(root)], env))
    pairs = [one / other for one, other in zip(ours, empty, strict=True)]
    return {
        "empty_ms": statistics.median(empty),
        "ours_ms": statistics.median(ours),
        "ratio": statistics.median(pairs),
    }


async def speak(
    root: Path, env: dict[str, str], asked: dict[str, dict[str, Any]]
) -> tuple[dict[str, list[float]], list[float]]:
    """Times of each tool in ms, and the server's memory in MB every hundred calls of a thousand."""
    pid_file = Path(env["FOURFOLD_CACHE_DIR"]) / "pid"
    code = f"import os; open({str(pid_file)!r}, 'w').write(str(os.getpid())); {OURS}"
    parameters = StdioServerParameters(command=sys.executable, args=["-c", code, "mcp", "--root", str(root)], env=env)
    times: dict[str, list[float]] = {name: [] for name in asked}
    memory: list[float] = []
    async with Client(parameters) as client:
        for name, arguments in asked.items():
            await client.call_tool(name, arguments)
            for _ in range(CALLS):
                began = time.perf_counter()
                result = await client.call_tool(name, arguments)
                assert not result.is_error, (name, result.content)
                times[name].append((time.perf_counter() - began) * 1000)
        pid = int(pid_file.read_text())
        memory.append(resident_mb(pid))
        names = list(asked)
        for number in range(MANY):
            name = names[number % len(names)]
            await client.call_tool(name, asked[name])
            if number % 100 == 99:
                memory.append(resident_mb(pid))
    return times, memory


async def crowd(root: Path, env: dict[str, str], question: dict[str, Any]) -> list[float]:
    """Times of searches of eight clients at once, each with a server of its own."""
    parameters = StdioServerParameters(command=sys.executable, args=["-c", OURS, "mcp", "--root", str(root)], env=env)
    times: list[float] = []

    async def one() -> None:
        async with Client(parameters) as client:
            await client.call_tool("search_code", question)
            for _ in range(10):
                began = time.perf_counter()
                result = await client.call_tool("search_code", question)
                assert not result.is_error
                times.append((time.perf_counter() - began) * 1000)

    async with anyio.create_task_group() as group:
        for _ in range(CLIENTS):
            group.start_soon(one)
    return times


def resident_mb(pid: int) -> float:
    """Memory of a process in MB (Linux)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def spread(times: list[float]) -> dict[str, float]:
    """Median and 99th percentile."""
    ordered = sorted(times)
    return {"p50_ms": statistics.median(ordered), "p99_ms": ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--symbol", default="get_connection")
    parser.add_argument("--path", default="db/transaction.py")
    parser.add_argument("--line", type=int, default=190)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        env = dict(os.environ, FOURFOLD_CACHE_DIR=scratch, OPENBLAS_NUM_THREADS="1")
        # As in an installed package, compiled modules are kept.
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        env["PYTHONPYCACHEPREFIX"] = str(Path(scratch) / "compiled")
        subprocess.run(
            [sys.executable, "-c", OURS, "--root", str(chosen.root), "index"],
            env=env,
            check=True,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        record: dict[str, Any] = circumstances("python -m benchmarks.mcp_server")
        record["start"] = starts(chosen.root, env)
        asked = calls(chosen.symbol, chosen.path, chosen.line)
        times, memory = anyio.run(speak, chosen.root, env, asked)
        record["tools"] = {name: spread(values) for name, values in times.items()}
        record["eight_clients"] = spread(anyio.run(crowd, chosen.root, env, asked["search_code"]))
        record["memory_mb"] = [round(value, 1) for value in memory]
    (HERE / "results" / "mcp.json").write_text(json.dumps(record, indent=1) + "\n")
    print(
        f"initialize: {record['start']['ours_ms']:.0f} ms, an empty server {record['start']['empty_ms']:.0f} ms, "
        f"ratio {record['start']['ratio']:.2f}"
    )
    rows = [[name, f"{found['p50_ms']:.1f}", f"{found['p99_ms']:.1f}"] for name, found in record["tools"].items()]
    found = record["eight_clients"]
    rows.append(["search_code, 8 clients", f"{found['p50_ms']:.1f}", f"{found['p99_ms']:.1f}"])
    print(table(["tool", "p50 ms", "p99 ms"], rows))
    print("memory over 1,000 calls, MB:", ", ".join(f"{value:.0f}" for value in record["memory_mb"]))


if __name__ == "__main__":
    main()
