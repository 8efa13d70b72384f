"""The services of one server: which roots there are, and which of them a question is about."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.interfaces.mcp.service import Service
from fourfold.model.errors import FourfoldError, PathOutsideRoot, UsageError

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.engine.joined import JoinedIndex


class Workspace:
    """The roots that may be asked. `fixed` roots were named at the start; else the client may name them."""

    def __init__(self, roots: Sequence[Path], *, fixed: bool = True) -> None:
        self.fixed = fixed
        self._lock = threading.Lock()
        self._services: dict[str, Service] = {}
        self._joined: dict[tuple[str, ...], JoinedIndex] = {}
        self.set_roots(roots)

    @classmethod
    def listed(cls, names: Sequence[str], project: Path) -> Workspace:
        """The services of the list that these names (or patterns) stand for; `project` may list folders of its own.

        Raises UsageError for a name that none has.
        """
        from fourfold.engine.workspace import Workspace as Listed

        made = cls([], fixed=True)
        for service in Listed.open(project=project).chosen(names):
            made._services[service.name] = Service(service.name, Path(service.name), service.open)
        return made

    def joined(self, indexes: Mapping[str, Index]) -> JoinedIndex:
        """Several indexes as one; the same object for the same services."""
        from fourfold.engine.joined import JoinedIndex

        key = tuple(indexes)
        with self._lock:
            found = self._joined.get(key)
            if found is None:
                settings = next(iter(indexes.values())).settings
                found = self._joined[key] = JoinedIndex(indexes, settings)
        found.take(indexes)
        return found

    @property
    def services(self) -> list[Service]:
        """All services in the order they were named."""
        with self._lock:
            return list(self._services.values())

    def set_roots(self, roots: Iterable[Path]) -> None:
        """Answer for these folders; those already known keep their index open."""
        with self._lock:
            known = {service.path: service for service in self._services.values()}
            self._services = {}
            for path in dict.fromkeys(_real(root) for root in roots):
                name = _free_name(path.name or "root", self._services)
                kept = known.get(path)
                self._services[name] = kept if kept is not None and kept.name == name else Service(name, path)

    def start(self) -> None:
        """Begin to index in the background."""
        for service in self.services:
            service.start()

    def stop(self) -> None:
        """End background work."""
        for service in self.services:
            service.stop()

    def chosen(self, service: str | None) -> list[Service]:
        """The service of that name, or all. Raises UsageError for an unknown name."""
        services = self.services
        if not service:
            return services
        for found in services:
            if service in (found.name, str(found.path)):
                return [found]
        names = ", ".join(found.name for found in services)
        raise UsageError(f"there is no service {service[:80]!r}", hint=f"choose one of: {names}")

    def one(self, service: str | None) -> Service:
        """The service of that name, or the only one. Raises UsageError where it must be named."""
        found = self.chosen(service)
        if len(found) > 1:
            names = ", ".join(item.name for item in found)
            raise UsageError("this server answers for several roots", hint=f"name the service: {names}")
        return found[0]

    def locate(self, file_path: str) -> tuple[Service, str]:
        """The service that a path belongs to, and the path for it.

        A path may be absolute, relative to a root, or begin with a service's name. Raises PathOutsideRoot where no
        root holds it, UsageError where several do.
        """
        services = self.services
        if len(services) == 1:
            only = services[0]
            return only, _inside(only, _unprefixed(only, file_path))
        held = [service for service in services if _holds(service, file_path)]
        if len(held) == 1:
            return held[0], _inside(held[0], file_path)
        named = [service for service in services if file_path.startswith(f"{service.name}/")]
        if not held and named:
            return named[0], _inside(named[0], file_path.removeprefix(f"{named[0].name}/"))
        names = ", ".join(f"{service.name}/..." for service in held or services)
        if held:
            raise UsageError(f"several roots hold {file_path[:200]}", hint=f"begin the path with the service: {names}")
        raise PathOutsideRoot(f"no root holds {file_path[:200]}", hint=f"begin the path with the service: {names}")


def _real(root: Path) -> Path:
    try:
        return root.expanduser().resolve()
    except (OSError, RuntimeError):
        return root.absolute()


def _free_name(name: str, taken: dict[str, Service]) -> str:
    """The folder's name; with a number behind it where another root has the same."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}-{number}", number + 1
    return found


def _inside(service: Service, path: str) -> str:
    return service.index().path_in(path)


def _holds(service: Service, path: str) -> bool:
    try:
        return service.index().holds(_inside(service, path))
    except (FourfoldError, OSError, ValueError):
        return False


def _unprefixed(service: Service, path: str) -> str:
    """Without the service's name in front, where only so it names something."""
    prefix = f"{service.name}/"
    if path.startswith(prefix) and not _holds(service, path) and _holds(service, path.removeprefix(prefix)):
        return path.removeprefix(prefix)
    return path
