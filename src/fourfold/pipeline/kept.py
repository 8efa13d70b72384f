"""Answers kept for who asks the same again: a page that is reloaded, an agent that goes back, a link that is shared.

They live as long as the searcher of their generation, so that none outlives a change of the index. Only answers of the
default way are kept: others may ask models, or come from presets that a person is editing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")

KEPT = 64
"""Answers kept: a megabyte or two of snippets."""


class KeptAnswers(Generic[T]):
    """The last answers by what was asked. Safe to share between threads."""

    def __init__(self, size: int = KEPT) -> None:
        self._size = size
        self._answers: dict[Hashable, T] = {}
        self._guard = Lock()

    def get(self, asked: Hashable, holds: Callable[[T], bool], make: Callable[[], T]) -> T:
        """The kept answer where it still holds, else a new one, which is kept."""
        with self._guard:
            found = self._answers.pop(asked, None)
            if found is not None:
                self._answers[asked] = found  # at the end: the order of the dict is the order of use
        if found is not None and holds(found):
            return found
        made = make()
        with self._guard:
            self._answers[asked] = made
            while len(self._answers) > self._size:
                del self._answers[next(iter(self._answers))]
        return made
