"""The facade behind every interface: one object, one index.

::

    from fourfold import Index

    with Index.open("path/to/project") as index:
        index.refresh()
        for hit in index.search("where is the retry back-off computed").items:
            print(hit.location, hit.symbol, hit.score)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.config.load import load_settings
from fourfold.config.places import index_dir
from fourfold.config.settings import PRESETS
from fourfold.model.errors import IndexDamaged, IndexUnavailable, LockHeld, UsageError
from fourfold.model.query import Filters, Query
from fourfold.model.report import PathStatus, Progress, RefreshPlan, RefreshReport, Status
from fourfold.model.result import GrepResult, Meta, QueryInfo, SearchResult
from fourfold.source.root import check_root, find_root

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.embed.protocol import Embedder
    from fourfold.index.freshness import Freshness, Notice
    from fourfold.index.refresh import RefreshOptions
    from fourfold.model.report import Check
    from fourfold.pipeline.searcher import Searcher
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.local.store import LocalStore

T = TypeVar("T")
ProgressCallback = Callable[[Progress], None]

MAX_LIMIT = 1000


class Index:
    """An index of one root. Make it with :meth:`open`. Safe to share between threads for reading."""

    def __init__(self, root: Path, settings: Settings, store: LocalStore, scope: str = "") -> None:
        self.root = root
        self.settings = settings
        self.scope = scope
        self.warnings: tuple[str, ...] = ()
        self._store = store
        self._searcher: tuple[LocalSnapshot, Searcher] | None = None

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        root: str | Path | None = None,
        settings: Settings | None = None,
        allow_wide: bool = False,
    ) -> Index:
        """The index of the project around `path`; nothing is read or written yet.

        The root is the nearest ``.git`` above `path`, else `path`; searches are narrowed to `path` where it is a
        sub-folder of the root. `root` names the root itself. Raises UsageError where `path` is no folder, RootRefused
        for a home directory or a file-system root unless `allow_wide`, BadConfig for faulty settings.
        """
        from fourfold.store.local.store import LocalStore

        start = Path(root if root is not None else path).expanduser()
        if not start.is_dir():
            kind = "is not a folder" if start.exists() else "does not exist"
            raise UsageError(f"{start} {kind}", hint="name the folder of a project")
        found = start.resolve() if root is not None else find_root(start)
        check_root(found, allow_wide=allow_wide)
        warnings: tuple[str, ...] = ()
        if settings is None:
            loaded = load_settings(found)
            settings, warnings = loaded.settings, loaded.warnings
        inside = start.resolve()
        if root is not None:
            inside = Path(path).expanduser().resolve() if Path(path).exists() else found
        scope = inside.relative_to(found).as_posix() if inside.is_relative_to(found) else "."
        index = cls(found, settings, LocalStore(index_dir(found, settings)), "" if scope == "." else scope)
        index.warnings = warnings
        return index

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of files and memory; the object may be used again."""
        self._searcher = None
        self._store.close()

    @property
    def location(self) -> Path:
        """The folder of the index, outside the project."""
        return self._store.directory

    @cached_property
    def _freshness(self) -> Freshness:
        from fourfold.index.freshness import Freshness

        return Freshness(self.root, self._store, self._options)

    def _options(self) -> RefreshOptions:
        from fourfold.index.options import refresh_options

        return refresh_options(self.settings, self.root)

    def refresh(
        self, *, force: bool = False, progress: ProgressCallback | None = None, wait_s: float = 0.0
    ) -> RefreshReport:
        """Make the index equal to the tree and say what was done.

        `force` reads every file again; `wait_s` is how long to wait for another writer before LockHeld is raised. On
        Ctrl-C what is committed stays and the report says `interrupted`. An index that turns out to be damaged is
        rebuilt, once. At its end, indexes of folders that are gone and long unused are removed (once a day).
        """
        from fourfold.index.collect import collect

        report = self._refresh(force=force, progress=progress, wait_s=wait_s)
        collected = () if report.interrupted else collect(self.settings, self.location)
        return replace(report, warnings=(*report.warnings, *collected))

    def _refresh(
        self, *, force: bool = False, progress: ProgressCallback | None = None, wait_s: float = 0.0
    ) -> RefreshReport:
        from fourfold.config.places import prepare_index_dir
        from fourfold.index.refresh import refresh

        prepare_index_dir(self.root, self.settings)
        run = partial(refresh, self.root, self._store, self._options(), force=force, progress=progress, wait_s=wait_s)
        try:
            report = run()
        except IndexDamaged as error:
            self._condemn(error)
            report = run()
        self._freshness.refreshed()
        return report

    def _condemn(self, error: IndexDamaged) -> None:
        """The next refresh, of whatever process, rebuilds the index."""
        self._searcher = None
        self._store.condemn(error.message)

    def plan(self) -> RefreshPlan:
        """What a refresh would do, without doing it."""
        from fourfold.index.refresh import plan

        return plan(self.root, self._store, self._options())

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        filters: Filters | None = None,
        preset: str = "default",
        explain: bool = False,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> SearchResult:
        """Answer a question.

        `query` may hold filters (``lang:py path:src -path:tests kind:class``); `filters` narrow further. `limit`
        is 1 to 1000; `explain` gives every share of every score, not only the largest ones.

        Raises BadQuery, BadFilter or UsageError for bad arguments, IndexUnavailable where there is no index and none
        can be built.
        """
        from fourfold.pipeline.run import run_search
        from fourfold.syntax.languages import resolve_language

        started = time.perf_counter()
        check_limit(limit)
        check_preset(preset)
        plain, combined = self._understand(query, filters, resolve_language)
        ask = partial(
            run_search,
            root=self.root,
            text=plain,
            filters=combined,
            limit=limit,
            preset=preset,
            k=self.settings.search.k or None,
            explain=explain,
        )
        notice, searcher, (answer, understood) = self._answer(ask, refresh, progress)
        meta = self._meta(searcher, preset, started, notice, answer, refresh)
        return SearchResult(_info(query, understood), answer.items, meta)

    def _understand(self, query: str, filters: Filters | None, resolve: Callable[[str], str]) -> tuple[str, Filters]:
        from fourfold.rank.query_text import combine, parse_query

        plain, inside = parse_query(query, resolve)
        return plain, self._scoped(combine(inside, filters) if filters is not None else inside)

    def _scoped(self, filters: Filters) -> Filters:
        """Narrow to the sub-folder that the index was opened in, unless paths are asked for."""
        if not self.scope or filters.paths:
            return filters
        return replace(filters, paths=(self.scope,))

    def grep(
        self,
        pattern: str,
        *,
        literal: bool = False,
        ignore_case: bool = False,
        word: bool = False,
        filters: Filters | None = None,
        before: int = 0,
        after: int = 0,
        limit: int | None = None,
        max_per_file: int | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> GrepResult:
        """Every line that matches a regular expression (or the text itself with `literal`), in path order.

        Raises BadPattern for an invalid expression.
        """
        from fourfold.pipeline.run import run_grep
        from fourfold.retrieve.patterns import compile_pattern

        started = time.perf_counter()
        compiled = compile_pattern(pattern, literal=literal, ignore_case=ignore_case, word=word)
        look = partial(
            run_grep,
            root=self.root,
            pattern=compiled,
            filters=self._scoped(filters or Filters()),
            before=before,
            after=after,
            limit=limit,
            max_per_file=max_per_file,
        )
        notice, searcher, found = self._answer(look, refresh, progress)
        meta = self._meta(searcher, "grep", started, notice, found, refresh)
        return GrepResult(pattern, found.lines, found.files, meta)

    def _answer(
        self, work: Callable[[Searcher], T], refresh: bool, progress: ProgressCallback | None
    ) -> tuple[Notice, Searcher, T]:
        """Refresh where wanted and do the work; an index that turns out to be damaged meanwhile is rebuilt, once."""
        notice = self._freshen(refresh, progress)
        try:
            return notice, *self._on_newest(work)
        except IndexDamaged as error:
            self._condemn(error)
            if not refresh:
                raise
        notice = self._freshen(True, progress)
        return notice, *self._on_newest(work)

    def _freshen(self, refresh: bool, progress: ProgressCallback | None) -> Notice:
        """Refresh where wanted; returns what is to be said of it."""
        from fourfold.index.freshness import Notice, behind
        from fourfold.index.refresh import REBUILT

        self._freshness.begin()
        if not refresh:
            return Notice()
        try:
            report = self._refresh(progress=progress)
        except (LockHeld, IndexUnavailable, OSError) as error:
            return behind(self.root, self._store, error)
        if report.interrupted:
            raise KeyboardInterrupt
        return Notice(next((warning for warning in report.warnings if warning.startswith(REBUILT)), ""))

    def _on_newest(self, work: Callable[[Searcher], T]) -> tuple[Searcher, T]:
        """Do read-only work on the newest generation; once more where that generation was swept meanwhile.

        Where the work fails in a way that nobody foresaw, the whole index is checked: is it damaged, that is said.
        """
        from fourfold.store.local.errors import SnapshotExpired, damaged

        try:
            searcher = self._open_searcher()
            try:
                return searcher, work(searcher)
            except SnapshotExpired:
                searcher = self._open_searcher()
                return searcher, work(searcher)
        except (LookupError, ValueError, TypeError, ArithmeticError) as error:
            if faults := self._store.faults():
                raise damaged(self.location, faults[0]) from error
            raise

    def _open_searcher(self) -> Searcher:
        from fourfold.index.collect import note_use
        from fourfold.index.freshness import check_begun
        from fourfold.pipeline.searcher import Searcher

        snapshot = self._store.snapshot()
        if snapshot.generation == 0:
            raise IndexUnavailable(f"there is no index of {self.root} yet", hint="run: fourfold index")
        if self._searcher is None or self._searcher[0] is not snapshot:
            check_begun(self.root, snapshot)
            note_use(self.location)
            self._searcher = (snapshot, Searcher(snapshot, lambda: self._embedder_for(snapshot)))
        return self._searcher[1]

    def _embedder_for(self, snapshot: LocalSnapshot) -> Embedder | None:
        """The configured model, None for none. Raises ModelMismatch where it is not the one that made the vectors."""
        from fourfold.embed.load import check_identity

        if self._embedder is not None:
            check_identity(snapshot.meta.get("model", ""), self._embedder)
        return self._embedder

    @cached_property
    def _embedder(self) -> Embedder | None:
        from fourfold.embed.load import load_embedder

        return load_embedder(self.settings.embedding.model)

    def _meta(
        self, searcher: Searcher, preset: str, started: float, notice: Notice, answer: Any, refreshed: bool
    ) -> Meta:
        from fourfold.index.freshness import unfinished

        snapshot = searcher.snapshot
        partial_state = unfinished(snapshot)
        degraded = "; ".join(text for text in (notice.text, partial_state) if text) or None
        state = self._freshness.git()
        stale = self._freshness.stale_files() if not refreshed else 0
        return Meta(
            fusion_strategy=answer.strategy,
            preset=preset,
            root=str(self.root),
            indexed_commit=snapshot.meta.get("indexed_commit") or None,
            live_commit=state.commit if state else None,
            branch=state.branch if state else None,
            dirty_files=self._freshness.dirty_files() if state else 0,
            stale=bool(stale or notice.stale or partial_state or answer.ghosts),
            truncated=answer.truncated,
            dropped=answer.dropped,
            degraded=degraded,
            suggestion=answer.suggestion,
            took_ms=round((time.perf_counter() - started) * 1000, 2),
            generation=snapshot.generation,
        )

    def status(self) -> Status:
        """The state of the index, compared with the tree."""
        from fourfold.index.status import status

        return status(self.root, self._store, self._options())

    def status_of(self, path: str, *, cwd: Path | None = None) -> PathStatus:
        """What the index knows of one path, and why where it knows nothing.

        A relative `path` is taken from the folder `cwd`, from the root where that is None. A link is asked about
        itself, wherever it leads. Raises PathOutsideRoot.
        """
        from fourfold.index.status import status_of

        return status_of(self.root, self._store, self._options(), path, cwd)

    def doctor(self) -> list[Check]:
        """Check that everything the index needs is there and whole."""
        from fourfold.index.doctor import doctor

        return doctor(self.root, self._store, self.settings)

    def clear(self) -> None:
        """Delete this index. Raises LockHeld while another process writes it."""
        self._searcher = None
        self._store.clear()


def check_preset(preset: str) -> None:
    """Raise UsageError unless the preset is a shipped one."""
    if preset not in PRESETS:
        raise UsageError(f"there is no preset {preset!r}", hint=f"choose one of: {', '.join(PRESETS)}")


def check_limit(limit: int) -> None:
    """Raise UsageError unless 1 <= limit <= 1000."""
    if not 1 <= limit <= MAX_LIMIT:
        raise UsageError(f"limit must be between 1 and {MAX_LIMIT}, not {limit}", hint="for example: --limit 10")


def _info(text: str, query: Query) -> QueryInfo:
    return QueryInfo(text, query.intent, query.confidence, query.identifiers, query.rule)
