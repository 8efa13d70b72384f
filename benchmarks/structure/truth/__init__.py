"""Precise tools, one module each: ``sites(root, count)`` gives calls below a folder with what they mean."""

from __future__ import annotations

import importlib
from pathlib import Path

from benchmarks.structure.site import Site

TOOLS = {tool: f"by_{tool}" for tool in ("jedi", "typescript", "javac", "gcc", "clang", "go")}
"""Tool -> its module here."""


def sites(tool: str, root: Path, count: int) -> list[Site]:
    """About `count` calls (all for 0) of the source below `root`. Raises ToolMissing."""
    module = importlib.import_module(f"{__name__}.{TOOLS[tool]}")
    found: list[Site] = module.sites(root, count)
    return found
