"""What a repository may set. Its configuration is not trusted: it may only narrow what is indexed, shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fourfold.config.option import Value

Rule = Callable[[Value, Value], "Value | None"]
"""(value so far, the project's value) -> the value to use, or None where the project's would widen."""


def _added(current: Value, value: Value) -> Value | None:
    """Lists grow. Patterns stay within the root, and a ``!`` must not take back one of the user's."""
    assert isinstance(current, tuple) and isinstance(value, tuple)
    if any(".." in pattern.replace("\\", "/").split("/") or pattern.startswith("!") for pattern in value):
        return None
    return current + tuple(pattern for pattern in value if pattern not in current)


def _merged(current: Value, value: Value) -> Value | None:
    """Tables grow; what the user set for a name stays."""
    assert isinstance(current, Mapping) and isinstance(value, Mapping)
    mine = {name.lstrip(".").lower() for name in current}
    return {**{name: to for name, to in value.items() if name.lstrip(".").lower() not in mine}, **current}


def _lowered(current: Value, value: Value) -> Value | None:
    assert isinstance(current, (int, float)) and isinstance(value, (int, float))
    return value if value <= current else None


def _off(current: Value, value: Value) -> Value | None:
    return value if value is False or current is value else None


def _on(current: Value, value: Value) -> Value | None:
    return value if value is True or current is value else None


def _free(current: Value, value: Value) -> Value | None:
    return value


PROJECT_MAY_SET: Mapping[str, tuple[Rule, str]] = {
    "index.exclude": (_added, "patterns are added to yours; no `..`, no `!`"),
    "index.include": (_added, "patterns are added to yours; no `..`, no `!`"),
    "index.languages": (_merged, "entries are added; yours win"),
    "index.max_file_bytes": (_lowered, "smaller values only"),
    "index.hidden": (_off, "only false"),
    "index.nested_repos": (_off, "only false"),
    "index.redact_secrets": (_on, "only true"),
    "search.limit": (_lowered, "smaller values only"),
    "search.k": (_free, "any value"),
}
"""Key -> how the project's value joins the user's, and the same in words. Anything else is the user's alone:
models, stores, endpoints, places, processes and deadlines."""


def narrowed(key: str, current: Value, value: Value) -> Value | None:
    """The value to use when a project sets `key` to `value`; None where a project may not do that."""
    rule = PROJECT_MAY_SET.get(key)
    return None if rule is None else rule[0](current, value)
