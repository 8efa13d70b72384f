"""Impact as a tree: each symbol below the one through which it is reached."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fourfold.model.structure import UsageItem


@dataclass(slots=True)
class Branch:
    """A symbol that is reached, and what is reached through it."""

    item: UsageItem
    below: list[Branch] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many symbols are below."""
        return sum(1 + branch.size for branch in self.below)


def tree(items: Iterable[UsageItem]) -> list[Branch]:
    """The branches of the first step. An item whose way was cut off stands at the top, with its depth."""
    tops: list[Branch] = []
    reached: dict[tuple[int, str], Branch] = {}
    for item in sorted(items, key=lambda one: one.depth):
        branch = Branch(item)
        above = reached.get((item.depth - 1, item.via))
        (above.below if above is not None and item.depth > 1 else tops).append(branch)
        reached.setdefault((item.depth, item.symbol or item.path), branch)
    return tops
