"""The API's documentation as a page of our own: no foreign script, and it can be tried without any."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation."""

    name: str
    where: str
    kind: str
    required: bool
    about: str
    default: str
    example: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a route."""

    method: str
    path: str
    summary: str
    about: str
    parameters: tuple[Parameter, ...]
    answers: tuple[tuple[str, str, str], ...]
    """(status, meaning, name of the body's schema)."""


def operations_of(document: Mapping[str, Any]) -> list[tuple[str, list[Operation]]]:
    """The operations of an OpenAPI document, by their first tag, in its order."""
    groups: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            groups.setdefault((told.get("tags") or ["other"])[0], []).append(_operation(path, method, told))
    order = {"search": 0, "structure": 1, "index": 2, "operations": 3}
    return sorted(groups.items(), key=lambda pair: order.get(pair[0], 9))


def _operation(path: str, method: str, told: Mapping[str, Any]) -> Operation:
    return Operation(
        method.upper(),
        path,
        told.get("summary", ""),
        told.get("description", ""),
        tuple(_parameter(one) for one in told.get("parameters", ())),
        tuple((status, one.get("description", ""), _schema(one)) for status, one in told["responses"].items()),
    )


def _parameter(told: Mapping[str, Any]) -> Parameter:
    schema = told.get("schema", {})
    default = schema.get("default")
    examples = list(told.get("examples", {}).values())
    return Parameter(
        name=told["name"],
        where=told["in"],
        kind=_kind(schema),
        required=bool(told.get("required")),
        about=told.get("description", ""),
        default="" if default in (None, [], "") else json.dumps(default),
        example=str(examples[0].get("value", "")) if examples else "",
    )


def _kind(schema: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"] if one.get("type") != "null")
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    kind = str(schema.get("type", "any"))
    low, high = schema.get("minimum"), schema.get("maximum")
    return f"{kind} {low} to {high:,}" if low is not None and high is not None else kind


def _schema(answer: Mapping[str, Any]) -> str:
    for content in answer.get("content", {}).values():
        found = str(content.get("schema", {}).get("$ref", ""))
        if found:
            return found.rpartition("/")[2]
    return ""
