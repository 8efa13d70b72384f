"""What a server does so that its memory stays flat."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fourfold.interfaces import memory

BEGIN = """
import ctypes, threading
from pathlib import Path
from fourfold.interfaces import memory

def held():
    return sum(int(line.split()[1]) for line in Path("/proc/self/smaps_rollup").read_text().splitlines()
               if line.startswith("Anonymous"))

library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.free.argtypes = [ctypes.c_void_p]

def touched(count):
    blocks = [library.malloc(100_000) for _ in range(count)]
    for block in blocks:
        ctypes.memset(block, 1, 100_000)
    return blocks
"""
HOLED = """
blocks = touched(80)
pinned = touched(1)  # what is free below it is no end of the heap, which the library gives back by itself
for block in blocks:
    library.free(block)
before = held()
memory.give_back()
print(before - held())
"""
THREADED = """
memory.settle()
gate = threading.Barrier(8)

def work():
    blocks = touched(4)
    gate.wait()
    for block in blocks:
        library.free(block)

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library.malloc_stats()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_is_free_is_given_back() -> None:
    if memory._gnu() is None:
        pytest.skip("another C library")
    done = subprocess.run([sys.executable, "-c", BEGIN + HOLED], capture_output=True, check=True)
    assert int(done.stdout) > 4_000


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_threads_share_one_heap() -> None:
    if memory._gnu() is None:
        pytest.skip("another C library")
    done = subprocess.run([sys.executable, "-c", BEGIN + THREADED], capture_output=True, check=True, text=True)
    assert done.stderr.count("Arena ") == 1


def test_another_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_gnu", lambda: None)
    memory._share_one_heap()
    memory.give_back()


def test_a_server_looks_for_garbage_more_often_than_a_command() -> None:
    code = "import gc; from fourfold.interfaces import memory; gc.set_threshold(250_000); memory.settle(); "
    code += "print(gc.get_threshold()[0], gc.get_freeze_count() > 1000)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert said.split() == ["10000", "True"]
