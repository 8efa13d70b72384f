"""One service: a folder, or a ref of a git repository, with an index of its own."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold.config.load import load_settings
from fourfold.config.places import cache_dir
from fourfold.config.whole_file import replace_text
from fourfold.model.errors import BackendUnavailable, FourfoldError, IndexUnavailable, UsageError
from fourfold.model.report import Progress, RefreshReport

if TYPE_CHECKING:
    from fourfold.config.services import ServiceConfig
    from fourfold.config.settings import Settings
    from fourfold.engine.index import Index
    from fourfold.index.reading import FileText
    from fourfold.source.found import WalkOptions
    from fourfold.source.git_remote import Remote
    from fourfold.source.git_tree import GitTree
    from fourfold.source.objects import Copy
    from fourfold.source.tree import Tree

STATE_FILE = "service.json"
MIRROR_WAIT_S = 600.0
"""How long a sync waits for another one that fetches the same repository."""
LIVE_S = 300.0
"""Seconds for which the newest state of a ref is taken as known when a file of it is read live."""
ProgressCallback = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class ServiceState:
    """What is known of a service: the commit that was fetched last and when (seconds since the epoch), and why the last
    attempt failed ("" where it did not)."""

    commit: str = ""
    kind: str = ""
    synced: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did. `fetched` counts blobs that were asked for; `report` is the refresh's."""

    service: str
    commit: str
    changed: bool
    fetched: int
    report: RefreshReport
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        from fourfold.model.result import plain

        data: dict[str, Any] = plain(asdict(self))
        return data


