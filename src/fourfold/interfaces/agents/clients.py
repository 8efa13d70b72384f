"""The coding agents that Fourfold can be registered with: where they keep what. One row each.

Places as their documentation gives them in November 2026.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "fourfold"

PROJECT = "project"
USER = "user"


@dataclass(frozen=True, slots=True)
class Scope:
    """The folder of the project, the home folder, and the environment: what all places are relative to."""

    project: Path
    home: Path
    environ: Mapping[str, str]

    def config_home(self) -> Path:
        """``~/.config``, or what XDG_CONFIG_HOME says."""
        return Path(self.environ.get("XDG_CONFIG_HOME") or self.home / ".config")

    def app_data(self) -> Path:
        """Where desktop programs keep their settings on this system."""
        if sys.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if os.name == "nt":
            return Path(self.environ.get("APPDATA") or self.home / "AppData" / "Roaming")
        return self.config_home()


Place = Callable[[Scope], Path]


@dataclass(frozen=True, slots=True)
class Client:
    """One agent. `config` and `instructions` map a scope to a file; a missing scope means that it has none.

    `keys` lead to the object of servers (for TOML: the table); `kind` is "json" or "toml"; `traces` show that it is
    installed; `agent` is where a sub-agent file goes.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    config: Mapping[str, Place]
    instructions: Mapping[str, Place]
    traces: tuple[Place, ...]
    kind: str = "json"
    style: str = "plain"
    workspace: str = ""
    agent: Mapping[str, Place] | None = None

    def entry(self, command: str, scope: str) -> dict[str, Any]:
        """What is written for the server. Where a client has a variable for its folder, that is passed as root."""
        arguments = ["mcp"]
        if self.workspace and scope == PROJECT:
            arguments += ["--root", self.workspace]
        if self.style == "opencode":
            return {"type": "local", "command": [command, *arguments], "enabled": True}
        entry: dict[str, Any] = {"command": command, "args": arguments}
        return {"type": "stdio", **entry} if self.style == "typed" else entry


def _home(*parts: str) -> Place:
    return lambda scope: scope.home.joinpath(*parts)


def _project(*parts: str) -> Place:
    return lambda scope: scope.project.joinpath(*parts)


def _codex(*parts: str) -> Place:
    return lambda scope: Path(scope.environ.get("CODEX_HOME") or scope.home / ".codex").joinpath(*parts)


def _opencode(folder: Callable[[Scope], Path]) -> Place:
    """``opencode.jsonc`` where it exists, else ``opencode.json``."""

    def place(scope: Scope) -> Path:
        base = folder(scope)
        return base / "opencode.jsonc" if (base / "opencode.jsonc").exists() else base / "opencode.json"

    return place


def _zed(scope: Scope) -> Path:
    if os.name == "nt":
        return scope.app_data() / "Zed"
    return (scope.home / ".config" if sys.platform == "darwin" else scope.config_home()) / "zed"


_AGENTS_MD = _project("AGENTS.md")

CLIENTS: dict[str, Client] = {
    client.name: client
    for client in (
        Client(
            "claude-code",
            "Claude Code",
            ("mcpServers",),
            {PROJECT: _project(".mcp.json"), USER: _home(".claude.json")},
            {PROJECT: _project("CLAUDE.md"), USER: _home(".claude", "CLAUDE.md")},
            (_home(".claude"), _home(".claude.json")),
            style="typed",
            agent={
                PROJECT: _project(".claude", "agents", "fourfold-search.md"),
                USER: _home(".claude", "agents", "fourfold-search.md"),
            },
        ),
        Client(
            "codex",
            "Codex",
            ("mcp_servers",),
            {PROJECT: _project(".codex", "config.toml"), USER: _codex("config.toml")},
            {PROJECT: _AGENTS_MD, USER: _codex("AGENTS.md")},
            (_codex(),),
            kind="toml",
        ),
        Client(
            "cursor",
            "Cursor",
            ("mcpServers",),
            {PROJECT: _project(".cursor", "mcp.json"), USER: _home(".cursor", "mcp.json")},
            {PROJECT: _AGENTS_MD},
            (_home(".cursor"),),
            style="typed",
            workspace="${workspaceFolder}",
        ),
        Client(
            "vscode",
            "VS Code",
            ("servers",),
            {
                PROJECT: _project(".vscode", "mcp.json"),
                USER: lambda scope: scope.app_data() / "Code" / "User" / "mcp.json",
            },
            {PROJECT: _AGENTS_MD},
            (lambda scope: scope.app_data() / "Code" / "User",),
            style="typed",
            workspace="${workspaceFolder}",
        ),
        Client(
            "opencode",
            "OpenCode",
            ("mcp",),
            {
                PROJECT: _opencode(lambda scope: scope.project),
                USER: _opencode(lambda scope: scope.config_home() / "opencode"),
            },
            {PROJECT: _AGENTS_MD, USER: lambda scope: scope.config_home() / "opencode" / "AGENTS.md"},
            (lambda scope: scope.config_home() / "opencode",),
            style="opencode",
        ),
        Client(
            "gemini",
            "Gemini CLI",
            ("mcpServers",),
            {PROJECT: _project(".gemini", "settings.json"), USER: _home(".gemini", "settings.json")},
            {PROJECT: _project("GEMINI.md"), USER: _home(".gemini", "GEMINI.md")},
            (_home(".gemini"),),
        ),
        Client(
            "zed",
            "Zed",
            ("context_servers",),
            {PROJECT: _project(".zed", "settings.json"), USER: lambda scope: _zed(scope) / "settings.json"},
            {PROJECT: _AGENTS_MD},
            (_zed,),
        ),
        Client(
            "windsurf",
            "Windsurf",
            ("mcpServers",),
            {USER: _home(".codeium", "windsurf", "mcp_config.json")},
            {},
            (_home(".codeium", "windsurf"),),
        ),
    )
}
"""All clients by the name that the command line takes."""


def found(scope: Scope) -> list[Client]:
    """The clients that this machine shows traces of."""
    return [client for client in CLIENTS.values() if any(place(scope).exists() for place in client.traces)]
