"""What answers are drawn from: one snapshot, its pages and graph, the question, and what the search found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fourfold.answer.pages import Pages
from fourfold.model.chunk import TYPE_KINDS
from fourfold.model.query import Filters, Query
from fourfold.model.text import STOP_WORDS, words
from fourfold.pipeline.run import run_search
from fourfold.rank.demotion import demote, wanted_categories
from fourfold.store.terms import stem_terms

if TYPE_CHECKING:
    from fourfold.model.result import ResultItem
    from fourfold.model.structure import SymbolItem
    from fourfold.model.symbol import Symbol
    from fourfold.pipeline.searcher import Searcher
    from fourfold.pipeline.structure.items import Structure

SEARCHED = 20
"""Results of the search that an answer may draw on."""
FURTHER_FILES, FURTHER = 3, 2
"""Files whose next best places join an answer, and how many of each: a question about a process is seldom answered by
one place of its file."""


@dataclass(frozen=True, slots=True)
class Place:
    """A result of the search with the definition that it is about (None where it is about none)."""

    result: ResultItem
    item: SymbolItem | None

    @property
    def key(self) -> tuple[str, int]:
        """What makes two places one."""
        return self.result.path, self.item.start_line if self.item else self.result.start_line


@dataclass(slots=True)
class Scene:
    """One question against one snapshot. `absent` is what the search said of its results beside them: what of the
    question occurs nowhere ("": nothing)."""

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

    def places(self) -> list[Place]:
        """What the search found, each definition once: ordinary source before tests and the like, unless the question
        asks for those. The next best places of the first files follow their best one."""
        stems = self.stems()
        found: dict[tuple[str, int], Place] = {}
        for result in self._ordered():
            symbol = about(self.symbols(result.path), result, stems)
            item = self.structure.item(result.path, symbol) if symbol else None
            place = Place(result, item)
            found.setdefault(place.key, place)
        return list(found.values())

    def _ordered(self) -> list[ResultItem]:
        wanted = wanted_categories(self.query.text, self.filters.paths)
        ordinary = [one for one in self.results if not demote(1.0, one.path, wanted)[1]]
        other = [one for one in self.results if demote(1.0, one.path, wanted)[1]]
        found: list[ResultItem] = []
        for rank, result in enumerate(ordinary):
            found.append(result)
            for start, end, symbol in result.more[:FURTHER] if rank < FURTHER_FILES else ():
                found.append(replace(result, start_line=start, end_line=end, symbol=symbol, matched_lines=()))
        return [*found, *other]


def look(searcher: Searcher, structure: Structure, text: str, filters: Filters, *, preset: str = "default") -> Scene:
    """Search for a question whose filters are already taken out of `text`."""
    answered, query = run_search(searcher, structure.root, text, filters, limit=SEARCHED, preset=preset)
    absent = (answered.suggestion or "").partition(";")[0] if answered.items else ""
    return Scene(structure, query, answered.items, answered.strategy, answered.ghosts, answered.dropped, absent)


def about(symbols: Sequence[Symbol], result: ResultItem, stems: frozenset[str]) -> Symbol | None:
    """The definition that a result is about: the one it names, else of those that overlap its lines the one that has
    most words of the question in its name and documentation, then most telling lines."""
    if result.symbol:
        named = [one for one in symbols if one.qualified_name == result.symbol]
        if named:
            return min(named, key=lambda one: abs(one.start_line - result.start_line))
    inside = [one for one in symbols if one.start_line <= result.end_line and one.end_line >= result.start_line]
    begun = [one for one in inside if one.start_line >= result.start_line] or inside
    return max(begun, key=lambda one: _worth(one, result, stems), default=None)


def _worth(symbol: Symbol, result: ResultItem, stems: frozenset[str]) -> tuple[int, int, int, int]:
    told = {term for word in words(f"{symbol.qualified_name} {symbol.doc}") for term in stem_terms(word)}
    lines = sum(symbol.start_line <= line <= symbol.end_line for line in result.matched_lines)
    return len(told & stems), lines, symbol.kind in TYPE_KINDS, -symbol.start_line
