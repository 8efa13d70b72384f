"""A project of its own for every field report that is acted out from end to end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.reports.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """An empty project (a git repository in which nothing is tracked yet), with home, settings and cache apart."""
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_CONFIG", "")
    made = Project(tmp_path / "project")
    made.git("init", "--quiet")
    yield made
    for index in made.opened:
        index.close()
