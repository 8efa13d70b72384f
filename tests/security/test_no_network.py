"""No command opens a socket unless a server is named: every way to make one is forbidden, and all of them work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FORBID = """
import json, socket, sys

MADE = []

class Forbidden(socket.socket):
    def __init__(self, *arguments, **options):
        MADE.append("socket.socket")
        raise OSError("a socket was asked for")

def hook(event, arguments):
    # Every socket object, those of _socket included, and every look-up of a name; only the machine's own name, which
    # the lock's owner is called by, is no traffic.
    if event.startswith("socket.") and event != "socket.gethostname":
        MADE.append(event)
        raise OSError(f"{event} is forbidden")

socket.socket = Forbidden
sys.addaudithook(hook)

from fourfold.interfaces.cli.main import run

codes = [run(arguments) for arguments in json.loads(sys.argv[1])]
print("CODES", json.dumps(codes))
print("MADE", json.dumps(MADE))
"""
COMMANDS: list[list[str]] = [
    ["index"],
    ["search", "how is a greeting made"],
    ["search", "--preset", "thorough", "greeting"],
    ["grep", "return"],
    ["symbol", "greet"],
    ["refs", "greet"],
    ["impact", "greet"],
    ["context", "greet"],
    ["similar", "app.py:1"],
    ["match", "def $A(): $$$B", "--lang", "python"],
    ["history", "first"],
    ["overview"],
    ["ask", "how is a greeting made"],
    ["status"],
    ["status", "app.py"],
    ["doctor"],
    ["pipelines"],
    ["config"],
    ["clear"],
]


def git(root: Path, *arguments: str) -> None:
    """Run git as nobody in particular."""
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small repository with one commit."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "like.py").write_text("def welcome():\n    return 'hello'\n")
    (root / "app.py").write_text("def greet():\n    return 'hello'\n\n\ndef main():\n    return greet()\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")
    return root


def forbidden(project: Path, commands: list[list[str]], **more: str) -> tuple[dict[str, int], list[str], str]:
    """Exit codes of the commands run in a process without sockets, what asked for one, and all that was printed."""
    (project.parent / "home").mkdir()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("FOURFOLD_")},
        "HOME": str(project.parent / "home"),
        "FOURFOLD_CACHE_DIR": str(project.parent / "cache"),
        "FOURFOLD_CONFIG": "",
        **more,
    }
    ran = subprocess.run(
        [sys.executable, "-c", FORBID, json.dumps(commands)],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    printed = ran.stdout + ran.stderr
    lines = dict(line.split(" ", 1) for line in ran.stdout.split("\n") if line.startswith(("CODES ", "MADE ")))
    assert set(lines) == {"CODES", "MADE"}, printed
    codes = dict(zip(map(" ".join, commands), json.loads(lines["CODES"]), strict=True))
    return codes, json.loads(lines["MADE"]), printed


def test_no_command_opens_a_socket(project: Path) -> None:
    codes, made, printed = forbidden(project, COMMANDS)
    assert made == [], printed
    assert {command: code for command, code in codes.items() if code} == {}, printed


def test_the_trap_catches_who_does(project: Path) -> None:
    """With a server named the same trap springs, so what it does not catch elsewhere is not there."""
    named = {"FOURFOLD_LLM_ENDPOINT": "http://127.0.0.1:9/v1", "FOURFOLD_LLM_MODEL": "tiny"}
    _, made, printed = forbidden(project, [["ask", "how is a greeting made"]], **named)
    assert made, printed
