"""From ranked chunks to results: understand, rank, cut snippets, say why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.model.record import record
from fourfold.model.result import GrepLine, ResultItem, Why
from fourfold.pipeline.absent import absent_note
from fourfold.pipeline.not_here import not_here, unsearched
from fourfold.pipeline.snippets import TellingLines
from fourfold.pipeline.spelling import spelling_note
from fourfold.retrieve.literal_texts import texts_of
from fourfold.retrieve.mask import allowed_chunks
from fourfold.source.tree import as_tree
from fourfold.store.question import Question

if TYPE_CHECKING:
    from fourfold.model.query import Filters, Query
    from fourfold.pipeline.ranked import Answer, Ranked
    from fourfold.pipeline.ranker import Ranking
    from fourfold.pipeline.searcher import Searcher
    from fourfold.retrieve.patterns import Pattern
    from fourfold.source.tree import Tree
    from fourfold.store.contract import ChunkRow, Named, Span
    from fourfold.store.local.snapshot import LocalSnapshot


DEFAULT = "default"
"""The preset that the searcher answers itself; every other one runs as a pipeline."""
NARROWED = frozenset({"definitions", "similar"})
"""Methods that answer with definitions: shown are the lines of those, not the whole chunk."""
UNNAMED = frozenset({"module", "window", "section"})
"""Kinds of chunks that no definition in them stands for."""
SIGNALS_SHOWN = 4
"""Shares of a score that a result carries unless all are asked for."""


@record(frozen=True, slots=True)
class Answered:
    """Results of a search, ready for any interface. `ghosts` counts hits left out because their file is gone."""

    items: tuple[ResultItem, ...]
    strategy: str
    truncated: bool = False
    dropped: int = 0
    ghosts: int = 0
    suggestion: str | None = None


FASTER = "narrow it by path or language, or write it without nested or large repeats"
"""What to do where a text search took too long."""


@record(frozen=True, slots=True)
class Grepped:
    """Matching lines, ready for any interface. Where time ran out, `suggestion` says so and what to do."""

    lines: tuple[GrepLine, ...]
    files: int
    truncated: bool = False
    dropped: int = 0
    ghosts: int = 0
    strategy: str = "direct"
    suggestion: str | None = None


def run_search(
    searcher: Searcher,
    root: Path | Tree,
    text: str,
    filters: Filters,
    *,
    limit: int,
    preset: str,
    k: float | None = None,
    explain: bool = False,
) -> tuple[Answered, Query]:
    """Answer a question whose filters are already taken out of `text`."""
    tree = as_tree(root)
    if preset != DEFAULT:
        query = searcher.understand(text, filters)
        answer = run_preset(searcher, query, preset, limit, k)
        return show(searcher, tree, answer, query, limit=limit, explain=explain), query

    ranking = searcher.ranking

    def make() -> tuple[Answered, Query, Ranking]:
        query = searcher.understand(text, filters)
        answer = searcher.answer(query, depth=2 * limit)
        return show(searcher, tree, answer, query, limit=limit, explain=explain), query, ranking

    def holds(kept: tuple[Answered, Query, Ranking]) -> bool:
        shown, _, ranked_by = kept
        return ranked_by is ranking and not shown.ghosts and all(map(tree.has, {item.path for item in shown.items}))

    answered, query, _ = searcher.kept.get((text, filters, limit, explain), make, holds)
    return answered, query


def run_preset(searcher: Searcher, query: Query, preset: str, limit: int, k: float | None = None) -> Answer:
    """A ranked list from the pipeline of a preset."""
    from fourfold.pipeline.loader import load_preset
    from fourfold.pipeline.state import RetrieverState, SearchQuery

    pipeline = load_preset(preset)
    state = RetrieverState(SearchQuery(query.text, query.filters), searcher, limit=limit, k=k, ranked=True)
    state.scratch["understood"] = query
    pipeline.apply(state)
    return kept(searcher, state.answer(), query.filters)


def composed(searcher: Searcher, text: str, filters: Filters, preset: str, limit: int | None = None) -> str:
    """The text that the pipeline of a preset composes."""
    from fourfold.pipeline.loader import load_preset
    from fourfold.pipeline.state import RetrieverState, SearchQuery

    state = RetrieverState(SearchQuery(text, filters), searcher, limit=limit)
    load_preset(preset).apply(state)
    return state.text


def kept(searcher: Searcher, answer: Answer, filters: Filters) -> Answer:
    """An answer without what the filters do not let through, whatever the pipeline does with them."""
    allowed = allowed_chunks(searcher.corpus, filters)
    if allowed is not None:
        answer.items = [item for item in answer.items if allowed[item.chunk]]
    return answer


def show(
    searcher: Searcher, root: Path | Tree, answer: Answer, query: Query, *, limit: int, explain: bool = False
) -> Answered:
    """The first `limit` places of an answer as results; places whose file is gone are left out and counted."""
    items: list[ResultItem] = []
    ghosts = 0
    places = answer.items
    for ranked in places[:limit]:
        ranked.complete()
    rows = _rows(searcher, places[:limit])
    texts = dict(texts_of(searcher.snapshot).read(searcher.snapshot, list({row.path for row in rows.values()})))
    exists = PathCheck(root)
    names = _Names(searcher.snapshot)
    names.read(_spans(answer, places[:limit], rows))
    cut = _Cutter(searcher, answer, texts, TellingLines(Question(query.terms).content_stems), names)
    for ranked in places:
        if len(items) == limit:
            break
        if ranked.chunk not in rows:
            ranked.complete()
            rows |= _rows(searcher, [ranked])
        row = rows[ranked.chunk]
        if not exists(row.path):
            ghosts += 1
            continue
        more = [rows[number] for number in ranked.more if number in rows]
        if not explain:
            ranked.signals = ranked.signals[:SIGNALS_SHOWN]
        items.append(cut.item(ranked, row, more, len(items) + 1))
    return Answered(
        tuple(items),
        answer.strategy,
        truncated=len(places) > limit,
        dropped=max(0, len(places) - ghosts - len(items)),
        ghosts=ghosts,
        suggestion=_said(searcher, answer, query) if items else _suggestion(searcher, query),
    )


class PathCheck:
    """Whether a path still exists in the tree: a file that is gone is never shown, whatever the index says."""

    def __init__(self, root: Path | Tree) -> None:
        self._tree = as_tree(root)
        self._known: dict[str, bool] = {}

    def __call__(self, path: str) -> bool:
        if path not in self._known:
            self._known[path] = self._tree.has(path)
        return self._known[path]


def _rows(searcher: Searcher, places: Sequence[Ranked]) -> dict[int, ChunkRow]:
    numbers = [place.chunk for place in places] + [number for place in places for number in place.more]
    return {row.number: row for row in searcher.snapshot.chunk_rows(list(dict.fromkeys(numbers)))}


class _Names:
    """What the definitions that begin in some spans are called, read once for many."""

    def __init__(self, snapshot: LocalSnapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[Span, list[Named]] = {}

    def read(self, spans: Sequence[Span]) -> None:
        """Know the names in these spans."""
        self._known |= zip(spans, self._snapshot.names_within(spans), strict=True)

    def within(self, path: str, first: int, last: int) -> list[Named]:
        """The definitions that begin within two lines of a file, in the order in which they were stored."""
        span = (path, first, last)
        if span not in self._known:
            self.read([span])
        return self._known[span]


def _spans(answer: Answer, places: Sequence[Ranked], rows: dict[int, ChunkRow]) -> list[Span]:
    """Where the definitions begin that places are called after, or cut to."""
    shown = [(place, rows[place.chunk]) for place in places]
    if answer.method in NARROWED:
        return [(row.path, place.line, place.line) for place, row in shown]
    return [
        (row.path, *(place.span if place.span[0] else (row.start_line, row.end_line)))
        for place, row in shown
        if not row.symbol
    ]


@record(frozen=True, slots=True)
class _Cutter:
    """Makes results of ranked chunks for one answer. `texts` are those of the files that are shown, as far as known."""

    searcher: Searcher
    answer: Answer
    texts: dict[str, str]
    telling: TellingLines
    names: _Names

    def item(self, ranked: Ranked, row: ChunkRow, more: list[ChunkRow], rank: int) -> ResultItem:
        """The result for one chunk: its text, the lines that tell most, and why it is there."""
        if self.answer.method in NARROWED:
            row = _narrowed(row, self.names.within(row.path, ranked.line, ranked.line))
        if ranked.span[0]:
            row = replace(row, start_line=ranked.span[0], end_line=ranked.span[1])
        if row.path not in self.texts:
            self.texts[row.path] = self.searcher.snapshot.text(row.path) or ""
        text = self.texts[row.path]
        snippet = texts_of(self.searcher.snapshot).part(row.path, text, row.start_line, row.end_line)
        lines = snippet.split("\n")
        telling = [ranked.line] if ranked.line else self.telling.ranked(lines, row.start_line)
        matched = tuple(sorted(telling))
        if not row.symbol and telling:
            row = _named(row, self.names.within(row.path, row.start_line, row.end_line), telling[0], lines)
        return ResultItem(
            rank=rank,
            path=row.path,
            start_line=row.start_line,
            end_line=row.end_line,
            language=row.language,
            kind=row.kind,
            symbol=row.symbol,
            signature=row.signature,
            score=round(ranked.score, 6),
            snippet=snippet,
            parent=row.parent,
            matched_lines=matched,
            more=tuple((other.start_line, other.end_line, other.symbol) for other in more),
            why=Why(
                modalities=ranked.ranks,
                weights=self.answer.weights,
                signals=tuple((name, round(value, 4)) for name, value in ranked.signals),
                method=self.answer.method,
            ),
        )


def _narrowed(row: ChunkRow, found: list[Named]) -> ChunkRow:
    """The part of a chunk that is a definition in it, under the definition's own name."""
    if not found:
        return row
    start, end = max(row.start_line, found[0].start_line), min(row.end_line, found[0].end_line)
    return replace(_called(row, found[0]), start_line=start, end_line=end)


