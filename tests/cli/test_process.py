"""The program as a process: what it loads, and what it does when its reader goes away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fourfold.interfaces.cli.main import spare_threads

HEAVY = ("numpy", "tree_sitter", "re2", "Stemmer", "pathspec", "sqlite3", "regex", "logging", "asyncio")

PROBE = """
import sys
from fourfold.interfaces.cli.main import run
code = run(sys.argv[1:])
loaded = [name for name in {heavy!r} if name in sys.modules]
print(code, loaded, file=sys.stderr)
"""

FLOOD = """
import sys, types
from fourfold.model.result import GrepLine, GrepResult, Meta

class Index:
    root = __import__("pathlib").Path(".").resolve()
    def __init__(self, settings): self.settings = settings
    @classmethod
    def open(cls, path, *, root, settings, allow_wide=False): return cls(settings)
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def grep(self, pattern, **_):
        return GrepResult(pattern, tuple(GrepLine("a.py", n, 1, "x" * 80) for n in range(1, 9999)), 1, Meta())

module = types.ModuleType("fourfold.engine")
module.Index = Index
sys.modules["fourfold.engine"] = module
from fourfold.interfaces.cli.main import main
main()
"""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["search", "--help"], ["grep", "--limit", "ten", "x"]]
)
def test_f2_help_and_usage_errors_load_nothing_heavy(arguments: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROBE.format(heavy=HEAVY), *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr.splitlines()[-1].endswith("[]")


def test_linear_algebra_runs_on_one_thread_unless_the_person_says_otherwise() -> None:
    environ = {"OMP_NUM_THREADS": "4"}
    spare_threads(environ)
    assert environ == {"OMP_NUM_THREADS": "4", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def test_the_threads_are_spared_before_numpy_is_loaded() -> None:
    probe = """
import os, sys
from fourfold.interfaces.cli import main
main.run = lambda arguments: print(os.environ["OPENBLAS_NUM_THREADS"], "numpy" in sys.modules) or 0
main.main()
"""
    environ = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=environ)
    assert ran.stdout == "1 False\n"


def test_a_closed_pipe_is_silent(tmp_path: Path) -> None:
    environ = {**os.environ, "FOURFOLD_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", FLOOD, "grep", "x"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environ,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "a.py:1:" + "x" * 80 + "\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=30) == 0


def test_the_width_is_that_of_the_terminal_that_is_written_to(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    program = """
import sys
from fourfold.interfaces.cli.streams import set_up_streams
from fourfold.interfaces.cli.terminal import terminal_of
set_up_streams()
print(terminal_of(sys.stdout).columns, flush=True)
"""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 67, 0, 0))
    environ = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"TERM": "xterm"}
    subprocess.run([sys.executable, "-c", program], stdout=slave, env=environ, check=True)
    os.close(slave)
    assert os.read(master, 100).split() == [b"67"]
    os.close(master)


def test_the_package_runs_as_a_module() -> None:
    ran = subprocess.run([sys.executable, "-m", "fourfold", "--version"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert ran.stdout.startswith("fourfold ")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not delete a folder that a process is in")
def test_a_deleted_current_folder_is_named_as_the_fault(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    program = f"import os, sys; os.rmdir({str(gone)!r}); from fourfold.interfaces.cli.main import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", program, "search", "x"], cwd=gone, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert "the current folder no longer exists" in ran.stderr
    assert "Traceback" not in ran.stderr
