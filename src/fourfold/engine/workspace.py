"""A list of services, searched as one and kept up to date one by one.

::

    from fourfold import Workspace

    with Workspace.open() as workspace:
        workspace.sync()
        for hit in workspace.search("where are webhooks verified", services=["web", "billing-*"]).items:
            print(hit.service, hit.ref, hit.location)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from fourfold.config.load import load_settings
from fourfold.config.services import load_services, near_hint, project_services
from fourfold.engine.joined import JoinedIndex
from fourfold.engine.service import Service, SyncReport
from fourfold.model.errors import FourfoldError, UsageError

if TYPE_CHECKING:
    from fourfold.config.services import ServiceConfig
    from fourfold.config.settings import Settings
    from fourfold.engine.index import Index
    from fourfold.model.report import Progress
    from fourfold.model.result import SearchResult

ALL = "*"


class Workspace:
    """Services by name. Make it with :meth:`open`, or of any list of services."""

    def __init__(self, services: Iterable[ServiceConfig], overrides: Mapping[str, object] | None = None) -> None:
        self.overrides = overrides
        self.services: dict[str, Service] = {config.name: Service(config, overrides) for config in services}
        self.warnings: tuple[str, ...] = ()
        self._joined: dict[tuple[str, ...], JoinedIndex] = {}

    @classmethod
    def open(
        cls,
        config: str | Path | None = None,
        *,
        project: str | Path | None = None,
        overrides: Mapping[str, object] | None = None,
    ) -> Workspace:
        """The services listed in the file `config`, else in the user's configuration, and with `project` those that the
        ``fourfold.toml`` of that folder names (folders of its own only). `overrides` are settings that win over those
        of every file, by dotted key.

        Raises BadConfig for faults in the user's files; nothing is opened or fetched yet.
        """
        listed = list(load_services(Path(config) if config is not None else None))
        warnings: tuple[str, ...] = ()
        if project is not None:
            own, warnings = project_services(Path(project))
            taken = {service.name for service in listed}
            warnings += tuple(
                f"service {service.name} of the project is ignored; you have one of that name"
                for service in own
                if service.name in taken
            )
            listed += [service for service in own if service.name not in taken]
        workspace = cls(listed, overrides)
        workspace.warnings = warnings
        return workspace

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of files and memory; the object may be used again."""
        self._joined.clear()
        for service in self.services.values():
            service.close()

    @property
    def settings(self) -> Settings:
        """The user's settings."""
        return load_settings(None, self.overrides).settings

    def chosen(self, names: Sequence[str] = ()) -> list[Service]:
        """The services of these names, in order; ``*`` and ``?`` stand for any characters; all where none is named.

        Raises UsageError for a name that none has, and where there is no service at all.
        """
        if not self.services:
            raise UsageError("no service is listed", hint="add one: fourfold service add NAME PATH|URL")
        found: dict[str, Service] = {}
        for name in names or (ALL,):
            fits = {key: service for key, service in self.services.items() if fnmatchcase(key, name)}
            if not fits:
                raise UsageError(f"there is no service {name[:80]!r}", hint=near_hint(name, list(self.services)))
            found |= fits
        return list(found.values())

    def index(self, names: Sequence[str] = ()) -> JoinedIndex:
        """One index over the services of these names (all where none is named): every question of
        :class:`fourfold.Index` may be asked of it.

        A service that cannot be opened is left out, and each answer says so; where none can, the first one's error is
        raised.
        """
        opened, failed = self.opened(names)
        key = tuple(opened)
        joined = self._joined.get(key)
        if joined is None:
            joined = self._joined[key] = JoinedIndex(opened, self.settings)
        joined.take(opened)
        joined.missing = {name: error.message for name, error in failed.items()}
        return joined

    def opened(self, names: Sequence[str] = ()) -> tuple[dict[str, Index], dict[str, FourfoldError]]:
        """The indexes of the services of these names, and why others cannot be opened. Raises the first such error
        where none can."""
        found: dict[str, Index] = {}
        failed: dict[str, FourfoldError] = {}
        for service in self.chosen(names):
            try:
                found[service.name] = service.open()
            except FourfoldError as error:
                failed[service.name] = error
        if not found:
            raise next(iter(failed.values()))
        return found, failed

    def search(self, query: str, *, services: Sequence[str] = (), **options: Any) -> SearchResult:
        """Answer a question over the services of these names, in one ranking; `options` are those of
        :meth:`fourfold.Index.search`."""
        return self.index(services).search(query, **options)

    def sync(
        self,
        names: Sequence[str] = (),
        *,
        force: bool = False,
        progress: Callable[[str], Callable[[Progress], None]] | None = None,
        wait_s: float = 0.0,
    ) -> tuple[list[SyncReport], Mapping[str, FourfoldError]]:
        """Fetch and index the services of these names; (what was done, why others failed).

        One that fails keeps its last index and does not keep the others from being synced. `progress` makes a progress
        callback of a service's name.
        """
        done: list[SyncReport] = []
        failed: dict[str, FourfoldError] = {}
        for service in self.chosen(names):
            try:
                tell = progress(service.name) if progress is not None else None
                report = service.sync(force=force, progress=tell, wait_s=wait_s)
            except FourfoldError as error:
                failed[service.name] = error
                continue
            done.append(report)
            if report.report.interrupted:
                break
        return done, failed
