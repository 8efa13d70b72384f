"""What may become a question, and how the questions of a package are drawn from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
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
    found: list[Candidate], rng: random.Random, is_repeated: Callable[[str], bool] = lambda said: False
) -> list[Candidate]:
    """At most :data:`QUOTAS` of each kind and :data:`PER_FILE` a file, no text twice, in path order.

    `is_repeated` says of a candidate's sentence that the package holds it more than once: it is passed over.
    """
    used: Counter[str] = Counter()
    texts: set[str] = set()
    kept: list[Candidate] = []
    for kind, most in QUOTAS.items():
        pool = [one for one in found if one.kind == kind]
        left = most
        for one in rng.sample(pool, len(pool)):
            if not left:
                break
            fresh = used[one.path] < PER_FILE and one.text.lower() not in texts
            if fresh and not is_repeated(one.said):
                used[one.path] += 1
                texts.add(one.text.lower())
                kept.append(one)
                left -= 1
    return sorted(kept, key=lambda one: (one.path, one.targets[0].start_line or 0, one.text))
