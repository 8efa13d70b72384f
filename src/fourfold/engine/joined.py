"""Several indexes asked as one: one ranking over all of them, results under the names of their services."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from fourfold.config.places import cache_dir
from fourfold.engine.index import Index
from fourfold.model.errors import FourfoldError, IndexDamaged, IndexUnavailable, PathOutsideRoot, UsageError
from fourfold.model.path import SERVICE_MARK, service_path, split_service
from fourfold.model.report import RefreshReport, Status
from fourfold.model.result import GrepResult, SearchResult, ServiceMeta
from fourfold.source.joined_tree import JoinedTree
from fourfold.source.tree import DiskTree
from fourfold.store.joined import JoinedStore

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.engine.answers import Grounded
    from fourfold.engine.asking import ProgressCallback
    from fourfold.engine.history import HistoryResult
    from fourfold.index.freshness import Notice
    from fourfold.index.ingestion import IngestionPipeline
    from fourfold.index.reading import FileText
    from fourfold.model.answer import AskResult
    from fourfold.model.report import Check, PathStatus, RefreshPlan
    from fourfold.model.result import Meta
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
    from fourfold.store.local.store import LocalStore

T = TypeVar("T")


class JoinedIndex(Index):
    """The indexes of several services, by name, as one. Each stays usable by itself; closing this one closes none.

    `missing` says of services that were asked for and could not be opened why.

    Paths in filters are told from the root of each service; paths given to other methods begin with its name
    (``web/src/app.py``).
    """

    def __init__(self, indexes: Mapping[str, Index], settings: Settings) -> None:
        folder = cache_dir(settings) / "services"
        store = cast("LocalStore", JoinedStore({}, folder))
        super().__init__(folder, settings, store, tree=JoinedTree({}))
        self.ranking_file = None
        self.indexes: dict[str, Index] = {}
        self.missing: Mapping[str, str] = {}
        self._narrowed: dict[tuple[str, ...], JoinedIndex] = {}
        self.take(indexes)

    def take(self, indexes: Mapping[str, Index]) -> None:
        """Answer for these from now on; questions that run are not disturbed."""
        if self.indexes == dict(indexes):
            return
        self.indexes = dict(indexes)
        cast("JoinedStore", self._store).stores = {name: index._store for name, index in indexes.items()}
        self.tree = JoinedTree({name: index.tree for name, index in indexes.items()})
        self._narrowed.clear()

    def only(self, names: Sequence[str]) -> JoinedIndex:
        """The same over the services of these names. Raises UsageError for one that is not there."""
        unknown = [name for name in names if name not in self.indexes]
        if unknown:
            raise UsageError(
                f"there is no service {unknown[0][:80]!r}", hint=f"choose one of: {', '.join(self.indexes)}"
            )
        key = tuple(dict.fromkeys(names))
        if key not in self._narrowed:
            self._narrowed[key] = JoinedIndex({name: self.indexes[name] for name in key}, self.settings)
        return self._narrowed[key]

    @property
    def built(self) -> bool:
        """True once one of them is."""
        return any(index.built for index in self.indexes.values())

    def refresh(
        self, *, force: bool = False, progress: ProgressCallback | None = None, wait_s: float = 0.0
    ) -> RefreshReport:
        """Bring each of them up to date; the report is of all together, and names those that failed."""
        reports: dict[str, RefreshReport] = {}
        failed: dict[str, FourfoldError] = {}
        for name, index in self.indexes.items():
            try:
                reports[name] = index.refresh(force=force, progress=progress, wait_s=wait_s)
            except FourfoldError as error:
                failed[name] = error
        if failed and not reports:
            raise next(iter(failed.values()))
        return _summed(reports, failed)

    def plan(self) -> RefreshPlan:
        """Told of a single service only."""
        raise UsageError("several services are planned one by one", hint="name one of them")

    def status(self) -> Status:
        """Counts of all together."""
        found = [index.status() for index in self.indexes.values()]
        return Status(
            root=str(self.tree),
            location=str(self.location),
            exists=any(status.exists for status in found),
            generation=sum(status.generation for status in found),
            files=sum(status.files for status in found),
            chunks=sum(status.chunks for status in found),
            symbols=sum(status.symbols for status in found),
            lines=sum(status.lines for status in found),
            segments=sum(status.segments for status in found),
            dead_chunks=sum(status.dead_chunks for status in found),
            bytes_on_disk=sum(status.bytes_on_disk for status in found),
            skipped=_added(status.skipped for status in found),
            languages=_added(status.languages for status in found),
            stale_files=sum(status.stale_files for status in found),
            model=next((status.model for status in found if status.model), ""),
            writer="; ".join(filter(None, (status.writer for status in found))),
        )

    def status_of(self, path: str, *, cwd: Path | None = None) -> PathStatus:
        """What the index of a service knows of one path (``web/src/app.py``)."""
        name, inner = self.located(path)
        found = self.indexes[name].status_of(inner)
        return replace(found, path=f"{name}/{found.path}")

    def read(self, path: str) -> FileText:
        """The text of a file of a service (``web/src/app.py``)."""
        name, inner = self.located(path)
        return self.indexes[name].read(inner)

    def doctor(self, *, progress: ProgressCallback | None = None) -> list[Check]:
        """The checks of each."""
        return [
            replace(check, name=f"{name}: {check.name}")
            for name, index in self.indexes.items()
            for check in index.doctor(progress=progress)
        ]

    def repair(self, *, progress: ProgressCallback | None = None) -> list[str]:
        """Of each."""
        return [f"{name}: {done}" for name, one in self.indexes.items() for done in one.repair(progress=progress)]

    def clear(self) -> None:
        """Refused: each is cleared by itself."""
        raise UsageError("several services are cleared one by one", hint="fourfold service remove NAME")

    def use_ingestion(self, pipeline: IngestionPipeline | None) -> None:
        """Of each."""
        for index in self.indexes.values():
            index.use_ingestion(pipeline)

    def located(self, path: str) -> tuple[str, str]:
        """(service, path in it) of a path that begins with a service's name. Raises PathOutsideRoot."""
        name, inner = split_service(path)
        if not name:
            # The longest name first: names may hold each other's beginning, never a slash.
            name, _, inner = path.partition("/")
        if name not in self.indexes:
            raise PathOutsideRoot(
                f"{path[:200]} begins with the name of no service", hint=f"there are: {', '.join(self.indexes)}"
            )
        return name, inner or "."

    def search(self, *args: Any, **options: Any) -> SearchResult:
        """As :meth:`Index.search`; results name their service."""
        return self._named(super().search(*args, **options))

    def grep(self, *args: Any, **options: Any) -> GrepResult:
        """As :meth:`Index.grep`; lines name their service."""
        return self._named(super().grep(*args, **options))

    def symbol(self, *args: Any, **options: Any) -> SymbolResult:
        """As :meth:`Index.symbol`."""
        return self._named(super().symbol(*args, **options))

    def usages(self, *args: Any, **options: Any) -> UsageResult:
        """As :meth:`Index.usages`; references are followed from service to service."""
        return self._named(super().usages(*args, **options))

    def impact(self, *args: Any, **options: Any) -> ImpactResult:
        """As :meth:`Index.impact`."""
        return self._named(super().impact(*args, **options))

    def context(self, *args: Any, **options: Any) -> ContextResult:
        """As :meth:`Index.context`."""
        return self._named(super().context(*args, **options))

    def routes(self, *args: Any, **options: Any) -> RouteResult:
        """As :meth:`Index.routes`."""
        return self._named(super().routes(*args, **options))

    def match(self, *args: Any, **options: Any) -> MatchResult:
        """As :meth:`Index.match`."""
        return self._named(super().match(*args, **options))

    def similar(self, *args: Any, **options: Any) -> SearchResult:
        """As :meth:`Index.similar`; the file begins with the name of its service."""
        return self._named(super().similar(*args, **options))

    def overview(self, *args: Any, **options: Any) -> OverviewResult:
        """As :meth:`Index.overview`, of all services together."""
        return self._named(super().overview(*args, **options))

    def history(self, *args: Any, **options: Any) -> HistoryResult:
        """As :meth:`Index.history`, of the one service there is. Raises UsageError where there are several (commits of
        different repositories have no common order), or where it is read from a clone without a work tree."""
        if len(self.indexes) != 1:
            raise UsageError(
                f"a history is that of one repository, and {len(self.indexes):,} services are served",
                hint="serve the one whose commits are asked for",
            )
        name, index = next(iter(self.indexes.items()))
        if not isinstance(index.tree, DiskTree):
            raise UsageError(
                f"the commits of {name} are not read: it is indexed from a clone without a work tree",
                hint="in a checkout of it: fourfold history",
            )
        return index.history(*args, **options)

    def word(self, grounded: Grounded, *, said: Callable[[str], None] | None = None) -> AskResult:
        """As :meth:`Index.word`; paths begin with the name of their service (``web/src/app.py``)."""
        mark = re.compile(rf"(?<![\w/])({'|'.join(map(re.escape, self.indexes))}){SERVICE_MARK}(?=[^\s/])")

        def plain(text: str) -> str:
            return mark.sub(r"\1/", text)

        result = super().word(grounded, said=None if said is None else lambda piece: said(plain(piece)))
        cited = tuple(replace(one, path=plain(one.path)) for one in result.answer.citations)
        answer = replace(result.answer, text=plain(result.answer.text), citations=cited)
        items = tuple(replace(one, path=plain(one.path)) for one in result.items)
        return replace(result, answer=answer, items=items)

    def _named(self, result: T) -> T:
        """The answer with paths told apart into service and path."""
        refs = {name: _ref_of(index) for name, index in self.indexes.items()}
        changed = {
            item.name: tuple(_with_service(part, refs) for part in value)
            for item in fields(result)  # type: ignore[arg-type]
            if isinstance(value := getattr(result, item.name), tuple)
        }
        return replace(result, **changed)  # type: ignore[type-var]

    def _indexed_path(self, path: str) -> str:
        try:
            name, inner = self.located(path)
        except PathOutsideRoot:
            return path
        return service_path(name, self.indexes[name]._indexed_path(inner))

    def _condemn(self, error: IndexDamaged) -> None:
        self._searcher = None

    def _freshen(self, refresh: bool, progress: ProgressCallback | None) -> Notice:
        """Refresh each; what is to be said of one begins with its name. One that fails does not keep the others from
        answering."""
        from fourfold.index.freshness import Notice

        texts, stale = [], False
        for name, index in self.indexes.items():
            try:
                notice = index._freshen(refresh, progress)
            except FourfoldError as error:
                texts.append(f"{name}: {error.message}")
                continue
            stale = stale or notice.stale
            if notice.text:
                texts.append(f"{name}: {notice.text}")
        return Notice("; ".join(texts), stale)

    def _open_searcher(self) -> Searcher:
        from fourfold.pipeline.searcher import Searcher

        snapshot = cast("Any", self._store.snapshot())
        if snapshot.generation == 0:
            raise IndexUnavailable(f"nothing is indexed yet of: {self.tree}", hint="run: fourfold service sync")
        if self._searcher is None or self._searcher[0] is not snapshot:
            self._searcher = (snapshot, Searcher(snapshot, lambda: self._embedder_for(snapshot), self._models))
        return self._searcher[1]

    def _meta(
        self, searcher: Searcher, preset: str, started: float, notice: Notice, answer: Any, refreshed: bool
    ) -> Meta:
        from fourfold.model.result import Meta

        snapshot = cast("Any", searcher.snapshot)
        parts, services, stale = [notice.text], [], False
        parts += [text if text.startswith(name) else f"{name}: {text}" for name, text in self.missing.items()]
        for name, index in self.indexes.items():
            part = snapshot.parts.get(name)
            behind = bool(part is not None and not refreshed and index._freshness.stale_files())
            unfinished = part is not None and part.meta.get("complete") == "0"
            if part is None and name not in notice.text:
                parts.append(f"{name}: {snapshot.absent.get(name) or 'nothing is indexed yet'}")
            stale = stale or behind or unfinished
            commit = part.meta.get("indexed_commit", "") if part is not None else ""
            services.append(ServiceMeta(name, _ref_of(index), commit or None, part is not None, behind or unfinished))
        return Meta(
            fusion_strategy=answer.strategy,
            preset=preset,
            root=str(self.tree),
            stale=bool(stale or notice.stale or answer.ghosts),
            truncated=answer.truncated,
            dropped=answer.dropped,
            degraded="; ".join(filter(None, (*parts, searcher.note))) or None,
            suggestion=answer.suggestion,
            took_ms=round((time.perf_counter() - started) * 1000, 2),
            generation=snapshot.generation,
            services=(*services, *(ServiceMeta(name, searched=False) for name in self.missing)),
        )


