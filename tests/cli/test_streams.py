"""Standard streams that are closed, full or gone: no traceback, a sensible exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "from fourfold.interfaces.cli.main import main; main()"
FULL = Path("/dev/full")


def write_long_ago(path: Path, text: str) -> None:
    """Write a file that no refresh reads again for having just been edited."""
    path.write_text(text)
    os.utime(path, (1_700_000_000, 1_700_000_000))


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository as the working directory, with an index of its own."""
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    write_long_ago(root / "retry.py", "def retry():\n    return 1\n")
    (tmp_path / "user.toml").write_text("")
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "user.toml"))
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_INDEX_WORKERS", "1")
    monkeypatch.chdir(root)
    return root


def shell(redirection: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program with its streams redirected as a shell does it."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {redirection}', sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


posix = pytest.mark.skipif(os.name == "nt", reason="streams are closed by a POSIX shell")


@posix
@pytest.mark.parametrize("arguments", [["search", "retry"], ["grep", "retry"], ["--help"], ["status"]])
def test_a_closed_stdout_is_told(repo: Path, arguments: list[str]) -> None:
    shell("", "index")
    ran = shell(">&-", *arguments)
    assert (ran.returncode, ran.stdout) == (74, "")
    said = "error F900: cannot write the output: it is closed  hint: send it elsewhere, or make room for it\n"
    assert ran.stderr == said


@posix
def test_a_closed_stdout_does_not_lend_its_number_to_the_index(repo: Path) -> None:
    assert shell(">&- 2>&- <&-", "index").returncode == 0
    assert shell("", "grep", "-c", "retry").stdout == "retry.py:1\n"
    assert "all checks passed" in shell("", "doctor").stderr


@posix
@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("arguments", [["search", "retry"], ["grep", "--json", "retry"], ["--help"]])
def test_a_full_disk_is_one_sentence(repo: Path, arguments: list[str]) -> None:
    shell("", "index")
    ran = shell(">/dev/full", *arguments)
    assert ran.returncode == 74
    assert ran.stderr == (
        "error F900: cannot write the output: no space left on device  hint: send it elsewhere, or make room for it\n"
    )


@posix
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_results_arrive_though_stderr_takes_nothing(repo: Path, redirection: str) -> None:
    if "full" in redirection and not FULL.exists():
        pytest.skip("there is no device that is always full")
    shell("", "index")
    ran = shell(redirection, "grep", "retry", "--limit", "1")
    assert (ran.returncode, ran.stdout) == (0, "retry.py:1:def retry():\n")
    assert shell(redirection, "grep", "nowhere").returncode == 1
    assert shell(redirection, "grep", "(").returncode == 2


@posix
def test_a_reader_that_goes_away_is_no_fault(repo: Path) -> None:
    write_long_ago(repo / "retry.py", "retry\n" * 50_000)
    shell("", "index")
    ran = shell("| head -n 1", "grep", "retry")
    assert (ran.stdout, ran.stderr) == ("retry.py:1:retry\n", "")
