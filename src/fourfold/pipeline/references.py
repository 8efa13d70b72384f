"""Uses of a name, and what a change of it reaches: what the graph knows first, mentions in the text next."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.graph.facts import RESOLVED
from fourfold.graph.traverse import IMPACT_KINDS, affected, impact, seeds_of
from fourfold.pipeline.exact import by_chunk, mentions
from fourfold.rank.direction import CALLEES, CALLERS, INHERITORS, TESTS, direction_of
from fourfold.rank.identifiers import is_shaped
from fourfold.rank.paths import categories
from fourfold.retrieve.structural import bare
from fourfold.retrieve.symbols import definitions_of

if TYPE_CHECKING:
    from fourfold.graph.graph import Graph
    from fourfold.model.query import Query
    from fourfold.pipeline.ranked import Ranked
    from fourfold.store.local.corpus import Corpus
    from fourfold.store.local.snapshot import LocalSnapshot

CALLED, REFERRED, IMPORTED = 1.3, 1.1, 0.5
"""Worth of a line where the graph says that it calls the symbol, refers to it otherwise, or imports it. A mention in
the text alone is worth at most 1 (:mod:`fourfold.pipeline.exact`)."""
_WORTH = {"calls": CALLED, "inherits": REFERRED, "references": REFERRED, "overrides": REFERRED, "imports": IMPORTED}
NOT_SURE = 0.85
"""Factor of an edge by name alone."""
IMPACT_DEPTH = 3
STEP = 0.7
"""Factor of each step away from the symbol."""
SELF = 0.2
"""Worth of a symbol itself where it is asked what it calls: below all that it calls."""
AFTER = 0.99
"""How far below what the graph knows the best of the other chunks is put."""
MOST_DEFINITIONS = 50
"""Definitions of one name that are looked at."""
Line = tuple[str, int, float]
"""Path, line, worth."""
USE_KINDS = ("calls", "inherits", "references", "imports")


@dataclass(frozen=True, slots=True)
class Meant:
    """What some names mean: the `nodes` of their definitions, and the `texts` that mention them."""

    nodes: list[int]
    texts: list[str]


def meant(graph: Graph, snapshot: LocalSnapshot, names: Sequence[str]) -> Meant:
    """The definitions of some names, as written where anything is written so; of the last part of a name where none is
    qualified as asked. A qualified name that is defined is mentioned with its owner (*Option.match*), as the bare name
    may mean another's member."""
    nodes: list[int] = []
    texts: list[str] = []
    for name in dict.fromkeys(names):
        rows = [one.row for one in definitions_of(snapshot, name, MOST_DEFINITIONS)]
        texts.append(".".join(name.split(".")[-2:]) if rows else bare(name))
        rows = rows or snapshot.symbols_named(bare(name), limit=MOST_DEFINITIONS)
        rows = rows or snapshot.symbols_named(bare(name), ignore_case=True, limit=MOST_DEFINITIONS)
        found = (graph.find(row.path, row.symbol.qualified_name, row.symbol.start_line) for row in rows)
        nodes.extend(node for node in found if node >= 0)
    return Meant(list(dict.fromkeys(nodes)), texts)


def uses_of_nodes(
    graph: Graph, corpus: Corpus, nodes: Sequence[int], wanted: frozenset[str], paths: Collection[str] | None
) -> list[Ranked]:
    """Chunks that use one of some symbols, as far as the graph knows."""
    return _merged(corpus, list(_lines(graph, nodes)), [], wanted, paths)


def asked(
    graph: Graph,
    snapshot: LocalSnapshot,
    corpus: Corpus,
    query: Query,
    names: Sequence[str],
    wanted: frozenset[str],
    paths: Collection[str] | None,
) -> list[Ranked]:
    """What a question about uses asks for: what a change reaches, what is called, tests, inheritors, or callers.

    What calls or mentions the name stands behind tests and inheritors; behind what a symbol calls, only itself.
    """
    found = meant(graph, snapshot, names_meant(query.text, names))
    impacts = query.intent == "impact_analysis"
    direction = CALLERS if impacts else direction_of(query.text)
    if direction == CALLEES:
        return _placed(corpus, [*_callees(graph, found.nodes), *_selves(graph, found.nodes)], wanted, paths)
    lines = list(_reached(graph, found.nodes) if impacts else _lines(graph, found.nodes))
    users = _merged(corpus, lines, mentions(snapshot, corpus, found.texts, wanted, paths), wanted, paths)
    if direction == CALLERS:
        return users
    if direction == TESTS:
        return _tests_first(corpus, _placed(corpus, list(_tests(graph, found.nodes)), wanted, paths), users)
    return then(_placed(corpus, list(_inheritors(graph, found.nodes)), wanted, paths), users)


def _tests_first(corpus: Corpus, reaching: list[Ranked], users: list[Ranked]) -> list[Ranked]:
    """Test code that reaches a symbol through calls, and test code that mentions it, the nearest first; then what is no
    test."""
    in_tests = [item for item in users if "test" in categories(corpus.path_of(item.chunk))]
    tests = sorted(then(reaching, in_tests), key=lambda item: -item.score)
    return then(tests, [item for item in users if item not in in_tests])


def names_meant(text: str, names: Sequence[str]) -> list[str]:
    """The names that a question means: where one has the shape of code, a plain word counts only where it is listed
    beside it ("parse_config or slugify")."""
    if not any(map(is_shaped, names)):
        return list(names)
    return [name for name in names if is_shaped(name) or re.search(rf"(?:\bor|\band|,)\s+`?{re.escape(name)}\b", text)]


def _lines(graph: Graph, nodes: Sequence[int]) -> Iterator[Line]:
    for node in nodes:
        for edge in graph.incoming(node, USE_KINDS):
            yield graph.path(edge.source), max(edge.line, 1), _worth(edge.kind, edge.confidence)


