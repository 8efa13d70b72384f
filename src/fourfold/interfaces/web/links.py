"""Addresses of the page, and of a person's editor."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlencode

Query = Mapping[str, object]


def address(path: str, query: Query | None = None) -> str:
    """An address with what of `query` is not empty; lists become repeated names."""
    pairs = []
    for name, value in (query or {}).items():
        values = value if isinstance(value, (list, tuple)) else [value]
        pairs += [(name, str(one)) for one in values if one not in ("", None, False, 0)]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def file_address(path: str, line: int = 0, symbol: str = "", at: int = 0) -> str:
    """The page of a file, at a line; `symbol` (that begins at line `at`) is the one whose usages are shown."""
    place = address("/file/" + quote(path), {"symbol": symbol, "at": at})
    return f"{place}#L{line}" if line else place


def graph_address(symbol: str, path: str = "", line: int = 0, **more: object) -> str:
    """The page of a symbol's neighbourhood."""
    return address("/graph", {"symbol": symbol, "path": path, "line": line, **more})


def editor_address(template: str, root: Path, path: str, line: int) -> str:
    """The link that opens a file in the person's editor; "" where none is wanted."""
    if not template:
        return ""
    whole = quote((root / path).as_posix().lstrip("/"))
    return template.replace("{path}", whole).replace("{line}", str(line))


def crumbs(path: str) -> list[tuple[str, str]]:
    """(name, path so far) of each part of a path."""
    parts = path.split("/")
    return [(part, "/".join(parts[: number + 1])) for number, part in enumerate(parts)]
