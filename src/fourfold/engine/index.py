"""Opening an index, keeping it up to date, and asking it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from fourfold.config.load import load_settings
from fourfold.engine.answers import Answers
from fourfold.engine.checks import check_limit, check_preset
from fourfold.engine.history import HistoryQuestions
from fourfold.engine.thread import clear_thread
from fourfold.model.errors import BadQuery, FourfoldError, UsageError
from fourfold.model.query import Filters
from fourfold.model.report import PathStatus, RefreshPlan, RefreshReport, Status
from fourfold.model.result import GrepResult, QueryInfo, SearchResult
from fourfold.source.found import ABSENT
from fourfold.source.root import check_root, find_root
from fourfold.source.tree import DiskTree

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.engine.asking import ProgressCallback
    from fourfold.engine.history import HistoryResult
    from fourfold.index.reading import FileText
    from fourfold.model.report import Check
    from fourfold.pipeline.pipeline import RetrieverPipeline


class Index(HistoryQuestions, Answers):
    """An index of one root. Make it with :meth:`open`. Safe to share between threads for reading."""

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
        from fourfold.store.opening import open_store

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
        index = cls(found, settings, open_store(found, settings), "" if scope == "." else scope)
        index.warnings = warnings
        return index

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of files and memory. Questions asked afterwards raise IndexUnavailable: open the index again."""
        self._searcher = None
        self._store.close()

    def refresh(
        self, *, force: bool = False, progress: ProgressCallback | None = None, wait_s: float = 0.0
    ) -> RefreshReport:
        """Make the index equal to the tree and say what was done.

        `force` reads every file again; `wait_s` is how long to wait for another writer before LockHeld is raised. On
        Ctrl-C what is committed stays and the report says `interrupted`. An index that turns out to be damaged is
        rebuilt, once. Then vectors of the configured model are made, where that is none of the built-in ones: what it
        fails at is the report's `fault`. At its end, indexes of folders that are gone and long unused are removed (once
        a day).
        """
        from fourfold.index.collect import collect

        self._borrowed.check()
        report = self._refresh(force=force, progress=progress, wait_s=wait_s)
        made = None if report.interrupted else self._embed(progress=progress)
        if made is not None:
            report = made.added_to(report)
        collected = () if report.interrupted else collect(self.settings, self.location)
        return replace(report, warnings=(*report.warnings, *collected))

    def touched(
        self, name: str, *, path: str = "", line: int = 0, limit: int = 20, refresh: bool = True
    ) -> HistoryResult:
        """The commits that changed the lines of a definition, newest first, as git follows them back (a rename of the
        file ends the way). Of several definitions the one in `path` nearest to `line`, else the best.

        ``query`` tells which it was, or the names ``near`` where there is none. Raises BadQuery for no name,
        IndexUnavailable where there is no git, repository, commit or index.
        """
        from fourfold.engine.touched import touched

        if not name.strip():
            raise BadQuery("no name was given", hint="for instance: parse_config")
        return touched(self, name.strip(), path=path, line=line, limit=limit, refresh=refresh)

    def plan(self) -> RefreshPlan:
        """What a refresh would do, without doing it."""
        from fourfold.index.refresh import plan

        return plan(self.tree, self._store, self._options())

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
        is 1 to 1000; `preset` is a shipped one or one of the user's own; `explain` gives every share of every score,
        not only the largest ones.

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
            root=self.tree,
            text=plain,
            filters=combined,
            limit=limit,
            preset=preset,
            k=self.settings.search.k or None,
            explain=explain,
        )
        notice, searcher, (answer, understood) = self._answer(ask, refresh, progress)
        meta = self._meta(searcher, preset, started, notice, answer, refresh)
        return SearchResult(QueryInfo.of(query, understood), answer.items, meta)

    def _understand(self, query: str, filters: Filters | None, resolve: Callable[[str], str]) -> tuple[str, Filters]:
        from fourfold.rank.query_text import combine, parse_query

        plain, inside = parse_query(query, resolve)
        return plain, self._scoped(combine(inside, filters) if filters is not None else inside)

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
            root=self.tree,
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

    def compose(
        self,
        query: str,
        preset: str,
        *,
        limit: int | None = None,
        refresh: bool = True,
        progress: ProgressCallback | None = None,
    ) -> str:
        """The text that a preset composes within its budget of tokens (``graph``, ``dense``, ``hybrid`` ...); empty
        where it makes none, or found nothing. Raises as :meth:`search` does."""
        from fourfold.pipeline.run import composed
        from fourfold.syntax.languages import resolve_language

        check_preset(preset)
        plain, combined = self._understand(query, None, resolve_language)
        work = partial(composed, text=plain, filters=combined, preset=preset, limit=limit)
        text: str = self._answer(work, refresh, progress)[2]
        return text

    def pipeline(self, pipeline: str | RetrieverPipeline) -> RetrieverPipeline:
        """A preset by name, or a pipeline built in code, bound to this index: its ``run`` asks the newest state that is
        indexed (nothing is refreshed). Raises UsageError for an unknown preset."""
        from fourfold.pipeline.loader import load_preset

        found = load_preset(pipeline) if isinstance(pipeline, str) else pipeline
        return found.bind(self._open_searcher)

    def status(self) -> Status:
        """The state of the index, compared with the tree."""
        from fourfold.index.status import status

        found = status(self.tree, self._store, self._options(), self._last_look)
        if not found.exists or not self.settings.embedding.external:
            return found
        from fourfold.index.vectors import vector_status

        return replace(found, vectors=vector_status(self._store, self.settings))

    def status_of(self, path: str, *, cwd: Path | None = None) -> PathStatus:
        """What the index knows of one path, and why where it knows nothing.

        A relative `path` is taken from the folder `cwd`, from the root where that is None. A link is asked about
        itself, wherever it leads. Raises PathOutsideRoot.
        """
        from fourfold.index.status import status_of

        return status_of(self.tree, self._store, self._options(), path, cwd)

    def path_in(self, path: str) -> str:
        """A path as the index writes it, relative to the root. Raises PathOutsideRoot."""
        from fourfold.source.root import plain_path, relative_path

        if isinstance(self.tree, DiskTree):
            return relative_path(self.root, path, self.root)
        return plain_path(path)

    def holds(self, path: str) -> bool:
        """True where the tree has a file or folder at a root-relative path."""
        if isinstance(self.tree, DiskTree):
            return (self.root / path).exists()
        skip = self.tree.why_not(path, self._options().walk)
        return skip is None or skip.reason != ABSENT

    def read(self, path: str) -> FileText:
        """The text of a file as it is in the working tree, secrets masked; only files that may be indexed.

        `path` is taken from the root. Raises PathOutsideRoot.
        """
        from fourfold.index.reading import read_text

        return read_text(self.tree, self._store, self._options(), path)

    def doctor(self, *, progress: ProgressCallback | None = None) -> list[Check]:
        """Check that everything the index needs is there and whole."""
        from fourfold.index.doctor import doctor

        told = (progress,) if progress is not None else ()
        return [*doctor(self.root, self._store, self.settings, *told), *self._ranking_check()]

    def repair(self, *, progress: ProgressCallback | None = None) -> list[str]:
        """Mend what :meth:`doctor` finds, as far as that can be done by making the index anew; returns what was done, a
        clause each. Raises what :meth:`refresh` raises."""
        from fourfold.index.repair import repair

        self._searcher = None
        return repair(self._store, partial(self.refresh, progress=progress))

    def _ranking_check(self) -> list[Check]:
        """Whether weights fitted on this repository are used; nothing where there are none."""
        from fourfold.model.report import Check
        from fourfold.pipeline.ranker import TUNE_AGAIN, read_ranking

        if self.ranking_file is None or not self.ranking_file.exists():
            return []
        try:
            model = self._open_searcher().model if self._store.snapshot().generation else ""
        except FourfoldError:  # the check of the index tells why
            return []
        found = read_ranking(self.ranking_file, model)
        detail = found.problem.split(";")[0] or f"fitted on this repository, {found.fitted[:10]}"
        return [Check("ranking", not found.problem, detail, TUNE_AGAIN if found.problem else "")]

    def clear(self) -> None:
        """Delete this index, and what evaluations of it left. Raises LockHeld while another process writes it."""
        import shutil

        from fourfold.config.places import EVALUATION
        from fourfold.index.young import forget

        self._searcher = None
        clear_thread(self.location)
        self._clear_history()
        self._store.clear()
        forget(self.location)
        shutil.rmtree(self.location / EVALUATION, ignore_errors=True)
