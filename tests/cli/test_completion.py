"""Shell completion: the scripts, and what the shell gets when it asks."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

PROGRAM = "from fourfold.interfaces.cli.main import main; main()"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(fourfold: Any, shell: str) -> None:
    ran = fourfold("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert f"_FOURFOLD_COMPLETE={shell}_complete" in ran.out


def test_another_shell_is_refused(fourfold: Any) -> None:
    ran = fourfold("completion", "tcsh")
    assert ran.code == 2
    assert "bash" in ran.err


@pytest.mark.parametrize(
    ("words", "offered", "not_offered"),
    [
        ("fourfold st", "plain,status", "plain,search"),
        ("fourfold grep --vim", "plain,--vimgrep", "plain,--json"),
        ("fourfold completion z", "plain,zsh", "plain,bash"),
        ("fourfold search --preset d", "plain,default", "plain,text"),
    ],
)
def test_the_shell_is_answered(words: str, offered: str, not_offered: str) -> None:
    environ = {
        **os.environ,
        "_FOURFOLD_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environ, capture_output=True, text=True, timeout=60, check=True
    )
    assert offered in ran.stdout.splitlines()
    assert not_offered not in ran.stdout.splitlines()
    assert ran.stderr == ""
