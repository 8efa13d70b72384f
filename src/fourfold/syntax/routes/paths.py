"""Joining paths."""

from __future__ import annotations


def join_paths(prefix: str, path: str) -> str:
    """`path` below `prefix`: one slash between them, an empty side adds nothing."""
    if not prefix:
        return path
    if not path:
        return prefix
    if path.startswith("/") or prefix.endswith("/"):
        return f"{prefix.rstrip('/')}/{path.lstrip('/')}"
    return f"{prefix}/{path}"
