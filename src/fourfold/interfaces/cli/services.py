"""Results of several services as text: each path under the name of its service."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

T = TypeVar("T")


def with_services(answer: T) -> T:
    """The answer with ``web/src/app.py`` where a result is of the service ``web``; others as they are."""
    changed = {
        item.name: tuple(_named(part) for part in value)
        for item in fields(answer)  # type: ignore[arg-type]
        if isinstance(value := getattr(answer, item.name), tuple)
    }
    return replace(answer, **changed) if changed else answer  # type: ignore[type-var]


def _named(item: Any) -> Any:
    service = getattr(item, "service", "")
    if not service or not hasattr(item, "path"):
        return item
    parts = {"path": f"{service}/{item.path}"}
    if getattr(item, "at", ""):
        parts["at"] = f"{service}/{item.at}"
    return replace(item, **parts)
