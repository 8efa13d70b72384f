"""What was made last, kept for who asks the same again, up to a number of things.

Answers are kept by what was asked: a page that is reloaded, an agent that goes back, a link that is shared. They live
as long as the searcher of their generation, so that none outlives a change of the index. Only answers of the default
way are kept: others may ask models, or come from presets that a person is editing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")

ANSWERS = 64
"""Answers kept: a megabyte or two of snippets."""


def _always(_found: object) -> bool:
    return True


class Recent(Generic[T]):
    """The things asked for last by their keys, at most `size`. Safe to share between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: dict[Hashable, T] = {}
        self._guard = Lock()

    def get(self, key: Hashable, make: Callable[[], T], holds: Callable[[T], bool] = _always) -> T:
        """The kept thing where it still holds, else a new one, which is kept."""
        with self._guard:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found  # at the end: the order of the dict is the order of use
        if found is not None and holds(found):
            return found
        made = make()
        with self._guard:
            self._kept[key] = made
            while len(self._kept) > self._size:
                del self._kept[next(iter(self._kept))]
        return made