def _ref_of(index: Index) -> str:
    """The ref that is read: the branch of a work tree, the ref of a commit."""
    state = index.tree.head()
    return "" if state is None else (state.branch or (state.commit or "")[:12])


def _with_service(value: Any, refs: Mapping[str, str]) -> Any:
    """An item with service and path apart; what has no path of a service stays as it is."""
    path = getattr(value, "path", None)
    if not isinstance(path, str) or SERVICE_MARK not in path or not is_dataclass(value):
        return value
    service, inner = split_service(path)
    known = {item.name for item in fields(value)}
    changed: dict[str, Any] = {"path": inner if "service" in known else f"{service}/{inner}"}
    if "service" in known:
        changed["service"] = service
    if "ref" in known:
        changed["ref"] = refs.get(service, "")
    at = getattr(value, "at", "")
    if at:
        changed["at"] = split_service(at)[1]
    return replace(cast("Any", value), **changed)


def _added(counts: Any) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)


def _summed(reports: Mapping[str, RefreshReport], failed: Mapping[str, FourfoldError]) -> RefreshReport:
    found = list(reports.values())
    warnings = [f"{name}: {text}" for name, report in reports.items() for text in report.warnings]
    warnings += [f"{name} was not brought up to date: {error.message}" for name, error in failed.items()]
    return RefreshReport(
        added=sum(report.added for report in found),
        changed=sum(report.changed for report in found),
        removed=sum(report.removed for report in found),
        unchanged=sum(report.unchanged for report in found),
        skipped=_added(report.skipped for report in found),
        files=sum(report.files for report in found),
        chunks=sum(report.chunks for report in found),
        lines=sum(report.lines for report in found),
        seconds=sum(report.seconds for report in found),
        generation=sum(report.generation for report in found),
        warnings=tuple(warnings),
        interrupted=any(report.interrupted for report in found),
    )
