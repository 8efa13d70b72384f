"""The history of a package, from a bare clone of its repository."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from training.ranker.packages import Package

COMMITS = 3000
"""Newest commits read: older ones speak of code that has gone."""


def changes(package: Package, repository: Path | None) -> Iterator[tuple[str, list[str]]]:
    """(subject, changed paths below the package's root) of the newest commits; nothing without a history."""
    if repository is None:
        return
    prefix = f"{package.root}/" if package.root else ""
    for subject, changed in commits(repository, package.corpus.version):
        yield subject, [path.removeprefix(prefix) for path in changed if path.startswith(prefix)]


def commits(repository: Path, version: str) -> Iterator[tuple[str, list[str]]]:
    """(subject, changed paths) of the newest commits, newest first. Raises CalledProcessError where git fails."""
    command = ["git", f"--git-dir={repository}", "log", version, "--no-merges", f"--max-count={COMMITS}"]
    command += ["--name-only", "--no-renames", "--format=%x01%s"]
    said = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")
    for entry in said.split("\x01")[1:]:
        subject, *paths = entry.split("\n")
        yield subject, [path for path in paths if path]
