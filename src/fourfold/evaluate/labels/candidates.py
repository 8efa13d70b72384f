"""What may become a question, and how the questions of a package are drawn from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fourfold.evaluate.question import Target

PER_FILE = 4
"""Questions whose target is in one file: no file makes half of a package's questions."""
QUOTAS: dict[str, int] = {
    "file": 14,
    "commit": 10,
    "test": 10,
    "type": 28,
    "function": 55,
    "symbol": 22,
    "where": 4,
}
"""Most questions of a kind in a package, in the order in which they are drawn: rare kinds before common ones."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that could be asked.

    `said` is the sentence as it stands in the package, "" where it stands nowhere; `blank` are (path, first line,
    last line) of what the copy must not hold, because the question was made of it.
    """

    kind: str
    text: str
    category: str
    targets: tuple[Target, ...]
    tags: tuple[str, ...] = ()
    blank: tuple[tuple[str, int, int], ...] = ()
    said: str = ""

    @property
    def path(self) -> str:
        return self.targets[0].path


def draw(
    found: Sequence[Candidate],
    rng: random.Random,
    is_repeated: Callable[[str], bool] = lambda said: False,
    quotas: Mapping[str, int] = QUOTAS,
    per_file: int = PER_FILE,
) -> list[Candidate]:
    """At most `quotas` of each kind and `per_file` a file, no text twice, in path order.

    `is_repeated` says of a candidate's sentence that the package holds it more than once: it is passed over.
    """
    drawing = Drawing(rng, is_repeated, per_file)
    for kind, most in quotas.items():
        drawing.take([one for one in found if one.kind == kind], most)
    return drawing.kept()


class Drawing:
    """Questions drawn so far, and what may still be drawn."""

    def __init__(self, rng: random.Random, is_repeated: Callable[[str], bool], per_file: int) -> None:
        self._rng = rng
        self._is_repeated = is_repeated
        self._per_file = per_file
        self._used: Counter[str] = Counter()
        self._texts: set[str] = set()
        self._kept: list[Candidate] = []

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, pool: Sequence[Candidate], most: int) -> None:
        """Draw at most `most` of a pool."""
        for one in self._rng.sample(pool, len(pool)):
            if most <= 0:
                break
            fresh = self._used[one.path] < self._per_file and one.text.lower() not in self._texts
            if fresh and not self._is_repeated(one.said):
                self._used[one.path] += 1
                self._texts.add(one.text.lower())
                self._kept.append(one)
                most -= 1

    def kept(self) -> list[Candidate]:
        """Everything drawn, in path order."""
        return sorted(self._kept, key=lambda one: (one.path, one.targets[0].start_line or 0, one.text))
