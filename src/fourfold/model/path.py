"""Names inside a root-relative POSIX path."""

from __future__ import annotations


def file_stem(path: str) -> str:
    """The file name up to its first dot; the whole name where it begins with one."""
    name = path.rsplit("/", 1)[-1]
    return name.split(".")[0] or name
