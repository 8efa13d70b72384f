"""``routes``: the HTTP routes of a repository, joined over its files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fourfold.graph.modules import FAMILIES, modules_of
from fourfold.index.graph import manifests_of
from fourfold.index.knowledge import routes_of
from fourfold.model.structure import RouteItem
from fourfold.syntax.routes.constants import Constants
from fourfold.syntax.routes.join import join_routes

if TYPE_CHECKING:
    from fourfold.model.query import Filters
    from fourfold.model.route import FileRoutes, Route
    from fourfold.pipeline.structure.items import Structure


def all_routes(structure: Structure) -> list[Route]:
    """Every route of the repository."""
    files: list[FileRoutes] = []
    for path, blob in structure.snapshot.facts():
        found = routes_of(path, blob) if blob else None
        if found:
            files.append(found)
    if not files:
        return []
    return join_routes(files, _resolve(structure, files), Constants(structure.snapshot.symbols().items()))


def _resolve(structure: Structure, files: list[FileRoutes]) -> Callable[[str, str], str | None]:
    """Which file a module name of a file means."""
    paths = {path: (language, "") for path, language in structure.languages.items()}
    families = {FAMILIES.get(structure.languages.get(file.path, ""), "") for file in files} - {""}
    manifests = manifests_of(structure.snapshot, sorted(paths))
    modules = {
        family: modules_of(
            family, {path: value for path, value in paths.items() if FAMILIES.get(value[0]) == family}, manifests
        )
        for family in families
    }
    by_namespace = {
        (family, modules[family].namespace(path)): path
        for path, (language, _) in sorted(paths.items())
        if (family := FAMILIES.get(language, "")) in modules
    }

    def resolve(path: str, module: str) -> str | None:
        family = FAMILIES.get(structure.languages.get(path, ""), "")
        if family not in modules:
            return None
        for target in modules[family].targets(path, module):
            found = by_namespace.get((family, target))
            if found is not None:
                return found
        return None

    return resolve


def routes_by_handler(structure: Structure) -> dict[tuple[str, str], list[str]]:
    """Routes ("GET /users") by file and qualified name of the handler."""
    found: dict[tuple[str, str], list[str]] = {}
    for route in structure.all_routes:
        for symbol in structure.snapshot.symbols_of(route.file):
            if symbol.symbol.qualified_name == route.handler or symbol.symbol.name == route.handler:
                key = (route.file, symbol.symbol.qualified_name)
                found.setdefault(key, []).append(f"{route.method} {route.path}")
                break
    return found


def route_items(structure: Structure, asked: str, filters: Filters, limit: int) -> tuple[list[RouteItem], int]:
    """Routes whose method, path or handler holds the words asked for, by path; and how many were left out."""
    allowed, exists = structure.allowed(filters), structure.exists()
    wanted = asked.casefold().split()
    items = []
    for route in structure.all_routes:
        text = f"{route.method} {route.path} {route.handler}".casefold()
        if all(word in text for word in wanted) and allowed(route.file) and exists(route.file):
            items.append(
                RouteItem(route.method, route.path, route.file, route.line, route.framework, route.handler,
                          _symbol(structure, route))
            )  # fmt: skip
    items.sort(key=lambda item: (item.route, item.method, item.path, item.line))
    return items[:limit], max(len(items) - limit, 0)


def _symbol(structure: Structure, route: Route) -> str:
    """The definition that handles a route, where its file holds it."""
    if not route.handler:
        return ""
    bare = route.handler.rpartition(".")[2]
    for row in structure.snapshot.symbols_of(route.file):
        if route.handler == row.symbol.qualified_name or bare == row.symbol.name:
            return row.symbol.qualified_name
    return ""
