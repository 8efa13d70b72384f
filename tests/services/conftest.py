"""A git server, a cache and a user's configuration of their own for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.services.git_server import GitServer, Repository

from fourfold import Workspace
from fourfold.config.services import ServiceConfig, load_services, save_service

FILES = {
    "src/app.py": 'def start_server(port):\n    """Listen for requests."""\n    return port\n',
    "src/retry.py": 'def backoff_delay(attempt):\n    """Exponential back-off."""\n    return 2 ** attempt\n',
    "docs/guide.md": "# Guide\n\nHow to start the server.\n",
}


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this machine's own: no cache, no configuration, no git settings."""
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "config" / "config.toml"))
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "hash")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").touch()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    """A git server with nothing on it."""
    made = GitServer(tmp_path / "server")
    yield made
    made.stop()


@pytest.fixture
def app(server: GitServer) -> Repository:
    """A repository with a small application."""
    return server.repository("app", FILES)


@pytest.fixture
def listed() -> Iterator[list[Workspace]]:
    """Workspaces that a test opened, closed at its end."""
    opened: list[Workspace] = []
    yield opened
    for workspace in opened:
        workspace.close()


@pytest.fixture
def workspace(app: Repository, listed: list[Workspace]) -> Workspace:
    """A workspace with the application as a service."""
    save_service(ServiceConfig("app", git=app.url))
    listed.append(Workspace(load_services()))
    return listed[-1]
