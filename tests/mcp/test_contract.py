"""Names, parameters, schemas and descriptions: frozen once shipped."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.interfaces.mcp.descriptions import INSTRUCTIONS, MAX_CHARS, PARAMETERS, TITLES, TOOLS
from fourfold.interfaces.mcp.schemas import INPUT
from fourfold.interfaces.mcp.tools.table import tool, tool_names

FROZEN = {
    "search_code": ["query", "service", "language", "path", "kind", "limit", "cursor", "max_tokens"],
    "find_symbol": ["name", "symbol_type", "service", "exact", "cursor", "max_tokens"],
    "find_usages": ["symbol_name", "service", "limit", "cursor", "max_tokens"],
    "get_code_context": ["file_path", "symbol_name", "start_line", "end_line", "max_tokens"],
    "analyze_impact": ["symbol", "direction", "depth", "cursor", "max_tokens"],
    "find_similar": ["file_path", "line", "limit", "cursor", "max_tokens"],
    "grep_code": [
        "pattern",
        "regex",
        "ignore_case",
        "path",
        "language",
        "service",
        "limit",
        "cursor",
        "max_tokens",
    ],
    "search_history": ["query", "service", "limit", "cursor", "max_tokens"],
    "repository_overview": ["service", "max_tokens"],
    "index_status": ["path"],
    "reindex": ["service", "force"],
    "ask": ["question", "service", "max_tokens"],
}


def test_tools_and_parameters_are_those_of_the_product() -> None:
    assert {name: list(schema["properties"]) for name, schema in INPUT.items()} == FROZEN
    assert tool_names(allow_write=True) == list(FROZEN)


def test_defaults_are_those_of_the_product() -> None:
    def default(name: str, parameter: str) -> Any:
        return INPUT[name]["properties"][parameter]["default"]

    assert [default("search_code", "limit"), default("find_usages", "limit"), default("find_similar", "limit")] == [
        10,
        10,
        10,
    ]
    assert default("grep_code", "limit") == 50
    assert default("analyze_impact", "depth") == 3
    assert default("analyze_impact", "direction") == "callers"
    assert default("find_symbol", "exact") is False
    assert default("search_code", "max_tokens") == 4000
    assert INPUT["search_code"]["properties"]["max_tokens"]["maximum"] == 20_000


@pytest.mark.parametrize("name", FROZEN)
def test_a_description_helps_to_choose_and_is_short(name: str) -> None:
    text = TOOLS[name]
    assert len(text) <= MAX_CHARS
    for part in ("Use when:", "Not for:", "Good:", "Bad:"):
        assert part in text
    assert TITLES[name]
    assert callable(tool(name))


def test_every_parameter_is_described() -> None:
    for schema in INPUT.values():
        for rule in schema["properties"].values():
            assert rule["description"] in PARAMETERS.values()


def test_the_instructions_name_only_tools_that_exist() -> None:
    import re

    named = set(re.findall(r"\b[a-z]+_[a-z_]+\b", INSTRUCTIONS + " ".join(TOOLS.values())))
    parameters = {key for schema in INPUT.values() for key in schema["properties"]}
    tools_meant = {
        name for name in named if name.split("_")[0] in ("search", "find", "get", "analyze", "grep", "index")
    }
    assert tools_meant - parameters <= set(TOOLS)
