"""Questions about structure: definitions, references, impact, context, routes, overview, patterns, similar code."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.engine.asking import Asking
from fourfold.engine.checks import check_depth, check_direction, check_limit
from fourfold.model.errors import BadQuery
from fourfold.model.query import Filters, Query
from fourfold.model.record import record
from fourfold.model.result import Meta, QueryInfo, SearchResult

if TYPE_CHECKING:
    from fourfold.engine.asking import ProgressCallback
    from fourfold.model.structure import (
        ContextResult,
        ImpactResult,
        MatchResult,
        OverviewResult,
        RouteResult,
        SymbolResult,
        UsageResult,
    )
    from fourfold.pipeline.searcher import Searcher
    from fourfold.pipeline.structure.items import Structure
    from fourfold.pipeline.structure.match import Matches

T = TypeVar("T")


@record(frozen=True, slots=True)
class _State:
    """What the meta of an answer says of it (see :meth:`Asking._meta`)."""

    strategy: str = "direct"
    truncated: bool = False
    dropped: int = 0
    ghosts: int = 0
    suggestion: str | None = None


class StructureQuestions(Asking):
    """The structural questions of :class:`fourfold.engine.Index`.

    `refresh` (default) brings the index up to date first, `filters` narrow what is shown, `limit` is 1 to 1000. All
    raise UsageError for bad arguments and IndexUnavailable where there is no index and none can be built.
    """

    def symbol(
        self,
        name: str,
        *,
        exact: bool = False,
        limit: int = 50,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> SymbolResult:
        """Where a name is defined: as written first, then in another case, by part, by words, misspelt; with `exact`
        only the name itself. Dots, ``::``, ``#`` and ``->`` may join the parts of a qualified name."""
        from fourfold.model.structure import SymbolResult
        from fourfold.pipeline.structure.symbols import find, near_names

        check_limit(limit)
        _check_name(name)
        scoped = self._scoped(filters or Filters())

        def ask(structure: Structure) -> tuple[list[Any], tuple[str, ...]]:
            items = find(structure, name, scoped, exact=exact, limit=limit + 1)
            return items, () if items else near_names(structure, name)

        (items, near), meta = self._ask(ask, refresh, progress, lambda found: _cut(found[0], limit), scoped)
        return SymbolResult({"text": name, "exact": exact}, tuple(items[:limit]), meta, near)

    def usages(
        self,
        name: str,
        *,
        direction: str = "callers",
        limit: int = 100,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> UsageResult:
        """Who refers to a symbol, or to whom it refers, each with its confidence; `direction` is one of
        :data:`fourfold.model.query.DIRECTIONS`."""
        from fourfold.model.structure import UsageResult
        from fourfold.pipeline.structure.symbols import near_names
        from fourfold.pipeline.structure.usages import usages

        check_limit(limit)
        check_direction(direction)
        _check_name(name)
        scoped = self._scoped(filters or Filters())

        def ask(structure: Structure) -> tuple[Any, tuple[str, ...]]:
            found = usages(structure, name, direction, scoped, limit)
            return found, () if found.symbols or found.items else near_names(structure, name)

        (found, near), meta = self._ask(ask, refresh, progress, lambda answer: _of_usages(answer[0]), scoped)
        query = {"text": name, "direction": direction}
        return UsageResult(query, tuple(found.symbols), tuple(found.items), meta, tuple(found.possible), near)

    def impact(
        self,
        name: str,
        *,
        direction: str = "callers",
        depth: int = 3,
        limit: int = 200,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> ImpactResult:
        """What a change of a symbol reaches within `depth` steps (1 to 10), nearest first; with `direction` "callees"
        what it rests on."""
        from fourfold.model.structure import ImpactResult
        from fourfold.pipeline.structure.reach import reach
        from fourfold.pipeline.structure.symbols import near_names

        check_limit(limit)
        check_depth(depth)
        check_direction(direction, ("callers", "callees"))
        _check_name(name)

        def ask(structure: Structure) -> tuple[Any, tuple[str, ...]]:
            scoped = self._scoped(filters or Filters())
            found = reach(structure, name, direction, scoped, depth=depth, limit=limit)
            return found, () if found[0].symbols or found[0].items else near_names(structure, name)

        ((found, by_depth, files, tests, unsure), near), meta = self._ask(
            ask, refresh, progress, lambda answer: _of_usages(answer[0][0]), filters
        )
        query = {"text": name, "direction": direction, "depth": depth}
        return ImpactResult(
            query,
            tuple(found.symbols),
            tuple(found.items),
            meta,
            by_depth,
            files,
            tests,
            tuple(found.possible),
            near,
            unsure,
        )

    def context(
        self,
        target: str,
        *,
        limit: int = 20,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> ContextResult:
        """What one needs to change a symbol or a file: its code or definitions, callers, callees, bases, tests and what
        stands beside it."""
        from fourfold.model.structure import ContextResult
        from fourfold.pipeline.structure.context import context_of_file, context_of_symbol
        from fourfold.pipeline.structure.symbols import near_names

        check_limit(limit)
        _check_name(target)
        path = self._indexed_path(target)

        def ask(structure: Structure) -> tuple[Any, tuple[str, ...]]:
            scoped = filters or Filters()
            if path in structure.languages:
                return context_of_file(structure, path, scoped, limit), ()
            found = context_of_symbol(structure, target, scoped, limit)
            return found, () if found.items else near_names(structure, target)

        (found, near), meta = self._ask(ask, refresh, progress, filters=filters)
        parts = {name: tuple(getattr(found, name)) for name in found.__slots__ if name != "items"}
        return ContextResult({"text": target}, tuple(found.items), meta, **parts, near=near)

    def routes(
        self,
        text: str = "",
        *,
        limit: int = 1000,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> RouteResult:
        """HTTP routes whose method, path or handler holds the words of `text` (all where it is empty)."""
        from fourfold.model.structure import RouteResult
        from fourfold.pipeline.structure.routes import route_items

        check_limit(limit)
        (items, _), meta = self._ask(
            lambda structure: route_items(structure, text, self._scoped(filters or Filters()), limit),
            refresh,
            progress,
            lambda found: _State(truncated=found[1] > 0, dropped=found[1]),
            filters,
        )
        return RouteResult({"text": text}, tuple(items), meta)

    def overview(self, *, refresh: bool = True, progress: ProgressCallback | None = None) -> OverviewResult:
        """The repository at a glance: languages, folders, entry points, central symbols, communities, tests, routes."""
        from fourfold.model.structure import OverviewResult
        from fourfold.pipeline.structure.overview import overview

        found, meta = self._ask(overview, refresh, progress)
        return OverviewResult(
            {"text": ""},
            tuple(found.central),
            meta,
            languages=tuple(found.languages),
            folders=tuple(found.folders),
            entry_points=tuple(found.entry_points),
            communities=tuple(found.communities),
            tests=found.tests,
            routes=found.routes,
            edges=found.edges,
            documents=tuple(found.documents),
        )

    def match(
        self,
        pattern: str,
        language: str = "",
        *,
        limit: int = 100,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> MatchResult:
        """Places that have the shape of a pattern of code: ``$NAME`` stands for one node, ``$$$NAME`` for any number.
        Without a `language` every one of the repository is tried that the pattern is code of.

        Raises BadPattern for a pattern that is no code of the language."""
        from fourfold.model.structure import MatchResult
        from fourfold.pipeline.structure.match import DEADLINE_S, match, match_any
        from fourfold.syntax.languages import resolve_language

        check_limit(limit)
        resolved = resolve_language(language) if language else ""

        def look(structure: Structure) -> Matches:
            scoped = self._scoped(filters or Filters())
            if not resolved:
                return match_any(structure, pattern, scoped, limit)
            return match(structure, pattern, resolved, scoped, limit)

        found, meta = self._ask(
            look,
            refresh,
            progress,
            lambda found: _State(
                truncated=bool(found.dropped or found.timed_out),
                dropped=found.dropped,
                suggestion=f"stopped after {DEADLINE_S:.0f} s; narrow it by path" if found.timed_out else None,
            ),
            filters,
        )
        query = {"text": pattern, "language": resolved or ", ".join(found.tried)}
        return MatchResult(query, tuple(found.items), meta, found.files)

    def similar(
        self,
        path: str,
        line: int,
        *,
        limit: int = 10,
        filters: Filters | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> SearchResult:
        """Code like the code at a line of a file. Raises BadQuery where the file is not indexed or has no such line."""
        from fourfold.pipeline.run import show
        from fourfold.pipeline.structure.similar import sample_at, similar_to

        check_limit(limit)
        indexed = self._indexed_path(path)
        scoped = self._scoped(filters or Filters())

        def ask(searcher: Searcher) -> Any:
            sample = sample_at(searcher, indexed, line)
            if sample is None:
                raise BadQuery(
                    f"nothing is indexed at {path}:{line}",
                    hint=f"what is known of it: fourfold status {path}",
                )
            query = Query("", "find_similar", 1.0, filters=scoped)
            return show(searcher, self.tree, similar_to(searcher, sample, scoped), query, limit=limit)

        started = time.perf_counter()
        notice, searcher, answer = self._answer(ask, refresh, progress)
        meta = self._meta(searcher, "similar", started, notice, answer, refresh)
        return SearchResult(QueryInfo(f"{indexed}:{line}", "find_similar", 1.0), answer.items, meta)

    def indexed_lines(self, path: str) -> list[str]:
        """The lines of a file as indexed; one empty line where it is not. Nothing is refreshed. Raises IndexUnavailable
        where there is no index."""
        return self._on_newest(lambda searcher: self.structure_of(searcher).lines(path))[1]

    def _ask(
        self,
        work: Callable[[Structure], T],
        refresh: bool,
        progress: ProgressCallback | None,
        state: Callable[[T], _State] = lambda found: _State(),
        filters: Filters | None = None,
    ) -> tuple[T, Meta]:
        """Do structural work on the newest generation; `state` says what the meta tells of what it found under
        `filters`."""
        started = time.perf_counter()
        notice, searcher, found = self._answer(partial(_on_structure, self, work), refresh, progress)
        from fourfold.pipeline.not_here import not_here

        told = state(found)
        if said := not_here(searcher.corpus, filters):
            told = replace(told, suggestion=said)
        return found, self._meta(searcher, "graph", started, notice, told, refresh)

    def _indexed_path(self, path: str) -> str:
        """A path as the index writes it: relative to the root where it is absolute or relative to it."""
        from fourfold.model.errors import PathOutsideRoot
        from fourfold.source.root import relative_path

        try:
            return relative_path(self.root, path, self.root)
        except (PathOutsideRoot, ValueError, OSError):
            return path


def _on_structure(index: Asking, work: Callable[[Structure], T], searcher: Searcher) -> T:
    return work(index.structure_of(searcher))


def _check_name(name: str) -> None:
    if not name.strip():
        raise BadQuery("no name was given", hint="name a symbol, for instance parse_config or Session.request")


def _cut(items: list[Any], limit: int) -> _State:
    return _State(truncated=len(items) > limit, dropped=max(len(items) - limit, 0))


def _of_usages(found: Any) -> _State:
    others = [item.symbol for item in found.symbols]
    case = bool(others) and all(item.match == "case" for item in found.symbols)
    said = f"nothing is written so; taken for {others[0]}, which differs in case" if case else found.hint or None
    return _State(truncated=found.truncated, dropped=found.dropped, suggestion=said)
