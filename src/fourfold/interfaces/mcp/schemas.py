"""JSON schemas of the tools' arguments and of their structured answers. Names and parameters are frozen."""

from __future__ import annotations

from typing import Any

from fourfold.interfaces.mcp.budget import DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS
from fourfold.interfaces.mcp.descriptions import PARAMETERS

Schema = dict[str, Any]


def _text(name: str, *, required: bool = False, shown: str = "") -> Schema:
    schema: Schema = {"type": "string", "description": PARAMETERS[shown or name]}
    return {**schema, "minLength": 1} if required else schema


def _number(name: str, default: int | None, low: int, high: int) -> Schema:
    schema: Schema = {"type": "integer", "description": PARAMETERS[name], "minimum": low, "maximum": high}
    return schema if default is None else {**schema, "default": default}


def _flag(name: str) -> Schema:
    return {"type": "boolean", "description": PARAMETERS[name], "default": False}


def _object(properties: Schema, *required: str) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


_BUDGET = {"max_tokens": _number("max_tokens", DEFAULT_TOKENS, MIN_TOKENS, MAX_TOKENS)}
_LIST = {"cursor": _text("cursor"), **_BUDGET}
_MAX_LINE = 10_000_000

INPUT: dict[str, Schema] = {
    "search_code": _object(
        {
            "query": _text("query", required=True),
            "service": _text("service"),
            "language": _text("language"),
            "path": _text("path"),
            "kind": _text("kind"),
            "limit": _number("limit", 10, 1, 100),
            **_LIST,
        },
        "query",
    ),
    "find_symbol": _object(
        {
            "name": _text("name", required=True),
            "symbol_type": _text("symbol_type"),
            "service": _text("service"),
            "exact": _flag("exact"),
            **_LIST,
        },
        "name",
    ),
    "find_usages": _object(
        {
            "symbol_name": _text("symbol_name", required=True),
            "service": _text("service"),
            "limit": _number("limit", 10, 1, 100),
            **_LIST,
        },
        "symbol_name",
    ),
    "get_code_context": _object(
        {
            "file_path": _text("file_path", required=True),
            "symbol_name": _text("symbol_name"),
            "start_line": _number("start_line", None, 1, _MAX_LINE),
            "end_line": _number("end_line", None, 1, _MAX_LINE),
            **_BUDGET,
        },
        "file_path",
    ),
    "analyze_impact": _object(
        {
            "symbol": _text("symbol", required=True),
            "direction": {
                "type": "string",
                "enum": ["callers", "callees"],
                "default": "callers",
                "description": PARAMETERS["direction"],
            },
            "depth": _number("depth", 3, 1, 10),
            **_LIST,
        },
        "symbol",
    ),
    "find_similar": _object(
        {
            "file_path": _text("file_path", required=True),
            "line": _number("line", None, 1, _MAX_LINE),
            "limit": _number("limit", 10, 1, 100),
            **_LIST,
        },
        "file_path",
        "line",
    ),
    "grep_code": _object(
        {
            "pattern": _text("pattern", required=True),
            "regex": _flag("regex"),
            "ignore_case": _flag("ignore_case"),
            "path": _text("path"),
            "language": _text("language"),
            "service": _text("service"),
            "limit": _number("limit", 50, 1, 500),
            **_LIST,
        },
        "pattern",
    ),
    "search_history": _object(
        {
            "query": _text("query", required=True, shown="history_query"),
            "service": _text("service"),
            "limit": _number("limit", 10, 1, 100),
            **_LIST,
        },
        "query",
    ),
    "repository_overview": _object({"service": _text("service"), **_BUDGET}),
    "index_status": _object({"path": _text("path", shown="status_path")}),
    "reindex": _object({"service": _text("service"), "force": _flag("force")}),
    "ask": _object({"question": _text("question", required=True), "service": _text("service"), **_BUDGET}, "question"),
}
"""Schema of each tool's arguments."""

_PLACE: Schema = {
    "path": {"type": "string"},
    "service": {"type": "string"},
    "language": {"type": "string"},
    "kind": {"type": "string"},
    "symbol": {"type": "string"},
    "start_line": {"type": "integer"},
    "end_line": {"type": "integer"},
    "line": {"type": "integer"},
    "snippet": {"type": "string"},
    "snippet_lines": {"type": "array", "items": {"type": "integer"}},
}

_META: Schema = {
    "type": "object",
    "properties": {
        "services": {"type": "array", "items": {"type": "string"}},
        "indexed_commit": {"type": ["string", "null"]},
        "live_commit": {"type": ["string", "null"]},
        "branch": {"type": ["string", "null"]},
        "dirty_files": {"type": "integer"},
        "stale": {"type": "boolean"},
        "truncated": {"type": "boolean"},
        "dropped": {"type": "integer"},
        "degraded": {"type": ["string", "null"]},
        "suggestion": {"type": ["string", "null"]},
        "next_cursor": {"type": ["string", "null"]},
        "took_ms": {"type": "number"},
    },
    "required": ["services", "stale", "truncated", "degraded"],
}

OUTPUT: Schema = {
    "type": "object",
    "properties": {
        "schema": {"type": "string"},
        "query": {"type": "object"},
        "items": {"type": "array", "items": {"type": "object", "properties": _PLACE}},
        "meta": _META,
    },
    "required": ["schema", "query", "items", "meta"],
}
"""Schema of every structured answer; each kind of answer adds its own fields beside these."""
