"""Definitions of the files that were found, nearest to the question in meaning and words: said where room is left.

A question in other words than the code finds the right file more often than the right lines of it
(``benchmarks.answers``: files cited against targets cited). What else such a file defines is an outline worth having.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.answer.places import BODIES, Place
from fourfold.model.text import words
from fourfold.rank.demotion import demote, wanted_categories
from fourfold.store.terms import stem_terms

if TYPE_CHECKING:
    from fourfold.answer.scene import Scene
    from fourfold.model.result import ResultItem
    from fourfold.model.symbol import Symbol

FILES = 12
"""Files that are looked into, in the order of their best places."""
NEAR = 12
"""Definitions that are named at most."""
LOOKED_AT = 60
"""Definitions whose code is read: those whose heads come nearest."""
BODY_LINES = 40
DOC_CHARS = 400
WORDS_WORTH = 0.3
"""What it is worth that a head or a body holds all words of the question, beside a cosine of 1."""
FILE_WORTH = 0.06
"""What it is worth that the file is e times as likely. Both were chosen on the open half of the questions on large code
bases together with those that share no word with their target; values between 0 and twice these differ little."""
LEAST_LIKELY = 0.001
LEAST_CLOSE = 0.25
"""Cosines of head and body and worth of their words, together, below which a definition is not named: half of all
definitions lie below, one in four of those that were sought."""


@dataclass(slots=True)
class _Found:
    result: ResultItem
    symbol: Symbol
    head: str
    close: float = 0.0

    @property
    def score(self) -> float:
        """How near it is, with the likelihood of its file."""
        return self.close + FILE_WORTH * math.log(max(self.result.score, 0.0) + LEAST_LIKELY)


def near(scene: Scene, known: Sequence[Place]) -> list[Place]:
    """Up to :data:`NEAR` definitions that are none of the `known` places, nearest first."""
    found = _candidates(scene, {one.key for one in known}, _files(scene, known))
    for one, close in zip(found, _closeness(scene, [one.head for one in found]), strict=True):
        one.close = close
    found.sort(key=lambda one: -one.score)
    found = found[:LOOKED_AT]
    for one, close in zip(found, _closeness(scene, [_body(scene, one) for one in found]), strict=True):
        one.close += close
    found = [one for one in found if one.close >= LEAST_CLOSE]
    found.sort(key=lambda one: -one.score)
    return [
        Place(one.result, scene.structure.item(one.result.path, one.symbol), rank, part=True, near=True)
        for rank, one in enumerate(found[:NEAR])
    ]


def _files(scene: Scene, known: Sequence[Place]) -> list[ResultItem]:
    """The best result of each file, those of the places first; tests and the like only where they are asked for."""
    wanted = wanted_categories(scene.query.text, scene.filters.paths)
    first: dict[str, ResultItem] = {}
    for result in (*(one.result for one in known), *scene.results):
        if result.path in first or not demote(1.0, result.path, wanted)[1]:
            first.setdefault(result.path, result)
    return list(first.values())[:FILES]


def _candidates(scene: Scene, known: set[tuple[str, int]], files: Sequence[ResultItem]) -> list[_Found]:
    return [
        _Found(result, symbol, f"{result.path} {symbol.qualified_name} {symbol.signature} {symbol.doc[:DOC_CHARS]}")
        for result in files
        for symbol in scene.symbols(result.path)
        if symbol.kind in BODIES and (result.path, symbol.start_line) not in known
    ]


def _body(scene: Scene, one: _Found) -> str:
    end = min(one.symbol.end_line, one.symbol.start_line + BODY_LINES)
    return "\n".join(scene.pages.lines(one.result.path)[one.symbol.start_line - 1 : end])


def _closeness(scene: Scene, texts: Sequence[str]) -> list[float]:
    """For each text its cosine with the question and the share of the question's words that it holds."""
    stems = scene.stems()
    shares = [
        len({term for word in set(words(text)) for term in stem_terms(word)} & stems) / max(len(stems), 1)
        for text in texts
    ]
    embedder = scene.structure.searcher.token_embedder
    if embedder is None or not texts:
        return [WORDS_WORTH * share for share in shares]
    asked, *told = embedder.queries([scene.query.text, *texts])
    return [float(one @ asked) + WORDS_WORTH * share for one, share in zip(told, shares, strict=True)]
