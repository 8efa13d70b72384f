"""What every question needs: the newest generation, brought up to date first, rebuilt once where it is damaged."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.config.places import ROOT_FILE, learned_file
from fourfold.engine.borrowed import Borrowed
from fourfold.model.errors import BackendUnavailable, IndexDamaged, IndexUnavailable, LockHeld
from fourfold.model.query import Filters
from fourfold.model.report import Progress, RefreshReport
from fourfold.model.result import Meta
from fourfold.source.tree import DiskTree

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.embed.protocol import Embedder
    from fourfold.index.freshness import Freshness, Notice
    from fourfold.index.ingestion import IngestionPipeline
    from fourfold.index.last_look import LastLook
    from fourfold.index.refresh import RefreshOptions
    from fourfold.index.vectors import VectorReport
    from fourfold.pipeline.models import Models
    from fourfold.pipeline.searcher import Searcher
    from fourfold.pipeline.structure.items import Structure
    from fourfold.source.tree import Tree
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.local.store import LocalStore

T = TypeVar("T")
INLINE_VECTORS = 128
"""Vectors of a model that is not built in which a search makes before it answers; more are left to `refresh`, and the
answer says so."""
ProgressCallback = Callable[[Progress], None]


class Asking:
    """One root, its settings and its store; the base of :class:`fourfold.engine.Index`.

    `tree` is where its files come from: the root itself, unless they are read from elsewhere (a git ref).
    """

    def __init__(
        self, root: Path, settings: Settings, store: LocalStore, scope: str = "", tree: Tree | None = None
    ) -> None:
        self.root = root
        self.tree: Tree = tree if tree is not None else DiskTree(root)
        self.settings = settings
        self.scope = scope
        self.warnings: tuple[str, ...] = ()
        self.ranking_file: Path | None = learned_file(root, settings)
        self._ranking_stamp = -1
        self._store = store
        self._searcher: tuple[LocalSnapshot, Searcher] | None = None
        self._borrowed = Borrowed(store, settings)
        self._vectors_stamp = (0, False)
        self._structure: Structure | None = None
        self._ingestion: IngestionPipeline | None = None
        self._kept_look: LastLook | None = None

    @property
    def location(self) -> Path:
        """The folder of the index, outside the project."""
        return self._store.directory

    @property
    def built(self) -> bool:
        """True once a first build has come to its end, however far the tree has moved since.

        Raises IndexUnavailable where the index cannot be read.
        """
        snapshot = self._store.snapshot()
        return snapshot.generation > 0 and "walk_fingerprint" in snapshot.meta

    @cached_property
    def _models(self) -> Models:
        """What pipelines may ask besides the index."""
        from fourfold.pipeline.models import Models

        return Models(self.settings)

    @cached_property
    def _freshness(self) -> Freshness:
        from fourfold.index.freshness import Freshness

        return Freshness(self.tree, self._store, self._options, self._last_look)

    @property
    def _last_look(self) -> LastLook:
        """What is remembered of the tree, by whatever looks at it."""
        from fourfold.index.last_look import LastLook

        if self._kept_look is None:
            self._kept_look = LastLook()
        return self._kept_look

    def _options(self) -> RefreshOptions:
        from fourfold.index.options import refresh_options

        options = refresh_options(self.settings, self.tree)
        return options if self._ingestion is None else self._ingestion.options(options)

    def _refresh(
        self, *, force: bool = False, progress: ProgressCallback | None = None, wait_s: float = 0.0
    ) -> RefreshReport:
        from fourfold.config.places import prepare_index_dir
        from fourfold.index.refresh import refresh

        if not (self.location / ROOT_FILE).exists():
            prepare_index_dir(self.root, self.settings)
        asked: dict[str, Any] = {"force": force, "progress": progress, "wait_s": wait_s, "last": self._last_look}
        run = partial(refresh, self.tree, self._store, self._options(), **asked)
        try:
            report = run()
        except IndexDamaged as error:
            self._condemn(error)
            report = run()
        self._freshness.refreshed()
        return report

    def _embed(self, *, most: int | None = None, progress: ProgressCallback | None = None) -> VectorReport | None:
        """Vectors of the configured model where it is none of the built-in ones; at most `most` (None: all)."""
        return self._borrowed.make(most, progress)

    def rest_vectors(self, seconds: float) -> None:
        """Make no vectors of the configured model for a while: it has just failed, and who watches asks again soon."""
        self._borrowed.rest_until = time.monotonic() + seconds

    def _condemn(self, error: IndexDamaged) -> None:
        """The next refresh, of whatever process, rebuilds the index."""
        self._searcher = None
        self._store.condemn(error.message)

    def _scoped(self, filters: Filters) -> Filters:
        """Narrow to the sub-folder that the index was opened in, unless paths are asked for."""
        if not self.scope or filters.paths:
            return filters
        return replace(filters, paths=(self.scope,))

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
        from fourfold.index.refresh import REBUILT, REVECTORED

        self._freshness.begin()
        if not refresh:
            return Notice()
        try:
            report = self._refresh(progress=progress)
            self._embed(most=INLINE_VECTORS, progress=progress)
        except (LockHeld, IndexUnavailable, OSError) as error:
            return behind(self.tree, self._store, error)
        if report.interrupted:
            raise KeyboardInterrupt
        return Notice(next((warning for warning in report.warnings if warning.startswith((REBUILT, REVECTORED))), ""))

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
            except BackendUnavailable as error:
                if not any(error is failure for failure in searcher.failures):
                    raise
                self._borrowed.failed(error)
                searcher = self._open_searcher()
                return searcher, work(searcher)
        except (LookupError, ValueError, TypeError, ArithmeticError) as error:
            if faults := self._store.faults():
                raise damaged(self.location, faults[0]) from error
            raise

    def _open_searcher(self) -> Searcher:
        from fourfold.index.collect import note_use
        from fourfold.index.freshness import check_begun
        from fourfold.index.scip_file import scip_file
        from fourfold.pipeline.ranker import read_ranking, stamp_of
        from fourfold.pipeline.searcher import Searcher

        snapshot = self._store.snapshot()
        if snapshot.generation == 0:
            raise IndexUnavailable(f"there is no index of {self.tree} yet", hint="run: fourfold index")
        vectors = self._borrowed.stamp()
        scip = scip_file(self.root, self.settings.index.scip) if isinstance(self.tree, DiskTree) else None
        kept = self._searcher
        if kept is None or kept[0] is not snapshot or vectors != self._vectors_stamp or kept[1].scip != scip:
            check_begun(self.tree, snapshot, lambda: self._store.owner)
            note_use(self.location)
            serving = self._borrowed.serving(snapshot)
            searcher = Searcher(snapshot, lambda: self._embedder_for(snapshot), self._models, serving)
            searcher.scip = scip
            self._vectors_stamp = vectors
            kept = (snapshot, searcher)
            self._searcher, self._ranking_stamp = kept, -1
        searcher = kept[1]
        if (stamp := stamp_of(self.ranking_file)) != self._ranking_stamp:
            searcher.ranking = read_ranking(self.ranking_file, searcher.model)
            self._ranking_stamp = stamp
        return searcher

    def use_tree(self, tree: Tree) -> None:
        """Read files from another tree from now on (a newer commit); questions that run are not disturbed."""
        self.tree = tree
        self._kept_look = None
        self.__dict__.pop("_freshness", None)

    def adopt(self, other: Asking) -> None:
        """Answer from now on as `other` would, which was opened on the same root and store just now: with its settings,
        narrowed to its folder; nothing that is known of the working tree is kept."""
        self.settings, self.scope, self.warnings = other.settings, other.scope, other.warnings
        if self.ranking_file != other.ranking_file:
            self.use_ranking(other.ranking_file)
        self.__dict__.pop("_freshness", None)

    @property
    def ingestion(self) -> IngestionPipeline:
        """The stages by which files come into this index, as the settings say or as :meth:`use_ingestion` was told."""
        from fourfold.index.ingestion import IngestionPipeline

        return IngestionPipeline.of(self._options())

    def use_ingestion(self, pipeline: IngestionPipeline | None) -> None:
        """Take files in by this pipeline from now on, as the settings say where that is None. The next refresh makes
        the index anew where another one made it."""
        self._ingestion = pipeline
        self.__dict__.pop("_freshness", None)

    def use_ranking(self, file: Path | None) -> None:
        """Rank by the weights in `file` from now on, by those that come with the program where that is None."""
        self.ranking_file, self._ranking_stamp = file, -1

    def structure_of(self, searcher: Searcher) -> Structure:
        """What structural questions need of the snapshot of a searcher; kept while that is the newest."""
        from fourfold.pipeline.structure.items import Structure

        if self._structure is None or self._structure.searcher is not searcher:
            self._structure = Structure(searcher, self.tree)
        return self._structure

    def _embedder_for(self, snapshot: LocalSnapshot) -> Embedder | None:
        """The configured model, None for none. Raises ModelMismatch where it is not the one that made the vectors."""
        from fourfold.embed.load import check_identity

        if self._embedder is not None:
            check_identity(snapshot.meta.get("model", ""), self._embedder)
        return self._embedder

    @cached_property
    def _embedder(self) -> Embedder | None:
        from fourfold.embed.load import load_embedder

        return load_embedder(self.settings.embedding.base)

    def _meta(
        self, searcher: Searcher, preset: str, started: float, notice: Notice, answer: Any, refreshed: bool
    ) -> Meta:
        from fourfold.index.freshness import unfinished

        snapshot = searcher.snapshot
        partial_state = unfinished(snapshot)
        told = (notice.text, partial_state, searcher.ranking.problem, searcher.note)
        degraded = "; ".join(text for text in told if text) or None
        state = self._freshness.git()
        stale = self._freshness.stale_files() if not refreshed else 0
        return Meta(
            fusion_strategy=answer.strategy,
            preset=preset,
            root=str(self.tree),
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
