"""What answers are drawn from: one snapshot, its pages and graph, the question, and what the search found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fourfold.answer.pages import Pages
from fourfold.model.query import Filters, Query
from fourfold.model.text import STOP_WORDS, words
from fourfold.pipeline.run import run_search
from fourfold.store.terms import stem_terms

if TYPE_CHECKING:
    from fourfold.model.result import ResultItem
    from fourfold.model.symbol import Symbol
    from fourfold.pipeline.searcher import Searcher
    from fourfold.pipeline.structure.items import Structure

SEARCHED = 50
"""Results of the search that an answer may draw on."""


@dataclass(slots=True)
class Scene:
    """One question against one snapshot. `absent` is what the search said of its results, or why it has none: what of
    the question occurs nowhere ("": nothing)."""

    structure: Structure
    query: Query
    results: Sequence[ResultItem]
    strategy: str = "direct"
    ghosts: int = 0
    dropped: int = 0
    absent: str = ""
    pages: Pages = field(init=False)
    _symbols: dict[str, list[Symbol]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pages = Pages(self.structure)

    @property
    def filters(self) -> Filters:
        """What narrows the answer."""
        return self.query.filters

    def stems(self) -> frozenset[str]:
        """Stems of the content words of the question."""
        content = [word for word in words(self.query.text) if word.lower() not in STOP_WORDS]
        return frozenset(term for word in content for term in stem_terms(word))

    def symbols(self, path: str) -> list[Symbol]:
        """The definitions of a file with their details."""
        if path not in self._symbols:
            self._symbols[path] = self.structure.symbols_of(path)
        return self._symbols[path]


def look(searcher: Searcher, structure: Structure, text: str, filters: Filters, *, preset: str = "default") -> Scene:
    """Search for a question whose filters are already taken out of `text`."""
    answered, query = run_search(searcher, structure.root, text, filters, limit=SEARCHED, preset=preset)
    absent = (answered.suggestion or "").partition(";")[0]
    return Scene(structure, query, answered.items, answered.strategy, answered.ghosts, answered.dropped, absent)
