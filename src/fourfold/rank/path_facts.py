"""What paths say by themselves, many at once: their roles, depths and stems. What was worked out is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.path import file_stem
from fourfold.model.record import record
from fourfold.rank.number_lists import NumberLists
from fourfold.rank.path_words import path_parts
from fourfold.rank.paths import categories

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROLES = ("test", "example", "docs", "compat", "vendor", "build", "archive", "generated", "init", "type_stub")
"""Categories of a path that are features of its file; a path's roles are one bit each, in this order."""
REMEMBERED = 65_536
"""Paths that are remembered: some 20 MB."""


@record(frozen=True, slots=True)
class PathFacts:
    """Of P paths: the bits of their :data:`ROLES`, how many folders they lie in, a number for the file's stem in lower
    case, and the words of that stem."""

    roles: NDArray[np.int64]
    depths: NDArray[np.int64]
    stems: NDArray[np.int64]
    words: list[frozenset[str]]


class _Remembered:
    """Facts of the paths that were asked for. Full, it is replaced: numbers mean nothing beyond one answer."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._facts = NumberLists()
        self._words: list[frozenset[str]] = []

    def add(self, path: str) -> int:
        """Keep the facts of a path; the number of its row."""
        roles, stem = categories(path), file_stem(path).lower()
        bits = sum(1 << bit for bit, role in enumerate(ROLES) if role in roles)
        number = self._numbers.setdefault(stem, len(self._numbers))
        self.rows[path] = row = self._facts.add([bits, path.count("/"), number])
        self._words.append(frozenset(path_parts(path)[0]))
        return row

    def of(self, rows: list[int]) -> PathFacts:
        """The facts of some rows."""
        roles, depths, stems = self._facts.of(np.array(rows, dtype=np.int64))[0].reshape(-1, 3).T
        return PathFacts(roles, depths, stems, [self._words[row] for row in rows])


_remembered = _Remembered()
_guard = Lock()


def path_facts(paths: Sequence[str]) -> PathFacts:
    """The facts of some paths."""
    global _remembered
    with _guard:
        if len(_remembered.rows) + len(paths) > REMEMBERED:
            _remembered = _Remembered()
        known = _remembered.rows
        rows = [known[path] if path in known else _remembered.add(path) for path in paths]
        return _remembered.of(rows)
