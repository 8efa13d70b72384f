"""The names of the commands. By themselves: who only tells commands from questions loads nothing else."""

from __future__ import annotations

COMMANDS: tuple[str, ...] = (
    "search",
    "grep",
    "symbol",
    "refs",
    "impact",
    "context",
    "match",
    "similar",
    "routes",
    "overview",
    "ask",
    "history",
    "index",
    "service",
    "store",
    "watch",
    "status",
    "clear",
    "config",
    "pipelines",
    "doctor",
    "helper",
    "eval",
    "mcp",
    "install",
    "uninstall",
    "serve",
    "completion",
)
"""In the order of the help; each is a module of ``interfaces/cli/commands``."""
