"""Many clients at once against ``fourfold serve``, beside a bare ``/healthz``.

    python -m benchmarks.http_load --root django --clients 200 --seconds 60

The server is a process of its own, the clients are this one; both share the machine. Each client holds one connection
and asks again as soon as it is answered. Printed for each target: answers a second, median, 99th percentile and worst
time, statuses other than 200, connections that broke, and the server's memory (resident set) and processor time.
Times include the wait for a turn: with N clients and R answers a second the median is about N / R.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import quote

from benchmarks.machine import circumstances

WORDS = """migrations session filter connection csrf template paginator field password url form cache signal
translation email admin queryset middleware""".split()
QUESTIONS = tuple(f"how are {' '.join(three)} handled" for three in itertools.combinations(WORDS, 3))
"""816 questions to a web framework: far more than a server keeps answers of, and no word that its source lacks."""
WARM_UP_S = 5.0
ADDRESS = re.compile(r"serving .* at http://(\S+?):(\d+)/ \(")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Load:
    """What a target stood. Times in milliseconds, memory in MB, processor time in seconds; `wrong` counts statuses
    other than 200, `broken` connections that ended without an answer."""

    target: str
    clients: int
    seconds: float
    answers: int
    per_second: float
    median: float
    p99: float
    worst: float
    wrong: dict[str, int]
    broken: int
    memory_before: float
    memory_after: float
    cpu: float


@contextmanager
def serving(root: Path) -> Iterator[tuple[str, int, int]]:
    """(host, port, process) of a server on a free port."""
    command = [sys.executable, "-m", "fourfold.interfaces.cli.main", "-C", str(root), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = ADDRESS.search(server.stderr.readline())
        if found is None:
            raise SystemExit("the server did not start")
        try:
            yield found[1], int(found[2]), server.pid
        finally:
            server.terminate()


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, target: str) -> int:
    """One request on an open connection; returns the status. Raises where the connection breaks."""
    writer.write(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = re.search(r"content-length: (\d+)", head)
    await reader.readexactly(int(length[1]) if length else 0)
    return int(head.split(" ", 2)[1])


async def client(
    place: tuple[str, int], targets: list[str], until: float, first: int, told: list[tuple[float, int]]
) -> None:
    """Ask until the time is over; each answer is told as (seconds, status), a broken connection with status 0."""
    reader = writer = None
    for target in itertools.islice(itertools.cycle(targets), first % len(targets), None):
        begun = time.perf_counter()
        if begun >= until:
            break
        try:
            if writer is None or reader is None:
                reader, writer = await asyncio.open_connection(*place)
            status = await ask(reader, writer, place[0], target)
        except (OSError, EOFError):
            status, writer = 0, None
        told.append((time.perf_counter() - begun, status))
    if writer is not None:
        writer.close()


async def pressed(
    place: tuple[str, int], pid: int, name: str, targets: list[str], clients: int, seconds: float
) -> Load:
    """Press one target for so long."""
    await asyncio.gather(*(client(place, targets, time.perf_counter() + WARM_UP_S, n, []) for n in range(4)))
    told: list[tuple[float, int]] = []
    before, cpu = memory(pid), cpu_seconds(pid)
    begun = time.perf_counter()
    until = begun + seconds
    await asyncio.gather(*(client(place, targets, until, 7 * number, told) for number in range(clients)))
    took = time.perf_counter() - begun
    times = sorted(one * 1000 for one, _ in told)
    wrong = Counter(str(status) for _, status in told if status not in (0, 200))
    return Load(
        target=name,
        clients=clients,
        seconds=round(took, 1),
        answers=len(times),
        per_second=round(len(times) / took, 1),
        median=round(times[len(times) // 2], 1),
        p99=round(times[int(len(times) * 0.99)], 1),
        worst=round(times[-1], 1),
        wrong=dict(wrong),
        broken=sum(status == 0 for _, status in told),
        memory_before=before,
        memory_after=memory(pid),
        cpu=round(cpu_seconds(pid) - cpu, 1),
    )


def memory(pid: int) -> float:
    """Resident memory of a process, in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return round(int(found[1]) / 1000, 1) if found else 0.0


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and of the workers that it waited for, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


async def measure(place: tuple[str, int], pid: int, clients: int, seconds: float) -> list[Load]:
    """Both targets, the bare one first."""
    searches = [f"/api/v1/search?q={quote(one)}" for one in QUESTIONS]
    loads = []
    for name, targets in (("/healthz", ["/healthz"]), ("/api/v1/search", searches)):
        loads.append(await pressed(place, pid, name, targets, clients, seconds))
        print(json.dumps(asdict(loads[-1])), flush=True)
    return loads


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; exit code 1 where anything but 200 came back."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http_load", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="the repository to serve, indexed before")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--save", type=Path, help="write the result as JSON")
    chosen = parser.parse_args(arguments)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with serving(chosen.root) as (host, port, pid):
        loads = asyncio.run(measure((host, port), pid, chosen.clients, chosen.seconds))
    if chosen.save:
        command = f"python -m benchmarks.http_load --clients {chosen.clients} --seconds {chosen.seconds:g}"
        data = {**circumstances(command), "loads": [asdict(one) for one in loads]}
        chosen.save.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return int(any(one.wrong or one.broken for one in loads))


if __name__ == "__main__":
    sys.exit(main())
