"""A home of its own for every test: no global git configuration leaks in."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name, value in (("NAME", "T"), ("EMAIL", "t@example.org")):
        monkeypatch.setenv(f"GIT_AUTHOR_{name}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{name}", value)
    return folder


@pytest.fixture
def git() -> Callable[..., str]:
    """Run git in a folder: ``git(folder, "init")``."""

    def run(folder: Path, *arguments: str) -> str:
        command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def write() -> Callable[..., None]:
    """Write files: ``write(root, {"a/b.py": "x = 1\\n"})``."""

    def run(root: Path, files: dict[str, str | bytes]) -> None:
        for path, content in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)

    return run
