"""The places of an answer: as many as the evidence bears, by file, with the definitions beside them that are spoken of.

Scores of the learned order are likelihoods (:mod:`fourfold.rank.listing`), so the places that hold nearly all of it are
those worth naming: one where the question is plain, a dozen where it is vague. On the open half of the questions about
*how* and *why* (``benchmarks.answers``) the first places that hold :data:`LIKELY` of the likelihood show a target as
often as all thirty would (.76), with half of the places; those that hold .90 of it do so for .52.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fourfold.model.chunk import TYPE_KINDS
from fourfold.model.text import words
from fourfold.rank.demotion import demote, wanted_categories
from fourfold.store.terms import stem_terms

if TYPE_CHECKING:
    from fourfold.answer.scene import Scene
    from fourfold.model.result import ResultItem
    from fourfold.model.structure import SymbolItem
    from fourfold.model.symbol import Symbol

LIKELY = 0.95
"""Share of the likelihood of all results that the places named hold together."""
LEAST, MOST = 3, 20
"""Places that are named at least (where there are any) and at most."""
FURTHER_FILES, FURTHER = 3, 2
"""Files whose next best places join an answer, and how many of each: a question about a process is seldom answered by
one place of its file."""
PARTS_OF, PARTS = 3, 3
"""Places beside which definitions are named that speak of the question too, and how many of them."""
NAME_WORTH = 2.0
"""What a word of the question in a name is worth beside one in the documentation."""
BODIES = frozenset({"function", "method", "macro", "test", *TYPE_KINDS})
"""Kinds of definitions that may be named beside a place that was found."""


@dataclass(frozen=True, slots=True)
class Place:
    """A result of the search with the definition that it is about (None where it is about none). `rank` counts from 0;
    a `part` was not found itself, but stands beside a place that was; one that is `near` is a part that is named only
    where room is left."""

    result: ResultItem
    item: SymbolItem | None
    rank: int = 0
    part: bool = False
    near: bool = False

    @property
    def key(self) -> tuple[str, int]:
        """What makes two places one."""
        return self.result.path, self.item.start_line if self.item else self.result.start_line


def likely(scene: Scene) -> list[ResultItem]:
    """The results worth naming, best first: ordinary source (tests and the like only where the question asks for them,
    or where there is little else) down to where the likelihood is used up."""
    wanted = wanted_categories(scene.query.text, scene.filters.paths)
    ordinary = [one for one in scene.results if not demote(1.0, one.path, wanted)[1]]
    if len(ordinary) < LEAST:
        return [*ordinary, *(one for one in scene.results if demote(1.0, one.path, wanted)[1])][:MOST]
    total = sum(max(one.score, 0.0) for one in ordinary)
    held = 0.0
    for number, result in enumerate(ordinary[:MOST], 1):
        held += max(result.score, 0.0)
        if number >= LEAST and held >= LIKELY * total:
            return ordinary[:number]
    return ordinary[:MOST]


def places(scene: Scene) -> list[Place]:
    """What the search found, each definition once, best first; the next best places of the first files, and definitions
    beside the first places that speak of the question, follow theirs."""
    found: dict[tuple[str, int], Place] = {}
    for rank, result in enumerate(likely(scene)):
        first = _placed(scene, result, rank)
        found.setdefault(first.key, first)
        for start, end, symbol in result.more[:FURTHER] if rank < FURTHER_FILES else ():
            other = replace(result, start_line=start, end_line=end, symbol=symbol, matched_lines=())
            place = _placed(scene, other, rank)
            found.setdefault(place.key, place)
        for symbol_ in parts(scene, first) if rank < PARTS_OF else ():
            part = Place(result, scene.structure.item(result.path, symbol_), rank, part=True)
            found.setdefault(part.key, part)
    return list(found.values())


def by_file(found: Sequence[Place]) -> list[Place]:
    """Places file by file, the file of the best one first; within a file in the order of the source."""
    order: dict[str, int] = {}
    for one in found:
        order.setdefault(one.result.path, len(order))
    return sorted(found, key=lambda one: (order[one.result.path], one.key[1]))


def parts(scene: Scene, place: Place) -> list[Symbol]:
    """Definitions of the place's file that speak of the question: by the words of it in their names and documentation,
    those that are rare in the file weighing most; one within the lines that were found needs fewer."""
    symbols = [one for one in scene.symbols(place.result.path) if one.kind in BODIES]
    stems = scene.stems()
    told = [_told(one) for one in symbols]
    common = Counter(term for names, doc in told for term in names | doc)
    worth = {term: math.log(1 + len(symbols) / common[term]) for term in stems & common.keys()}
    scored = []
    for symbol, (names, doc) in zip(symbols, told, strict=True):
        if place.item is not None and symbol.start_line == place.item.start_line:
            continue
        score = sum(w * (NAME_WORTH if term in names else 1.0) for term, w in worth.items() if term in names | doc)
        inside = place.result.start_line <= symbol.start_line <= place.result.end_line
        if score and (inside or len(stems & (names | doc)) > 1):
            scored.append((-score, symbol.start_line, symbol))
    scored.sort(key=lambda one: one[:2])
    return [symbol for _, _, symbol in scored[:PARTS]]


def _told(symbol: Symbol) -> tuple[set[str], set[str]]:
    names = {term for word in words(symbol.name) for term in stem_terms(word)}
    return names, {term for word in words(symbol.doc) for term in stem_terms(word)}


def _placed(scene: Scene, result: ResultItem, rank: int) -> Place:
    symbol = about(scene.symbols(result.path), result, scene.stems())
    return Place(result, scene.structure.item(result.path, symbol) if symbol else None, rank)


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
