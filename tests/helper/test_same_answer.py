"""With and without the helper: the same bytes on standard output and error, the same exit code."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from tests.helper.project import MAIN, Place, Ran

LINES: list[list[str]] = [
    ["how are sessions expired"],
    ["search", "--json", "retry back-off", "-n", "2"],
    ["search", "-l", "--path", "src", "sessions"],
    ["search", "xyzzyplugh"],
    ["search", "--no-such-option", "x"],
    ["serach", "sessions"],
    ["--", "-Wall"],
    ["grep", "--vimgrep", "-i", "SESSIONS"],
    ["grep", "(unclosed"],
    ["grep", "café"],
    ["symbol", "backoff_delay"],
    ["refs", "backoff_delay"],
    ["context", "retry"],
    ["similar", "src/net/retry.py:4"],
    ["overview"],
    ["--no-color", "-C", "src", "search", "sessions"],
    ["--root", "nowhere", "search", "sessions"],
]


def plain(data: bytes) -> bytes:
    """Output without the times that it tells."""
    return re.sub(rb'("took_ms": )[\d.]+|[\d.]+ m?s\b', rb"\1N", data)


def compared(shared: Place, arguments: list[str], **how: object) -> tuple[Ran, Ran]:
    """A command line both ways; the helper must have answered."""
    before = shared.answered()
    asked = shared.run(*arguments, helper=True, **how)  # type: ignore[arg-type]
    assert isinstance(before, int)
    assert shared.answered() == before + 1
    return asked, shared.run(*arguments, helper=False, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("arguments", LINES, ids=" ".join)
def test_the_same_bytes_and_exit_code(shared: Place, arguments: list[str]) -> None:
    asked, here = compared(shared, arguments)
    assert (asked.code, plain(asked.out), plain(asked.err)) == (here.code, plain(here.out), plain(here.err))
    assert here.out or here.err


@pytest.mark.parametrize(
    "environ",
    [
        {"FOURFOLD_SEARCH_LIMIT": "1"},
        {"FOURFOLD_SEARCH_LIMIT": "many"},
        {"FOURFOLD_CONFIG": "/nowhere/config.toml"},
        {"PYTHONIOENCODING": "ascii"},
    ],
    ids=str,
)
def test_the_environment_is_that_of_the_client(shared: Place, environ: dict[str, str]) -> None:
    asked, here = (shared.run("search", "sessions café", helper=helper, environ=environ) for helper in (True, False))
    assert (asked.code, plain(asked.out), plain(asked.err)) == (here.code, plain(here.out), plain(here.err))


def test_the_folder_is_that_of_the_client(shared: Place) -> None:
    asked, here = compared(shared, ["search", "-l", "def"], cwd=shared.root / "src" / "auth")
    assert asked.out == here.out
    assert b"session.py" in asked.out
    assert b"retry.py" not in asked.out


def test_an_edit_is_seen_by_the_next_question(shared: Place) -> None:
    path = shared.root / "src/later.py"
    assert shared.run("grep", "-l", "def later", helper=True).code == 1
    path.write_text("def later():\n    pass\n")
    try:
        assert shared.run("grep", "-l", "def later", helper=True).out == b"src/later.py\n"
    finally:
        path.unlink()
    assert shared.run("grep", "-l", "def later", helper=True).code == 1


def on_a_terminal(shared: Place, arguments: list[str], helper: bool, **environ: str) -> tuple[int, bytes]:
    """Run on a terminal of 70 columns; exit code and everything that it shows."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 70, 0, 0))
    own = {"TERM": "xterm-256color", "FOURFOLD_HELPER_ENABLED": str(int(helper)), **environ}
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=shared.root,
        env={**shared.environ, **own},
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    shown = b""
    try:
        while data := os.read(master, 65536):
            shown += data
    except OSError:  # how Linux tells the end of a terminal
        pass
    os.close(master)
    return process.wait(timeout=60), shown


@pytest.mark.parametrize("environ", [{}, {"NO_COLOR": "1"}], ids=str)
def test_colours_and_width_are_those_of_the_clients_terminal(shared: Place, environ: dict[str, str]) -> None:
    before = shared.answered()
    asked = on_a_terminal(shared, ["search", "--no-refresh", "how are sessions expired"], True, **environ)
    assert shared.answered() != before
    here = on_a_terminal(shared, ["search", "--no-refresh", "how are sessions expired"], False, **environ)
    assert (asked[0], plain(asked[1])) == (here[0], plain(here[1]))
    assert (b"\x1b[" in asked[1]) is (not environ)


def test_a_reader_that_goes_away_is_no_fault(shared: Place) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "grep", "def"],
        cwd=shared.root,
        env={**shared.environ, "FOURFOLD_HELPER_ENABLED": "1"},
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_told(shared: Place) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "grep", "def"],
            cwd=shared.root,
            env={**shared.environ, "FOURFOLD_HELPER_ENABLED": "1"},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 74
    assert done.stderr.startswith(b"error F900: cannot write the output")


def test_a_closed_standard_output_is_told_alike(shared: Place) -> None:
    asked, here = (
        subprocess.run(
            ["sh", "-c", 'exec "$0" -c "$1" grep def >&-', sys.executable, MAIN],
            cwd=shared.root,
            env={**shared.environ, "FOURFOLD_HELPER_ENABLED": switch},
            stderr=subprocess.PIPE,
            check=False,
        )
        for switch in ("1", "0")
    )
    assert (asked.returncode, asked.stderr) == (here.returncode, here.stderr)
    assert asked.returncode == 74
