"""What every command starts from: the folder, the terminals, the settings, the index."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.config.services import project_services
from fourfold.interfaces.cli.progress import ProgressLine
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.interfaces.cli.width import safe
from fourfold.model.errors import IndexUnavailable, UsageError
from fourfold.model.record import record

if TYPE_CHECKING:
    from fourfold.config.load import Loaded
    from fourfold.config.settings import SearchSettings, Settings
    from fourfold.engine import Index
    from fourfold.engine.kept import KeptIndexes
    from fourfold.model.result import Meta


@record(frozen=False, slots=True)
class Session:
    """One run of the program. `directory` is the folder the person is in (``-C``), `root` is ``--root``; `services` are
    those that are asked instead of the root; `scope` says
    whether the project's installed packages are asked; `kept` holds indexes that outlive the run."""

    directory: Path
    root: Path | None
    out: Terminal
    err: Terminal
    verbose: bool = False
    services: tuple[str, ...] = ()
    scope: str = "project"
    kept: KeptIndexes | None = None
    _warned: set[str] = field(default_factory=set)

    @property
    def several(self) -> bool:
        """True where more than the project here is asked."""
        return bool(self.services) or self.scope != "project"

    def found_root(self) -> Path:
        """The root that commands work on: ``--root``, else the nearest one above the folder."""
        from fourfold.source.root import find_root

        return self.root.resolve() if self.root is not None else find_root(self.directory)

    def load(self, overrides: Mapping[str, object] | None = None) -> Loaded:
        """The settings in force, with this run's flags as `overrides`; warns once of what was ignored."""
        from fourfold.config.load import load_settings

        loaded = load_settings(self.found_root(), overrides)
        for warning in loaded.warnings:
            self.warn(warning)
        self.set_up_logging(loaded.settings)
        return loaded

    def set_up_logging(self, settings: Settings, *, logs: bool = False) -> None:
        """Send log records as the settings say; where nothing but warnings is wanted only for what `logs` (the server
        does, questions never): the module takes 9 ms to load."""
        level = "debug" if self.verbose else settings.log_level
        if logs or level != "warning" or "logging" in sys.modules:
            set_up_logging(level)

    def asking(self, services: tuple[str, ...], scope: str = "project") -> Session:
        """This run, asking the services of these names; where none is named, those of a folder that only lists some.

        Raises UsageError where services and a scope of packages are asked for at once."""
        if scope != "project":
            if services:
                raise UsageError("--scope is for the project here", hint="leave out --service")
            return replace(self, scope=scope)
        if not services:
            root = self.found_root()
            lists = (root / "fourfold.toml").is_file() and not (root / ".git").exists()
            services = tuple(service.name for service in project_services(root)[0]) if lists else ()
        return replace(self, services=services) if services else self

    def open(self, overrides: Mapping[str, object] | None = None, *, allow_wide: bool = False) -> Index:
        """The index of the root, results narrowed to the folder the person is in.

        A wide root (a home folder) is opened where `allow_wide` says so, or once it was indexed on purpose.
        """
        from fourfold.config.places import index_dir
        from fourfold.engine import Index

        if self.services:
            return self._joined(overrides)
        settings = self.load(overrides).settings
        wide = allow_wide or index_dir(self.found_root(), settings).is_dir()
        opened = Index.open if self.kept is None or self.scope != "project" else self.kept.open
        index = opened(self.directory, root=self.root, settings=settings, allow_wide=wide)
        if self.scope == "project":
            return index
        from fourfold.engine.dependencies import Dependencies

        return Dependencies(index).joined(self.scope)

    def _joined(self, overrides: Mapping[str, object] | None) -> Index:
        """The services that are asked as one index, under the user's settings and this run's flags."""
        from fourfold.config.load import load_settings
        from fourfold.engine.workspace import Workspace

        settings = load_settings(None, overrides).settings
        self.set_up_logging(settings)
        workspace = Workspace.open(project=self.found_root(), overrides=overrides)
        for warning in workspace.warnings:
            self.warn(warning)
        return workspace.index(self.services)

    def progress(self, name: str, *, quiet: bool = False) -> ProgressLine:
        """A progress line on standard error."""
        return ProgressLine(self.err, name, quiet=quiet)

    def note(self, text: str) -> None:
        """One dimmed line beside the results, on standard error."""
        self._aside(self.err.style("dim", safe(text)))

    def warn(self, text: str) -> None:
        """One warning on standard error; the same text only once."""
        if text not in self._warned:
            self._warned.add(text)
            self._aside(f"{self.err.style('warning', 'warning:')} {safe(text)}")

    def warn_of_state(self, meta: Meta) -> None:
        """Warn of a degraded or stale answer."""
        if meta.degraded:
            self.warn(meta.degraded)
        elif meta.stale:
            self.warn("the index is stale; bring it up to date with `fourfold index`")

    @property
    def told_of_a_part(self) -> bool:
        """True where an answer of this run was of a part of the files, since the first build failed: that was warned
        of, and the exit code says it as well."""
        from fourfold.index.freshness import NOT_BUILT

        return any(NOT_BUILT in text for text in self._warned)

    def shown_path(self, root: Path, path: str) -> str:
        """A root-relative path as the person can use it: relative to their folder, if that is in the root."""
        here = self.directory.resolve()
        base = root.resolve()
        if here == base or not here.is_relative_to(base):
            return path
        up, inside = len(here.relative_to(base).parts), here.relative_to(base).parts
        parts = path.split("/")
        shared = 0
        while shared < min(up, len(parts) - 1) and parts[shared] == inside[shared]:
            shared += 1
        return "/".join([".."] * (up - shared) + parts[shared:])

    def _aside(self, text: str) -> None:
        """Write to standard error after what standard output holds, so that both show in order."""
        self.out.stream.flush()
        self.err.line(text)


def existing_folder(path: Path, option: str) -> Path:
    """`path`, if it is a folder; raises :class:`UsageError` naming the option that gave it."""
    if not path.is_dir():
        problem = "is not a folder" if path.exists() else "does not exist"
        hint = "name an existing folder"
        if option == "-C" and path.name.isdigit():
            hint += f"; for lines of context put it behind the command: fourfold search -C {path.name}"
        raise UsageError(f"{option}: {path} {problem}", hint=hint)
    return path


def set_up_logging(level: str) -> None:
    """Send the program's log records of `level` and above to standard error."""
    import logging

    logger = logging.getLogger("fourfold")
    logger.setLevel(level.upper())
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        logger.addHandler(handler)
        logger.propagate = False


def refuse_stale(meta: Meta, search: SearchSettings) -> None:
    """Raise IndexUnavailable where the answer is stale and the settings want none then."""
    if meta.stale and search.fail_stale:
        raise IndexUnavailable("the index is stale", hint="bring it up to date with `fourfold index`")
