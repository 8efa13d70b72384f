"""Which lessons a step takes: each by itself, or whole neighbourhoods."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from training.embedding.bags import Bags
from training.embedding.lessons import Lessons
from training.embedding.neighbours import near_blocks


class Drawn:
    """Lessons with the weight of their loss, `count` of which are drawn for a step, `near` neighbours at a time."""

    def __init__(self, lessons: Lessons, weight: float, near: int, count: int, rng: np.random.Generator) -> None:
        self._lessons, self.weight, self._near, self._rng = lessons, weight, near, rng
        self._count = min(count, len(lessons))
        self._blocks = self._endless()

    @property
    def texts(self) -> Bags:
        """The texts of all lessons."""
        return self._lessons.texts

    @property
    def units(self) -> NDArray[np.float32]:
        """What the teacher says of them."""
        return self._lessons.units

    def draw(self) -> NDArray[np.int64]:
        """Rows of the lessons of one step."""
        if self._near == 1:
            return self._rng.choice(len(self._lessons), self._count, replace=False)
        return np.concatenate([next(self._blocks) for _ in range(self._count // self._near)])

    def _endless(self) -> Iterator[NDArray[np.int64]]:
        while True:
            yield from self._rng.permutation(near_blocks(self.units, self._near, self._rng))
