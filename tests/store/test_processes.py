"""Writers that are killed, readers beside a writer, several processes at one index."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.contract.batches import make_batch
from tests.contract.suite import build, shown

from fourfold.model.errors import LockHeld
from fourfold.store.local.store import LocalStore

ROOT = Path(__file__).resolve().parents[2]
KILLS = 20

WRITE = """
import os, sys
from pathlib import Path
from tests.contract.batches import make_batch
from fourfold.store.local.store import LocalStore

with LocalStore(Path(sys.argv[1])) as store, store.writer() as writer:
    os.write(1, b"writing\\n")  # one write: a line that others cannot break
    for n in range(int(sys.argv[2])):
        stamp = f"def stamp{n}"
        writer.put(make_batch({f"{name}.py": f"{stamp}\\nx = {name}" for name in "abcd"}))
        if n % 7 == 6:
            writer.finish()
    writer.finish()
"""


KILLED = """
import os, sys

from tests.contract import batches  # what a writer needs is imported once, so that each one starts at once
from fourfold.store.local import merge, store

for _ in sys.stdin:
    child = os.fork()
    if child == 0:
        exec(sys.argv[3])
        os._exit(0)
    os.write(1, f"{child}\\n".encode())
    os.waitpid(child, 0)
    os.write(1, b"gone\\n")
"""


def start_writer(place: Path, rounds: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, str(place), str(rounds)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


def wait_for_generation(store: LocalStore, generation: int) -> None:
    give_up = time.monotonic() + 30
    while store.snapshot().generation < generation and time.monotonic() < give_up:
        time.sleep(0.001)


def check_whole(texts: dict[str, str | None]) -> None:
    """The four files of a batch are of one generation."""
    assert set(texts) == {"a.py", "b.py", "c.py", "d.py"}
    assert len({(text or "").split("\n")[0] for text in texts.values()}) == 1


def test_kill_at_any_moment_leaves_a_whole_generation(tmp_path: Path) -> None:
    place = tmp_path / "index"
    with LocalStore(place) as store:
        build(store, {f"{name}.py": f"def stamp\nx = {name}" for name in "abcd"})
        chance = random.Random(20)
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, str(place), "100000", WRITE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ) as nursery:
            assert nursery.stdin is not None
            assert nursery.stdout is not None
            child = 0
            try:
                for _ in range(KILLS):
                    print("another", file=nursery.stdin, flush=True)
                    lines = {nursery.stdout.readline().strip(), nursery.stdout.readline().strip()}
                    (child,) = (int(line) for line in lines - {"writing"})
                    if chance.random() < 0.7:
                        wait_for_generation(store, store.snapshot().generation + chance.randrange(1, 9))
                    time.sleep(chance.uniform(0.0, 0.03))
                    os.kill(child, signal.SIGKILL)
                    assert nursery.stdout.readline() == "gone\n"
                    check_whole(shown(store.snapshot()))
                    assert store.faults() == []
            except BaseException:
                # Leaving the block waits for the nursery, which waits for its child.
                if child:
                    os.kill(child, signal.SIGKILL)
                nursery.kill()
                raise
            nursery.stdin.close()
        before = store.snapshot().generation
        assert before > KILLS
        with store.writer() as writer:
            writer.put(make_batch({"a.py": "def last"}))
            writer.finish()
        assert store.snapshot().text("a.py") == "def last"
        assert len(list((place / "segments").iterdir())) == len(store.snapshot().segments)


def test_readers_beside_a_writer_see_whole_generations(tmp_path: Path) -> None:
    place = tmp_path / "index"
    with LocalStore(place) as one, LocalStore(place, read_only=True) as two:
        build(one, {f"{name}.py": f"def stamp\nx = {name}" for name in "abcd"})
        process = start_writer(place, 60)
        generations = set()
        while process.poll() is None:
            for store in (one, two):
                snapshot = store.snapshot()
                check_whole(shown(snapshot))
                generations.add(snapshot.generation)
        process.communicate()
        assert process.returncode == 0
        assert len(generations) > 3
        assert one.snapshot().text("a.py") == "def stamp59\nx = a"


def test_second_process_is_refused_while_one_writes(tmp_path: Path) -> None:
    place = tmp_path / "index"
    process = start_writer(place, 100_000)
    with LocalStore(place) as store:
        try:
            with store.writer():
                raise AssertionError("two writers at once")
        except LockHeld as error:
            assert str(process.pid) in str(error)
        finally:
            process.kill()
            process.communicate()
        with store.writer() as writer:
            writer.put(make_batch({"e.py": "def e"}))
        assert store.snapshot().text("e.py") == "def e"


def test_a_forked_child_reads_with_connections_of_its_own(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from fourfold.store.local.store import LocalStore\n"
        "store = LocalStore(Path(sys.argv[1]))\n"
        "snapshot = store.snapshot()\n"
        "assert snapshot.text('a.py') == 'def a'\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(0 if snapshot.text('a.py') == 'def a' and store.snapshot() is snapshot else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert snapshot.text('a.py') == 'def a'\n"
    )
    with LocalStore(tmp_path) as store:
        build(store, {"a.py": "def a"})
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)


def test_threads_share_a_store(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    files = {f"{n}.py": f"def f{n}" for n in range(20)}
    with LocalStore(tmp_path) as store, ThreadPoolExecutor(8) as threads:
        build(store, files)
        found = threads.map(lambda path: store.snapshot().text(path), list(files) * 10)
        assert list(found) == list(files.values()) * 10