class Service:
    """A service of the list. Nothing is opened, and nobody asked, before that is called for."""

    def __init__(self, config: ServiceConfig, overrides: Mapping[str, object] | None = None) -> None:
        """`overrides` are settings that win over those of every file (see :func:`load_settings`)."""
        self.config = config
        self._overrides = overrides
        self._opened: Index | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        return self.config.name

    @property
    def remote(self) -> bool:
        """True where it is fetched from another machine."""
        return self._remote is not None

    @property
    def at_ref(self) -> bool:
        """True where it is read at a ref of git and not from a work tree."""
        return bool(self.config.git or self.config.ref)

    @cached_property
    def settings(self) -> Settings:
        """The settings of its index: the user's (and, of a work tree, the project's), narrowed by its own lists."""
        config = self.config
        base = load_settings(None if self.at_ref else self._folder, self._overrides).settings
        if not (config.include or config.exclude):
            return base
        index = base.index
        own = replace(index, include=(*index.include, *config.include), exclude=(*index.exclude, *config.exclude))
        return replace(base, index=own)

    @property
    def folder(self) -> Path:
        """What its index belongs to: the folder itself, or a small one in the cache that stands for it."""
        if not self.at_ref and not (self.config.include or self.config.exclude):
            return self._folder
        return self._state_folder

    def tree(self) -> Tree:
        """Where its files come from. Raises IndexUnavailable for one that was never synced, UsageError where its folder
        or ref is not there."""
        from fourfold.source.root import check_root
        from fourfold.source.tree import DiskTree

        if not self.at_ref:
            if not self._folder.is_dir():
                raise UsageError(f"{self.name}: there is no folder {self._folder}", hint="is its disk there?")
            return DiskTree(check_root(self._folder))
        if self._remote is not None:
            state = self.state
            if not state.commit:
                raise IndexUnavailable(
                    f"the service {self.name} has not been fetched yet", hint=f"run: fourfold service sync {self.name}"
                )
            return self._tree_at(state)
        return self._local_tree()

    def open(self) -> Index:
        """Its index, on the newest tree that is known without asking anybody. Raises what :meth:`tree` raises."""
        from fourfold.engine.index import Index
        from fourfold.store.opening import open_store

        tree = self.tree()
        if self._opened is None:
            if self.folder == self._state_folder:
                self._prepare()
            self._opened = Index(self.folder, self.settings, open_store(self.folder, self.settings), tree=tree)
        elif self._opened.tree != tree:
            self._opened.use_tree(tree)
        return self._opened

    def sync(self, *, force: bool = False, progress: ProgressCallback | None = None, wait_s: float = 0.0) -> SyncReport:
        """Fetch its ref where it is elsewhere, and bring its index up to date.

        Only what changed is fetched and read. Where anything fails the index stays as it was, and is still searched.
        Raises BackendUnavailable where the repository cannot be asked, UsageError where its ref is gone, LockHeld and
        IndexUnavailable as a refresh does.
        """
        try:
            changed, fetched, notes = self._fetch(progress) if self._remote is not None else (False, 0, ())
            index = self.open()
            report = index.refresh(force=force, progress=progress, wait_s=wait_s)
        except FourfoldError as error:
            self._note(replace(self.state, error=error.message))
            raise
        commit = (index.tree.head() or _NOWHERE).commit or ""
        if self.at_ref:
            kind = self.state.kind if self._remote is not None else "commit"
            self._note(ServiceState(commit, kind, time.time()))
        return SyncReport(self.name, commit, changed, fetched, report, (*notes, *_left(report)))

    def read(self, path: str, *, live: bool = False) -> FileText:
        """The text of a file at the indexed ref, or with `live` at the newest state of the ref, which is asked for at
        most every five minutes. ``origin`` of the answer says which. Raises PathOutsideRoot."""
        if not live or self._remote is None:
            return self.open().read(path)
        if time.time() - self.state.synced > LIVE_S:
            self._fetch(None)
        return self.open().read(path)

    @property
    def state(self) -> ServiceState:
        """What the last sync left."""
        try:
            data = json.loads((self._state_folder / STATE_FILE).read_text(encoding="utf-8"))
            return ServiceState(**data)
        except (OSError, ValueError, TypeError):
            return ServiceState()

    @property
    def ref(self) -> str:
        """The ref that is read, for people; "" for a work tree."""
        return self._ref_name(self.state) if self.at_ref else ""

    def forget(self, *, keep_copy: bool = False) -> None:
        """Delete its index where that is its own, and its copy unless others use that too. Raises LockHeld."""
        import shutil

        from fourfold.config.places import index_dir
        from fourfold.index.collect import remove_index

        self.close()
        if self.folder == self._state_folder:
            remove_index(index_dir(self.folder, self.settings))
            shutil.rmtree(self._state_folder.parent, ignore_errors=True)
        if self._remote is not None and not keep_copy:
            self.copy.remove()

    def close(self) -> None:
        """Let go of files and memory."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @cached_property
    def copy(self) -> Copy:
        """The copy of its repository; only of one elsewhere. Where it is read by its forge (``via``, or where git is
        not installed) that is an archive, else a bare repository."""
        from fourfold.source.archive import Archive, archive_folder
        from fourfold.source.forge import forge_of
        from fourfold.source.git_mirror import Mirror, mirror_folder
        from fourfold.source.gitrun import git_program

        assert self._remote is not None
        address = self._remote.address
        folder = mirror_folder(cache_dir(self.settings), address.url)
        forge = forge_of(address, self.config.via, self.config.token_env, git=git_program() is not None)
        return Mirror(folder, self._remote) if forge is None else Archive(archive_folder(folder), forge)

    def _tree_at(self, state: ServiceState) -> GitTree:
        """What the copy holds of a commit."""
        from fourfold.source.git_tree import GitTree

        objects = self.copy.objects(state.commit)
        return GitTree(objects, state.commit, self._ref_name(state), self.config.root, self._label)

    @cached_property
    def _remote(self) -> Remote | None:
        """The repository to ask, None for a folder of this machine. Raises UsageError where it is refused."""
        from fourfold.source.git_address import FILE, check_address, check_ref
        from fourfold.source.git_remote import Remote

        if self.config.ref:
            check_ref(self.config.ref)
        if not self.config.git:
            return None
        address = check_address(self.config.git)
        return None if address.protocol == FILE else Remote(address, self.config.token_env)

    @property
    def _label(self) -> str:
        from fourfold.source.git_address import shown

        return shown(self.config.git) or str(self.config.path)

    @property
    def _folder(self) -> Path:
        base = Path(os.path.realpath(self.config.path or self.config.git))
        return base / self.config.root if self.config.root else base

    @cached_property
    def _state_folder(self) -> Path:
        config = self.config
        key = repr((config.path, config.git, config.ref, config.root, config.include, config.exclude))
        digest = hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
        return cache_dir(load_settings(None, self._overrides).settings) / "services" / digest / config.name

    def _local_tree(self) -> GitTree:
        """The ref of a repository of this machine, looked up anew each time: its objects are read where they are."""
        from fourfold.source.git_tree import GitTree
        from fourfold.source.gitdir import find_gitdir
        from fourfold.source.gitrun import run_git
        from fourfold.source.objects import GitObjects

        config = self.config
        base = Path(os.path.realpath(config.path or config.git.removeprefix("file://")))
        bare = (base / "HEAD").is_file() and (base / "objects").is_dir()
        found = None if bare else find_gitdir(base)
        if found is None and not bare:
            raise UsageError(f"{self.name}: {base} is not in a git repository", hint="leave out the ref")
        git_dir = base if found is None else Path(found.own)
        inside = "" if found is None else base.relative_to(os.path.realpath(found.top)).as_posix()
        named = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{config.ref or 'HEAD'}^{{commit}}")
        out = run_git(base, "--git-dir", str(git_dir), *named)
        if not out:
            raise UsageError(
                f"{self.name}: {base} has no branch, tag or commit {config.ref!r}",
                hint="see what there is: git branch -a",
            )
        root = "/".join(part for part in (inside if inside != "." else "", config.root) if part)
        return GitTree(GitObjects(git_dir), out.decode("ascii").strip(), config.ref or "HEAD", root, self._label)

    def _ref_name(self, state: ServiceState) -> str:
        return self.config.ref or state.kind or "HEAD"

    def _fetch(self, progress: ProgressCallback | None) -> tuple[bool, int, tuple[str, ...]]:
        """Bring the copy up to date and note its commit; (whether that is new, blobs fetched, notes)."""
        from fourfold.index.options import refresh_options
        from fourfold.store.local.lock import WriteLock

        assert self._remote is not None
        if self.settings.offline or os.environ.get("HF_HUB_OFFLINE", "") == "1":
            raise BackendUnavailable(
                f"the service {self.name} is not fetched: offline is set", hint="unset the setting offline"
            )
        self._prepare()
        copy = self.copy
        lock = WriteLock(self._lock_folder())
        lock.acquire("fetch", MIRROR_WAIT_S)
        try:
            if progress is not None:
                progress(Progress("fetch", 0, 0))
            found = copy.fetch(self.config.ref)
            state = ServiceState(found.commit, found.kind, time.time())
            tree = self._tree_at(state)
            options = refresh_options(self.settings, tree).walk
            fetched = 0
            if not self._holds(tree, options):
                fetched = copy.need(found.commit, tree.telling_blobs())
                fetched += copy.need(found.commit, tree.blobs(options))
                tree.close()
        finally:
            lock.release()
        changed = self.state.commit != found.commit
        self._note(state)
        return changed, fetched, found.notes

    def _holds(self, tree: GitTree, options: WalkOptions) -> bool:
        """True where the index is of this very commit, read under these options: nothing of it is missing then."""
        if self.state.commit != tree.commit:
            return False
        try:
            meta = self.open()._store.snapshot().meta
        except FourfoldError:
            return False
        return meta.get("complete") == "1" and meta.get("walk_fingerprint") == tree.fingerprint(options)

    def _lock_folder(self) -> Path:
        """Beside the copy, where git does not look."""
        folder = self.copy.folder.with_suffix(".lock")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder

    def _prepare(self) -> None:
        try:
            self._state_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise IndexUnavailable(
                f"{self._state_folder} cannot be made: {error.strerror}",
                hint="choose another place with FOURFOLD_CACHE_DIR",
            ) from error

    def _note(self, state: ServiceState) -> None:
        """Keep the state; one that cannot be written is told of by what comes next."""
        if not self.at_ref:
            return
        path = self._state_folder / STATE_FILE
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_text(path, json.dumps(asdict(state)))


@dataclass(frozen=True, slots=True)
class _Head:
    commit: str | None = None


_NOWHERE = _Head()


def _left(report: RefreshReport) -> tuple[str, ...]:
    """What a person should know of what is not indexed."""
    told = (("submodule", "submodules are not followed"), ("lfs-pointer", "files kept by git LFS are not there"))
    return tuple(f"{report.skipped[reason]:,} x {text}" for reason, text in told if report.skipped.get(reason))
