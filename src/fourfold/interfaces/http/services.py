"""What a server does with services: list them, register one, queue syncs, and answer for which of them is asked."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fourfold.engine.sync_queue import SyncJob, SyncQueue
from fourfold.interfaces.http.answers import ServiceRow
from fourfold.interfaces.http.failures import HttpFailure, Scrubber
from fourfold.interfaces.http.webhooks import Delivery, concerns
from fourfold.model.errors import FourfoldError, UsageError

if TYPE_CHECKING:
    from fourfold.engine.service import Service
    from fourfold.engine.workspace import Workspace
    from fourfold.interfaces.http.options import ServeOptions
    from fourfold.interfaces.http.routes.services import NewService, Reindex


class ServiceDesk:
    """The services of a server. `names` are the patterns that it serves, `webhook_secret` is what webhooks are signed
    with ("": none are taken)."""

    def __init__(self, workspace: Workspace, scrub: Scrubber, options: ServeOptions) -> None:
        self.workspace = workspace
        self.names = options.services
        self.webhook_secret = options.webhook_secret
        self._register = options.allow_register
        self._scrub = scrub
        self._joined = workspace.index(self.names)
        self.queue = SyncQueue(workspace, after=self._after)

    def served(self) -> list[Service]:
        """The services that this server answers for."""
        return self.workspace.chosen(self.names)

    def states(self) -> list[ServiceRow]:
        """Name, source and state of each; without tokens' names and places of the machine."""
        return [self._state(service) for service in self.served()]

    def _state(self, service: Service) -> ServiceRow:
        from fourfold.source.git_address import looks_remote, shown

        state = service.state
        row = ServiceRow(
            name=service.name,
            git=shown(service.config.git) if looks_remote(service.config.git) else "",
            ref=service.ref,
            root=service.config.root,
            commit=state.commit or None,
            synced=state.synced or None,
            error=self._scrub.clean(state.error) or None,
        )
        try:
            snapshot = service.open()._store.snapshot()
            info = snapshot.info() if snapshot.generation else None
        except FourfoldError as error:
            return replace(row, error=row.error or self._scrub.clean(error.message))
        if info is None:
            return row
        commit = info.meta.get("indexed_commit") or None
        return replace(row, files=info.files, chunks=info.chunks, lines=info.lines, indexed_commit=commit)

    def reindex(self, asked: Reindex) -> list[SyncJob]:
        """Queue what a request asks for. Raises UsageError, and HttpFailure 403 where nothing may be registered."""
        if asked.register_ is not None:
            self._add(asked.register_)
            return [self.queue.submit(asked.register_.name, force=asked.force, reason="registered")[0]]
        chosen = self.workspace.chosen([asked.service]) if asked.service else self.served()
        served = {service.name for service in self.served()}
        return [self.queue.submit(service.name, force=asked.force)[0] for service in chosen if service.name in served]

    def told(self, delivery: Delivery) -> list[SyncJob]:
        """Queue the services that a webhook tells of."""
        fitting = [service for service in self.served() if concerns(delivery, service.config.git, service.config.ref)]
        return [self.queue.submit(service.name, reason="webhook")[0] for service in fitting]

    def said(self, job: SyncJob) -> dict[str, Any]:
        """A job without places of the machine."""
        data = job.to_dict()
        if data["error"]:
            data["error"] = {key: self._scrub.clean(text) for key, text in data["error"].items()}
        if data["report"]:
            report = data["report"]["report"]
            report["warnings"] = [self._scrub.clean(text) for text in report["warnings"]]
        return data

    def close(self) -> None:
        """End what runs."""
        self.queue.stop()

    def _add(self, new: NewService) -> None:
        """Register a repository elsewhere: never a folder of this machine, and never with a token of it."""
        from fourfold.config.services import ServiceConfig, check_name, save_service
        from fourfold.engine.service import Service
        from fourfold.source.git_address import HTTPS, SSH, check_address, check_ref, looks_remote

        if not self._register:
            raise HttpFailure(403, "this server registers no services", hint="fourfold serve --allow-register")
        check_name(new.name)
        if not looks_remote(new.git) or check_address(new.git).protocol not in (HTTPS, SSH):
            raise UsageError("only repositories by https or ssh may be registered", hint="https://HOST/PATH")
        if new.ref:
            check_ref(new.ref)
        config = ServiceConfig(
            new.name, git=new.git, ref=new.ref, root=new.root, include=tuple(new.include), exclude=tuple(new.exclude)
        )
        save_service(config)
        self.workspace.services[new.name] = Service(config, self.workspace.overrides)
        if self.names:
            self.names = (*self.names, new.name)

    def _after(self, job: SyncJob) -> None:
        """Serve what a sync has brought, a new service among it."""
        with contextlib.suppress(FourfoldError):  # nothing can be opened yet: what there was goes on being served
            self._joined.take(self.workspace.opened(self.names)[0])
