"""Reading package manifests: what of them says where modules are. A broken manifest says nothing."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

MANIFEST_NAMES = frozenset(
    {"package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json", "go.mod", "Cargo.toml", "pubspec.yaml"}
)
"""File names that :func:`fourfold.graph.modules.modules_of` reads."""

_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def named(manifests: Mapping[str, str], *names: str) -> Iterator[tuple[str, str]]:
    """(folder, text) of the manifests of some names, by path."""
    for path in sorted(manifests):
        folder, _, name = path.rpartition("/")
        if name in names:
            yield folder, manifests[path]


def read_json(text: str) -> dict[str, Any]:
    """A JSON object, with comments and trailing commas as editors allow them; empty where it is none."""
    try:
        found = json.loads(_TRAILING_COMMA.sub(r"\1", _COMMENT.sub(lambda match: match[1] or "", text)))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read_toml(text: str) -> dict[str, Any]:
    """A TOML document; empty where it is none."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def joined(folder: str, relative: str) -> str | None:
    """A relative POSIX path taken from a folder, normalised; None where it leads out of the root."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