def _named(row: ChunkRow, found: list[Named], line: int, lines: list[str]) -> ChunkRow:
    """A chunk of several small definitions under the name of the innermost one that a line is in; where it is in none,
    of the one that it leads up to without a blank line (its comment), else of the one that begins nearest above it,
    else of the first. A chunk of a whole module or of prose has no name. `lines` are those of the chunk."""
    inside = [one for one in found if one.start_line <= line <= one.end_line <= row.end_line]
    if inside:
        return _called(row, min(inside, key=lambda one: one.end_line - one.start_line))
    if not found or row.kind in UNNAMED:
        return row
    above = [one for one in found if one.start_line <= line]
    below = min((one for one in found if one.start_line > line), key=lambda one: one.start_line, default=None)
    if below is not None:
        between = lines[line - row.start_line : below.start_line - row.start_line]
        if not above or all(text.strip() for text in between):
            return _called(row, below)
    return _called(row, max(above, key=lambda one: one.start_line))


def _called(row: ChunkRow, symbol: Named) -> ChunkRow:
    """A chunk under the name of a definition."""
    return replace(
        row, kind=symbol.kind, symbol=symbol.qualified_name, parent=symbol.parent, signature=symbol.signature
    )


def _said(searcher: Searcher, answer: Answer, query: Query) -> str | None:
    """What is said beside results, None where there is nothing to say."""
    return "; ".join(filter(None, (spelling_note(query), answer.note or _absent(searcher, answer, query)))) or None


