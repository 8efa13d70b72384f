"""HTTP routes: what one file says of them, and what all files together make of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

ANY = "ANY"
"""The method of a route that answers every method."""

VERSION = "version:"
"""How a router begins that stands for a version of an interface; a mount of ``version:*`` says with what prefix
versions show in paths."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Route:
    """One route of a project.

    `method` is upper case or :data:`ANY`; `path` is whole and begins with a slash, its parameters as the framework
    writes them, ``${name}`` where the source has a value that no constant of it tells; `handler` is the name as
    written ("" for an inline function); `file` is the path of the file that declares it, `line` counts from 1.
    """

    method: str
    path: str
    handler: str
    file: str
    line: int
    framework: str


@dataclass(frozen=True, slots=True)
class RawRoute:
    """A route as its file shows it.

    `router` names what it hangs on (a variable, ``function.variable``, a list of URLs); "" where it stands alone.
    `path` goes without the router's own prefix.
    """

    method: str
    path: str
    handler: str
    line: int
    framework: str
    router: str = ""


@dataclass(frozen=True, slots=True)
class Mount:
    """`target` hangs on `router` under `prefix`. `target` is as written: a local name, ``module.name``, a module
    specifier, or "*" for all routes of the framework."""

    router: str
    target: str
    prefix: str
    line: int
    framework: str


@dataclass(frozen=True, slots=True)
class Router:
    """A router that a file makes, and the prefix that it gives all its routes."""

    name: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class RouteImport:
    """`local` stands for `name` of `module`; `name` is "" for the module itself or its default export."""

    local: str
    module: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class FileRoutes:
    """All that a file says of routes."""

    path: str
    routes: tuple[RawRoute, ...] = ()
    mounts: tuple[Mount, ...] = ()
    routers: tuple[Router, ...] = ()
    imports: tuple[RouteImport, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.routes or self.mounts or self.routers)


def encode_routes(found: FileRoutes) -> list[object]:
    """`found` without its path as a list that JSON can hold; [] where it says nothing."""
    if not found:
        return []
    parts = (found.routes, found.mounts, found.routers, found.imports)
    return [_FORMAT, *([list(astuple(one)) for one in part] for part in parts)]


def decode_routes(path: str, encoded: Sequence[object]) -> FileRoutes:
    """What :func:`encode_routes` took apart. Raises ValueError on another format."""
    if not encoded:
        return FileRoutes(path)
    if len(encoded) != 5 or encoded[0] != _FORMAT:
        raise ValueError("routes of another format")
    routes, mounts, routers, imports = (_rows(part) for part in encoded[1:])
    try:
        return FileRoutes(
            path,
            tuple(RawRoute(*row) for row in routes),
            tuple(Mount(*row) for row in mounts),
            tuple(Router(*row) for row in routers),
            tuple(RouteImport(*row) for row in imports),
        )
    except TypeError as error:
        raise ValueError("routes are damaged") from error


def _rows(part: object) -> list[list[Any]]:
    if not isinstance(part, list) or not all(isinstance(row, list) for row in part):
        raise ValueError("routes are damaged")
    return part
