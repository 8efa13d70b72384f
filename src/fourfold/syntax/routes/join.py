"""The routes of a project: what its files say, put together along mounts."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

from fourfold.model.route import VERSION, FileRoutes, Mount, Route
from fourfold.syntax.routes.paths import join_paths
from fourfold.syntax.routes.resolve import PathResolver

Resolve = Callable[[str, str], "str | None"]
"""(path of a file, module or specifier as written there) -> the path of the file that it means; None where that is
unknown."""

Constant = Callable[[str, str], "str | None"]
"""(path of a file, name as written there) -> the text that a constant of the project holds."""

_Key = tuple[str, str]
"""A router: its file and its name."""

_TRIMMED = frozenset({"express", "nestjs", "aspnet", "rails", "laravel"})
"""Frameworks for which a slash at the end says nothing."""

_UNKNOWN = re.compile(r"\$\{([\w.:$]+)\}")
_TEST_FILE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|src/test|[\w.]*\.?(?:Unit|Integration)?Tests)/|_test\.go$|[._](?:test|spec)s?\.\w+$"
    r"|(?:^|/)(?:test_\w*|tests|conftest)\.py$|Tests?\.(?:java|kt|cs)$"
)
_COMMON_NAMES = frozenset({"router", "app", "urls", "urlpatterns", "routes", "r", "api", "default"})
"""Names that say too little to be bound to the only router of that name."""

_MAX_DEPTH = 12
_MAX_PREFIXES = 64
"""Places at which one router is mounted; more come only from loops."""


def join_routes(
    files: Iterable[FileRoutes],
    resolve: Resolve | None = None,
    constant: Constant | None = None,
    *,
    tests: bool = False,
) -> list[Route]:
    """All routes of `files` with their whole paths, by file and line.

    A router that is mounted several times has its routes several times; one that is mounted nowhere has them under
    its own prefix. `resolve` says what a module means; where it does not know (or is not given), the ends of paths
    tell (:class:`~fourfold.syntax.routes.resolve.PathResolver`). `constant` says what a name in a path holds
    (default: it stays ``${name}``). Routes that tests make are left out unless `tests` is set; what tests mount
    never moves a route of the program.
    """
    listed = [file for file in files if file and (tests or not _TEST_FILE.search(file.path))]
    joiner = _Joiner(listed, PathResolver(listed, resolve))
    found: dict[Route, None] = {}
    for file in listed:
        for raw in file.routes:
            for prefix in joiner.prefixes(file, raw.router, raw.framework):
                path = join_paths(prefix, raw.path) if raw.framework != "django" else prefix + raw.path
                if constant is not None:
                    path = _filled(path, file.path, constant)
                path = _tidy(path, raw.framework)
                found[Route(raw.method, path, raw.handler, file.path, raw.line, raw.framework)] = None
    return sorted(found, key=lambda one: (one.file, one.line, one.path, one.method))


class _Joiner:
    """Which router hangs where."""

    def __init__(self, files: list[FileRoutes], resolve: PathResolver) -> None:
        self._files = {file.path: file for file in files}
        self._resolve = resolve
        self._own: dict[_Key, str] = {}
        self._names: dict[str, set[str]] = {}
        self._mounts: dict[_Key, list[tuple[_Key, Mount]]] = {}
        self._everywhere: dict[str, list[str]] = {}
        self._versions: dict[str, str] = {}
        for file in files:
            names = {one.name for one in file.routers} | {one.router for one in file.routes}
            names |= {one.router for one in file.mounts}
            self._names[file.path] = names
            self._own |= {(file.path, one.name): one.prefix for one in file.routers if one.prefix}
        self._by_name: dict[str, list[str]] = {}
        for path, names in self._names.items():
            for name in names:
                for part in name.split("."):
                    self._by_name.setdefault(part, []).append(path)
        for file in files:
            for mount in file.mounts:
                self._hang(file, mount)

    def prefixes(self, file: FileRoutes, router: str, framework: str) -> list[str]:
        """Every prefix under which the routes on `router` of `file` are reached."""
        everywhere = self._everywhere.get(framework, [""])
        if router.startswith(VERSION):
            shown = self._versions.get(framework)
            version = f"{shown}{router.removeprefix(VERSION)}" if shown is not None else ""
            return [join_paths(outer, version) for outer in everywhere]
        key = self._home(file.path, router)
        found = dict.fromkeys(self._above(key, framework, ()))
        return [join_paths(outer, inner) for outer in everywhere for inner in found]

    def _hang(self, file: FileRoutes, mount: Mount) -> None:
        if mount.target == "*":
            self._everywhere.setdefault(mount.framework, []).append(mount.prefix)
            return
        if mount.target == f"{VERSION}*":
            self._versions[mount.framework] = mount.prefix
            return
        parent = self._home(file.path, mount.router)
        for key in self._targets(file.path, mount):
            if key != parent:
                self._mounts.setdefault(key, []).append((parent, mount))

    def _home(self, path: str, router: str) -> _Key:
        """The file in which `router`, as `path` calls it, is made."""
        file = self._files[path]
        declared = {one.name for one in file.routers}
        if router in declared or not router or "." in router:
            return path, router
        if any(one.local == router for one in file.imports):
            for other, name in self._meant(path, router):
                names = {one.name for one in self._files[other].routers}
                for candidate in (name or router, router):
                    if candidate in names:
                        return other, candidate
        return path, router

    def _targets(self, path: str, mount: Mount) -> Iterator[_Key]:
        target = mount.target
        local = list(self._matching(path, target))
        if local:
            yield from local
            return
        head, _, rest = target.partition(".") if "/" not in target else (target, "", "")
        found = list(self._meant(path, target if not rest else head))
        if not found and rest:
            found, rest = list(self._meant(path, target)), ""
        keys: list[_Key] = []
        for other, name in found:
            wanted = rest or name
            matching = list(self._matching(other, wanted)) if wanted else []
            keys += matching or ([] if rest else list(self._roots(other)))
        yield from keys or self._unique(path, target)

    def _meant(self, path: str, name: str) -> Iterator[_Key]:
        """Files that `name` means in `path`, each with the name meant in it."""
        found = self._resolve(path, name)
        if found is None:
            return
        other, inner = found
        if other in self._files:
            yield other, inner
            return
        for file in self._files:
            if posixpath.dirname(file) == other:
                yield file, inner

    def _matching(self, path: str, target: str) -> Iterator[_Key]:
        """Routers of a file that `target` names: the router itself, or what lives in the function of that name."""
        for name in sorted(self._names[path]):
            if name and (name == target or name.startswith(f"{target}.") or f".{target}." in f".{name}"):
                yield path, name

    def _roots(self, path: str) -> Iterator[_Key]:
        """Routers of a file that hang on no other of that file."""
        file = self._files[path]
        hanging = {one.target for one in file.mounts}
        for name in sorted(self._names[path]):
            if name not in hanging:
                yield path, name

    def _unique(self, path: str, target: str) -> Iterator[_Key]:
        """The only function or router of the project with the last name of `target`; those of the same folder come
        first."""
        last = target.rsplit(".", 1)[-1]
        if "/" in target:
            return
        others = [other for other in self._by_name.get(last, []) if other != path]
        for wanted in dict.fromkeys((target, last)):
            if wanted in _COMMON_NAMES:
                return
            fitting = dict.fromkeys(other for other in others if any(True for _ in self._matching(other, wanted)))
            near = [other for other in fitting if posixpath.dirname(other) == posixpath.dirname(path)]
            chosen = near or list(fitting)
            if len(chosen) == 1:
                yield from self._matching(chosen[0], wanted)
                return

    def _above(self, key: _Key, framework: str, seen: tuple[_Key, ...]) -> list[str]:
        """Prefixes of a router: those of what it hangs on, that of the mount, its own."""
        own = self._own.get(key, "")
        mounts = self._mounts.get(key, [])
        if not mounts or len(seen) > _MAX_DEPTH or key in seen:
            return [own or _default_prefix(key[0], framework)]
        found: list[str] = []
        for parent, mount in mounts:
            mine = mount.prefix if framework == "flask" and mount.prefix else _both(mount.prefix, own, framework)
            if parent == key or parent in seen:
                continue
            found += [_both(above, mine, framework) for above in self._above(parent, framework, (*seen, key))]
            if len(found) > _MAX_PREFIXES:
                break
        return found or [own]


def _both(prefix: str, path: str, framework: str) -> str:
    return prefix + path if framework == "django" else join_paths(prefix, path)


def _default_prefix(path: str, framework: str) -> str:
    """What Laravel does without being told: ``routes/api.php`` lies below ``/api``."""
    return "api" if framework == "laravel" and path.endswith("routes/api.php") else ""


def _filled(path: str, file: str, constant: Constant) -> str:
    return _UNKNOWN.sub(lambda found: constant(file, found.group(1)) or found.group(), path)


def _tidy(path: str, framework: str) -> str:
    """`path` with a slash in front and, where it says nothing, none behind."""
    if framework in _TRIMMED and len(path) > 1:
        path = path.rstrip("/") or "/"
    host_first = framework == "net/http" and not path.startswith("/") and "/" in path
    return path if path.startswith(("/", "${")) or host_first else f"/{path}"
