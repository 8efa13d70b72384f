"""Which function answers which tool."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.reply import Reply

Tool = Callable[[Call], Reply]

_HOMES = {
    "search_code": "search",
    "find_symbol": "symbols",
    "find_usages": "usages",
    "get_code_context": "context",
    "analyze_impact": "impact",
    "find_similar": "similar",
    "grep_code": "grep",
    "search_history": "history",
    "repository_overview": "overview",
    "index_status": "status",
    "reindex": "status",
    "ask": "ask",
}

WRITING = frozenset({"reindex"})
"""Tools that are offered only where writing is allowed."""


def tool_names(*, allow_write: bool) -> list[str]:
    """The tools on offer, in the order they are listed."""
    return [name for name in _HOMES if allow_write or name not in WRITING]


def tool(name: str) -> Tool:
    """The function of a tool; its module is loaded on the first call."""
    found: Tool = getattr(import_module(f"fourfold.interfaces.mcp.tools.{_HOMES[name]}"), name)
    return found
