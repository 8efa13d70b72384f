"""From an import to the file it means, by paths alone."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from typing import NamedTuple

from fourfold.model.route import FileRoutes, RouteImport

_INDEX_NAMES = ("__init__", "index", "mod")
_SUFFIXES = (".py", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", ".rs", ".php", ".rb")


class Resolved(NamedTuple):
    """A file or a folder, and the name meant in it ("" for all of it)."""

    path: str
    name: str = ""


class PathResolver:
    """Finds files by the ends of their paths: ``app.api.users`` is whatever file ends in ``app/api/users.py``, the
    nearest to the importing file where there are several. Knows only the files that it is given.

    `module` is asked first where it is given: (path of a file, module as written there) -> the path that it means.
    """

    def __init__(self, files: Iterable[FileRoutes], module: Callable[[str, str], str | None] | None = None) -> None:
        self._asked = module
        self._imports: dict[str, dict[str, RouteImport]] = {}
        self._by_stem: dict[str, list[str]] = {}
        folders: dict[str, None] = {}
        for file in files:
            self._imports[file.path] = {one.local: one for one in file.imports}
            self._by_stem.setdefault(_stem(file.path), []).append(file.path)
            if file.path.endswith(".go"):
                folders[posixpath.dirname(file.path)] = None
        for folder in folders:
            self._by_stem.setdefault(folder.rsplit("/", 1)[-1], []).append(folder)

    def __call__(self, path: str, name: str) -> Resolved | None:
        """What `name` (a local name, a dotted module, a specifier, a path) means in the file at `path`."""
        known = self._imports.get(path, {}).get(name)
        if known is None:
            module = self._module(path, name)
            return Resolved(module) if module else None
        whole = f"{known.module}{_separator(known.module)}{known.name}" if known.name else known.module
        module = self._module(path, whole)
        if module and known.name:
            return Resolved(module)
        module = module or self._module(path, known.module)
        return Resolved(module, known.name) if module else None

    def _module(self, path: str, module: str) -> str:
        told = self._asked(path, module) if self._asked is not None else None
        if told is not None and told in self._imports:
            return told
        relative, parts = _parts(path, module)
        if not parts:
            return ""
        candidates = self._by_stem.get(parts[-1], [])
        fitting = [one for one in candidates if one != path and _fits(one, parts, exact=relative)]
        if not fitting and not relative and len(parts) > 1 and "/" in module:
            fitting = [one for one in candidates if one != path and _fits(one, parts[-1:], exact=False)]
        return max(
            fitting, key=lambda one: (len(posixpath.commonpath([one, path]) if "/" in path else ""), one), default=""
        )


def _stem(path: str) -> str:
    """What an import calls the file: its name, or its folder's where it speaks for the folder."""
    folder, _, name = path.rpartition("/")
    stem = name.rsplit(".", 1)[0]
    return folder.rsplit("/", 1)[-1] if stem in _INDEX_NAMES and folder else stem


def _separator(module: str) -> str:
    if module.endswith(".") and not module.strip("."):
        return ""
    return "::" if "::" in module else "/" if "/" in module else "."


def _parts(path: str, module: str) -> tuple[bool, list[str]]:
    """Whether `module` is relative, and its path from the root (relative) or its last parts."""
    folder = posixpath.dirname(path)
    if module.startswith(("./", "../")) or module in (".", ".."):
        whole = posixpath.normpath(posixpath.join(folder, module))
        return True, _without_suffix(whole).split("/")
    if module.startswith("."):
        up = len(module) - len(module.lstrip("."))
        for _ in range(up - 1):
            folder = posixpath.dirname(folder)
        parts = [part for part in module.lstrip(".").split(".") if part]
        return True, [part for part in (*folder.split("/"), *parts) if part]
    if "::" in module:
        return False, [part for part in module.split("::") if part not in ("crate", "self", "super")]
    if "/" in module:
        return False, [part for part in _without_suffix(module).split("/") if part not in ("@", "~", "src", "")]
    return False, module.split(".")


def _without_suffix(path: str) -> str:
    return next((path[: -len(suffix)] for suffix in _SUFFIXES if path.endswith(suffix)), path)


def _fits(candidate: str, parts: list[str], *, exact: bool) -> bool:
    own = _without_suffix(candidate).split("/")
    if own[-1] in _INDEX_NAMES and len(own) > 1 and own[-1] != parts[-1]:
        own = own[:-1]
    return own == parts if exact else own[-len(parts) :] == parts
