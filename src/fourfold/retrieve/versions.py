"""Folders of older versions: ``v3/`` beside ``v4/``."""

from __future__ import annotations

import re
from collections.abc import Iterable

_VERSION = re.compile(r"v(\d{1,3})$", re.IGNORECASE)


class Versions:
    """Knows the newest version folder among siblings of a tree."""

    def __init__(self, paths: Iterable[str]) -> None:
        newest: dict[str, int] = {}
        for folder in {path.rpartition("/")[0] for path in paths}:
            for parent, number in _versions(folder):
                newest[parent] = max(newest.get(parent, -1), number)
        self._newest = newest

    @property
    def any(self) -> bool:
        """True where there is a version folder at all."""
        return bool(self._newest)

    def superseded(self, path: str) -> bool:
        """True where a folder of the path is a version folder with a newer sibling."""
        if not self._newest:
            return False
        return any(number < self._newest[parent] for parent, number in _versions(path.rpartition("/")[0]))


def _versions(folder: str) -> Iterable[tuple[str, int]]:
    """(parent folder, version number) of each version folder on the way."""
    components = folder.split("/")
    for depth, component in enumerate(components):
        match = _VERSION.match(component)
        if match:
            yield "/".join(components[:depth]), int(match[1])