def _absent(searcher: Searcher, answer: Answer, query: Query) -> str:
    return "" if answer.strategy == "direct" else absent_note(searcher.corpus, query)


def _suggestion(searcher: Searcher, query: Query) -> str:
    """What to try when nothing was found."""
    if said := not_here(searcher.corpus, query.filters):
        return said
    if not query.filters.empty:
        return "nothing fits these filters; search again without them"
    if query.literal:
        said = "the exact text does not occur; ask in words, or use grep -i"
    else:
        said = "no word of the question occurs in the index; try other words, or see what is indexed: fourfold status"
    return "; ".join(filter(None, (said, unsearched(searcher.snapshot))))


def _none_here(searcher: Searcher, filters: Filters, found: bool) -> str:
    """Why no line may have been found that is there, "" where nothing tells."""
    return not_here(searcher.corpus, filters) or ("" if found else unsearched(searcher.snapshot))


def run_grep(
    searcher: Searcher,
    root: Path | Tree,
    pattern: Pattern,
    filters: Filters,
    *,
    before: int = 0,
    after: int = 0,
    limit: int | None = None,
    max_per_file: int | None = None,
) -> Grepped:
    """Every matching line under the filters."""
    from fourfold.retrieve.literal import grep
    from fourfold.retrieve.mask import path_allowed

    corpus = searcher.corpus
    paths = None
    if not filters.empty:
        allowed = path_allowed(filters)
        paths = [p for p, lang in zip(corpus.paths, corpus.languages, strict=True) if p and allowed(p, lang)]
    found = grep(searcher.snapshot, pattern, paths, before=before, after=after, limit=limit, max_per_file=max_per_file)
    exists = PathCheck(root)
    languages = dict(zip(corpus.paths, corpus.languages, strict=True))
    lines = tuple(
        GrepLine(
            path=line.path,
            line=line.line,
            column=line.column,
            text=line.text,
            spans=tuple(line.spans),
            before=tuple(line.before),
            after=tuple(line.after),
            language=languages.get(line.path, ""),
        )
        for line in found.lines
        if exists(line.path)
    )
    return Grepped(
        lines,
        len({line.path for line in lines}),
        truncated=found.truncated,
        ghosts=len(found.lines) - len(lines),
        suggestion=f"{found.reason}; {FASTER}" if found.late else _none_here(searcher, filters, bool(lines)) or None,
    )
