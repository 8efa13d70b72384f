"""Ctrl-C before the program is loaded, between its parts, and where it is ignored."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fourfold.interfaces.cli import interrupts

INTERRUPTED_AT = """
import os, signal, sys

class Interrupting:
    # Ctrl-C comes while the module {module} is looked for.
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from fourfold.interfaces.cli.entry import main
main()
"""
MODULES = [
    "fourfold.interfaces.cli.main",
    "fourfold.interfaces.helper.client",
    "fourfold.interfaces.cli.program",
    "click",
    "fourfold.interfaces.cli.commands.status",
]


def run(code: str, *before: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*before, sys.executable, "-c", code, "status", "--help"], capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("module", MODULES)
def test_loading_can_be_interrupted_without_a_traceback(module: str) -> None:
    ended = run(INTERRUPTED_AT.format(module=module))
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_what_was_told_to_ignore_it_goes_on() -> None:
    ignoring = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    ended = run(ignoring + INTERRUPTED_AT.format(module=MODULES[2]))
    assert ended.returncode == 0
    assert "Usage: fourfold status" in ended.stdout


def test_a_handler_of_somebody_else_is_left_alone() -> None:
    def own(*_: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGINT, own)
    try:
        interrupts.quietly()
        interrupts.as_usual()
        assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_command_begins_there() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'fourfold = "fourfold.interfaces.cli.entry:main"' in text
