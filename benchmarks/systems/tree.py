"""The text of a tree for the comparators: which files they see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MAX_BYTES = 1_000_000
"""Larger files are skipped, as Fourfold skips them by default."""
SKIPPED_FOLDERS = frozenset({".git", "node_modules", "__pycache__", ".hg", ".svn"})


def files_of(root: Path) -> Iterator[tuple[str, str]]:
    """(path relative to `root`, text) of every UTF-8 text file, in path order."""
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if SKIPPED_FOLDERS.intersection(relative.parts) or not path.is_file() or path.is_symlink():
            continue
        text = read_text(path)
        if text is not None:
            yield relative.as_posix(), text


def read_text(path: Path) -> str | None:
    """The text with ``\\n`` line ends, or None for a binary, undecodable or oversize file."""
    if path.stat().st_size > MAX_BYTES:
        return None
    data = path.read_bytes()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return None
