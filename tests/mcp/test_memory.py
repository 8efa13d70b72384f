"""What a server does so that its memory stays flat."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fourfold.interfaces import memory

TOUCHED = """
import ctypes, threading, time
from pathlib import Path
from fourfold.interfaces import memory

def held():
    return sum(int(line.split()[1]) for line in Path("/proc/self/smaps_rollup").read_text().splitlines()
               if line.startswith("Anonymous"))

library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.free.argtypes = [ctypes.c_void_p]
if SHARED:
    memory.share_one_heap()
def work():
    blocks = [library.malloc(100_000) for _ in range(40)]
    for block in blocks:
        ctypes.memset(block, 1, 100_000)
    gate.wait()
    for block in blocks:
        library.free(block)
gate = threading.Barrier(8)
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
before = held()
memory.give_back()
print(before - held())
"""
"""Eight threads with 4 MB each at once, all freed; printed is what giving back has saved, in kB."""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_is_free_is_given_back() -> None:
    if memory._gnu() is None:
        pytest.skip("another C library")
    code = TOUCHED.replace("SHARED", "False")
    assert int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) > 4_000


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_threads_share_one_heap() -> None:
    if memory._gnu() is None:
        pytest.skip("another C library")
    code = f"{TOUCHED.replace('SHARED', 'True')}\nlibrary.malloc_stats()"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stderr
    assert said.count("Arena ") == 1


def test_another_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_gnu", lambda: None)
    memory.share_one_heap()
    memory.give_back()