def _reached(graph: Graph, nodes: Sequence[int]) -> Iterator[Line]:
    """What a change of some symbols reaches, worth less with each step."""
    starts = list(dict.fromkeys(seed for node in nodes for seed in seeds_of(graph, node)))
    for one in impact(graph, starts, IMPACT_DEPTH, IMPACT_KINDS):
        worth = _worth(one.edge.kind, one.confidence) * STEP ** (one.depth - 1)
        yield graph.path(one.node), one.edge.line or graph.node(one.node).start_line, worth


def _callees(graph: Graph, nodes: Sequence[int]) -> Iterator[Line]:
    """The definitions that some symbols call; a type calls what its members call."""
    own = {seed for node in nodes for seed in seeds_of(graph, node)}
    for node in sorted(own):
        for edge in graph.outgoing(node, ("calls",)):
            if edge.target not in own:
                yield graph.path(edge.target), graph.node(edge.target).start_line, _worth(edge.kind, edge.confidence)


def _selves(graph: Graph, nodes: Sequence[int]) -> Iterator[Line]:
    """The symbols themselves: their code shows also what the graph does not know."""
    for node in nodes:
        yield graph.path(node), graph.node(node).start_line, SELF


def inheriting_by_name(
    graph: Graph, corpus: Corpus, query: Query, wanted: frozenset[str], paths: Collection[str] | None
) -> list[Ranked]:
    """What inherits from or implements names that nothing here defines: the trait or the base is another project's."""
    if direction_of(query.text) != INHERITORS:
        return []
    names = dict.fromkeys(bare(name) for name in query.identifiers if is_shaped(name))
    found = [one for name in names for one in graph.mentions(name, ("inherits",))]
    lines = [(graph.path(one.source), max(one.line, 1), _worth("inherits", one.confidence)) for one in found]
    return _placed(corpus, lines, wanted, paths)


def nothing_inherits(graph: Graph, snapshot: LocalSnapshot, query: Query, names: Sequence[str]) -> str:
    """What is said of the uses that stand in for what inherits from a name, "" where something does, or where that is
    not asked for."""
    if query.intent == "impact_analysis" or direction_of(query.text) != INHERITORS:
        return ""
    asked_for = names_meant(query.text, names)
    if any(graph.mentions(bare(name), ("inherits",)) for name in asked_for):
        return ""  # one of that name, which may be this one
    if any(True for _ in _inheritors(graph, meant(graph, snapshot, asked_for).nodes)):
        return ""
    return f"nothing inherits from {' or '.join(asked_for)}; these use it"


def _inheritors(graph: Graph, nodes: Sequence[int]) -> Iterator[Line]:
    """Types that inherit from some, and methods that override some, by the lines where they begin."""
    for node in nodes:
        for edge in graph.incoming(node, ("inherits", "overrides")):
            yield graph.path(edge.source), graph.node(edge.source).start_line, _worth(edge.kind, edge.confidence)


def _tests(graph: Graph, nodes: Sequence[int]) -> Iterator[Line]:
    """Test code that reaches some symbols through calls, nearest first."""
    import numpy as np

    from fourfold.pipeline.structure.shown import tested_nodes
    from fourfold.pipeline.structure.usages import TEST_DEPTH

    starts = list(dict.fromkeys(seed for node in nodes for seed in seeds_of(graph, node)))
    walk = affected(graph, starts, TEST_DEPTH, ("calls", "references"))
    for one in walk.reached(graph, np.flatnonzero(tested_nodes(graph, walk.node))):
        yield graph.path(one.node), max(one.edge.line, 1), _worth("calls", one.confidence) * STEP ** (one.depth - 1)


def _worth(kind: str, confidence: int) -> float:
    return _WORTH[kind] * (1.0 if confidence == RESOLVED else NOT_SURE)


def _placed(corpus: Corpus, lines: list[Line], wanted: frozenset[str], paths: Collection[str] | None) -> list[Ranked]:
    """Chunks of graph lines, best first."""
    lines = [line for line in lines if paths is None or line[0] in paths]
    lines.sort(key=lambda line: (-line[2], line[0], line[1]))
    return by_chunk(corpus, lines, wanted, "graph")


def _merged(
    corpus: Corpus,
    lines: list[Line],
    mentioned: list[Ranked],
    wanted: frozenset[str],
    paths: Collection[str] | None,
) -> list[Ranked]:
    """Chunks that the graph knows to use a symbol, tests after ordinary source; then those that only import or
    mention it."""
    used = _placed(corpus, [line for line in lines if line[2] > IMPORTED], wanted, paths)
    imported = _placed(corpus, [line for line in lines if line[2] <= IMPORTED], wanted, paths)
    by_number = {item.chunk: item for item in mentioned}
    for item in imported:
        other = by_number.get(item.chunk)
        if other is not None:
            item.ranks |= other.ranks
        if other is None or item.score > other.score:
            by_number[item.chunk] = item
    return then(used, sorted(by_number.values(), key=lambda item: -item.score))


def then(first: list[Ranked], rest: list[Ranked]) -> list[Ranked]:
    """One list after the other, a chunk of both in the first: scores of the rest are brought below those before."""
    by_number = {item.chunk: item for item in first}
    after = []
    for item in rest:
        if item.chunk in by_number:
            known = by_number[item.chunk]
            known.ranks = {**item.ranks, **known.ranks}
        else:
            after.append(item)
    if first and after and after[0].score >= first[-1].score:
        factor = AFTER * first[-1].score / after[0].score
        for item in after:
            item.score *= factor
            item.signals.append(("after:graph", factor))
    return [*first, *after]
