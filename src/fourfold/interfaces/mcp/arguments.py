"""Arguments of a call, checked against the tool's own schema: one clear sentence for what is wrong."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from fourfold.model.errors import UsageError

_NAMES = {"string": "a text", "integer": "a whole number", "boolean": "true or false"}


def checked(tool: str, schema: Mapping[str, Any], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """All parameters of the schema with their values, defaults filled in; raises UsageError.

    A whole number may come as a text or float, as some clients send it; null counts as left out.
    """
    given = {key: value for key, value in (given or {}).items() if value is not None}
    known: Mapping[str, Mapping[str, Any]] = schema["properties"]
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"it takes: {', '.join(known)}"
            raise UsageError(f"{tool} has no parameter {key[:80]!r}", hint=hint)
    for key in schema.get("required", ()):
        if key not in given:
            raise UsageError(f"{tool} needs the parameter {key}", hint=str(known[key].get("description", "")))
    return {
        key: _value(tool, key, rule, given[key]) if key in given else rule.get("default") for key, rule in known.items()
    }


def _value(tool: str, key: str, rule: Mapping[str, Any], value: Any) -> Any:
    kind = rule["type"]
    if kind == "integer" and not isinstance(value, bool):
        value = _whole(value)
    right = {"string": str, "integer": int, "boolean": bool}[kind]
    if not isinstance(value, right) or (kind == "integer" and isinstance(value, bool)):
        raise UsageError(f"{tool}: {key} must be {_NAMES[kind]}", hint=str(rule.get("description", "")))
    if "enum" in rule and value not in rule["enum"]:
        raise UsageError(f"{tool}: there is no {key} {value!r}", hint=f"choose one of: {', '.join(rule['enum'])}")
    low, high = rule.get("minimum"), rule.get("maximum")
    if (low is not None and value < low) or (high is not None and value > high):
        raise UsageError(f"{tool}: {key} must be between {low} and {high}, not {value}", hint="")
    if isinstance(value, str) and rule.get("minLength") and not value.strip():
        raise UsageError(f"{tool}: {key} is empty", hint=str(rule.get("description", "")))
    return value


def _whole(value: Any) -> Any:
    """An integer that a client wrote as a float or a text."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 20:
        return int(value)
    return value
