"""The arguments of a tool call out of what a model wrote: an object, whether it called the tool or wrote JSON."""

from __future__ import annotations

import json
from typing import Any

from fourfold.llm.protocol import Decision
from fourfold.net.failed import Failed

MAX_DECISION_CHARS = 100_000
"""A longer text is no decision."""
MAX_TRIED = 20
"""Braces at which an object is looked for: prose before it holds few."""


def decided(decision: Decision, arguments: str, text: str) -> dict[str, Any]:
    """The object that the call holds (`arguments`), else the first one in what was written instead (`text`).

    Raises Failed where there is none, or where a key that the schema requires is missing.
    """
    for source in (arguments, text):
        found = _object(source[:MAX_DECISION_CHARS])
        if found is not None and all(key in found for key in decision.schema.get("required", ())):
            return found
    raise Failed(f"did not decide: no {decision.name} in its reply", status=-1)


def _object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text, None where there is none."""
    start = text.find("{")
    for _ in range(MAX_TRIED):
        if start < 0:
            break
        try:
            found, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
        start = text.find("{", start + 1)
    return None
