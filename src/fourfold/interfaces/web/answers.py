"""What the search page shows: results as cards, facets, what was understood, what to do where nothing was found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fourfold.interfaces.cli.snippet import marker
from fourfold.interfaces.http.routes.common import among
from fourfold.interfaces.web.cards import Card, card
from fourfold.interfaces.web.facets import MOST_RESULTS, PAGE, POOL, Asked, Facet, facets, narrowed
from fourfold.model.errors import BadQuery, FourfoldError
from fourfold.model.query import MODALITIES
from fourfold.model.result import Meta, SearchResult
from fourfold.rank.query_text import make_filters
from fourfold.rank.weights import WEIGHTS
from fourfold.syntax.languages import resolve_language

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.model.structure import SymbolItem

FURTHER = 20
"""Results that a page shows more of at a time."""
CENTRAL = 8
"""Central symbols shown at the start."""
NAME_WORDS = 3
"""A longer question is no name, and nothing like it is looked for among names."""


@dataclass(frozen=True, slots=True)
class Part:
    """A modality's part of the weights bar: where it begins and how wide it is, in hundredths."""

    name: str
    weight: float
    start: float


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer, ready to be shown. `total` counts the results of the pool, `more` says that there are others. Where
    nothing was found: `skipped` files that are not indexed, by reason, and `near` names like the one asked for."""

    result: SearchResult
    meta: Meta
    cards: tuple[Card, ...]
    facets: tuple[Facet, ...]
    parts: tuple[Part, ...]
    total: int
    more: bool
    more_url: str = ""
    skipped: tuple[tuple[str, int], ...] = ()
    near: tuple[str, ...] = ()


def answer(index: Index, asked: Asked, editor: str) -> Shown:
    """Ask the index what the page was asked."""
    filters = make_filters(
        languages=asked.language, kinds=asked.kind, paths=asked.path, resolve_language=resolve_language
    )
    pool = POOL if asked.n <= PAGE else MOST_RESULTS
    found = among(index, list(asked.service)).search(
        asked.q, limit=pool, filters=filters, preset=asked.preset, explain=True, refresh=False
    )
    kept = narrowed(found.items, asked)
    marks = marker(found.query.meaning)
    shown = kept[: asked.n]
    near, skipped = _instead(index, found) if not kept else ((), ())
    return Shown(
        result=found,
        meta=found.meta,
        cards=tuple(card(item, marks, index.root, editor) for item in shown),
        facets=tuple(facets(found.items, asked)),
        parts=_parts(found),
        total=len(kept),
        more=bool(found.meta.dropped),
        more_url=replace(asked, n=min(asked.n + FURTHER, MOST_RESULTS)).url() if len(kept) > len(shown) else "",
        skipped=skipped,
        near=near,
    )


def _parts(found: SearchResult) -> tuple[Part, ...]:
    """The weights of the intent, as the parts of a bar."""
    weights = WEIGHTS.get(found.query.intent, {})
    parts, at = [], 0.0
    for name in MODALITIES:
        parts.append(Part(name, weights.get(name, 0.0), round(at * 100, 1)))
        at += weights.get(name, 0.0)
    return tuple(parts)


def _instead(index: Index, found: SearchResult) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """Where nothing was found: names like those asked for, and what is not indexed."""
    words = found.query.identifiers or tuple(found.query.text.split()[:NAME_WORDS])
    near: dict[str, None] = {}
    for word in words[:NAME_WORDS]:
        try:
            answer = index.symbol(word, limit=5, refresh=False)
        except (BadQuery, FourfoldError):
            continue
        near.update(dict.fromkeys([*(item.name for item in answer.items), *answer.near]))
    skipped = sorted(index.status().skipped.items(), key=lambda pair: -pair[1])
    return tuple(near)[:6], tuple(skipped[:6])


@dataclass(frozen=True, slots=True)
class Start:
    """What is shown to who has not asked yet: questions that this very index can answer, and its central symbols."""

    questions: tuple[str, ...] = ()
    central: tuple[SymbolItem, ...] = ()


def start(index: Index) -> Start:
    """The start of an index; empty where there is none."""
    try:
        found = index.overview(refresh=False)
    except FourfoldError:
        return Start()
    types = [item for item in found.items if item.kind in ("class", "struct", "interface", "trait", "type")]
    called = [item for item in found.items if item.kind in ("function", "method")]
    questions = []
    if types:
        questions.append(f"where is {types[0].name} defined")
    if called:
        questions.append(f"who calls {called[0].name}")
    told = next((item for item in (*types[1:], *called[1:], *types, *called) if item.doc), None)
    if told is not None:
        questions.append(f"how does {told.name} work")
    return Start(tuple(questions), found.items[:CENTRAL])
