"""The texts and definitions of a repository, as the miners read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from fourfold.model.symbol import Symbol
from fourfold.rank.paths import categories

NO_TARGETS = frozenset({"test", "example", "docs", "vendor", "build", "archive", "generated", "config", "type_stub"})
"""Files of these roles stay in the copy and hold no answers."""


class Definitions(Protocol):
    """What a miner needs of a parsed file (:class:`fourfold.model.parsed.ParsedFile` is one)."""

    @property
    def language(self) -> str: ...
    @property
    def symbols(self) -> tuple[Symbol, ...]: ...


@dataclass(frozen=True, slots=True)
class Tree:
    """All text files by path, and the definitions of those that questions may be about."""

    texts: Mapping[str, str]
    parsed: Mapping[str, Definitions]

    def targets(self) -> list[str]:
        """Paths that may hold answers, in order."""
        return [path for path in self.parsed if not categories(path) & NO_TARGETS]

    def tests(self) -> list[str]:
        """Paths of test files, in order."""
        return [path for path in self.parsed if "test" in categories(path)]
