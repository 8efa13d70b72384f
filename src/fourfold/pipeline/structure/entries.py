"""Where programs begin and what a package offers: the entry points of a repository."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.symbol import Symbol
from fourfold.pipeline.structure.items import is_test

if TYPE_CHECKING:
    from collections.abc import Collection

    from fourfold.model.structure import SymbolItem
    from fourfold.pipeline.structure.items import Structure

ENTRIES = 10
BEGINS = 7
"""Of these, where programs begin; the rest is room for what packages offer."""
ASIDE = frozenset({"scripts", "script", "tools", "hack", "dev", "ci", "bin"})
"""Folders of programs that serve the work on the repository."""
MAINS = ("main", "Main", "lambda_handler")
"""Functions where a program begins, whatever their file is called."""
OWNED_MAINS = frozenset({"java", "kotlin", "scala", "csharp", "dart"})
"""Languages whose main may stand in a type."""
MAKERS = ("create_app", "make_app", "build_app", "app", "application", "cli", "run_server")
"""Names that begin a program where their file says so too."""
STEMS = frozenset({"__main__", "main", "cli", "app", "server", "manage", "program", "wsgi", "asgi", "application"})
"""Files where programs begin."""
LIBRARY_STEMS = frozenset({"lib", "index", "__init__", "init"})
"""Files that are what a package offers."""
LIBRARY_DEPTH = 3
"""Folders above such a file at most: deeper ones are parts of a package."""
SCRIPTS = frozenset({"__main__", "manage"})
"""Files that are a program as a whole."""


def entry_points(structure: Structure, ordinary: Collection[str]) -> list[SymbolItem]:
    """Functions and files where programs begin, the outermost first; then what the packages offer as a whole."""
    begins = sorted({*_functions(structure, ordinary), *_scripts(structure, ordinary)}, key=_aside)[:BEGINS]
    offered = sorted(_packages(structure, ordinary))
    items: list[SymbolItem] = []
    seen: set[str] = set()
    for _, path, line, name in [*begins, *offered]:
        if path in seen or len(items) == ENTRIES:
            continue
        seen.add(path)
        symbol = _symbol(structure, path, line, name)
        items.append(structure.item(path, symbol, rank=len(items) + 1))
    return items


def _aside(entry: _Entry) -> tuple[bool, _Entry]:
    """Sort key: what only serves the work on the repository comes last."""
    return not ASIDE.isdisjoint(entry[1].split("/")[:-1]), entry


_Entry = tuple[tuple[int, int], str, int, str]
"""(order, path, line or 0 for the file, qualified name)."""


def _functions(structure: Structure, ordinary: Collection[str]) -> Iterator[_Entry]:
    for name in (*MAINS, *MAKERS):
        for row in structure.snapshot.symbols_named(name, limit=50):
            symbol, path = row.symbol, row.path
            owned = structure.languages.get(path) in OWNED_MAINS
            if path not in ordinary or symbol.name != name or (symbol.parent and not owned):
                continue
            if is_test(path, symbol.qualified_name, symbol.kind):
                continue
            known_place = _stem(path) in STEMS
            if name in MAINS:
                if symbol.kind in ("function", "method"):
                    yield (0 if known_place else 1, path.count("/")), path, symbol.start_line, symbol.qualified_name
            elif known_place:
                yield (2, path.count("/")), path, symbol.start_line, symbol.qualified_name


def _scripts(structure: Structure, ordinary: Collection[str]) -> Iterator[_Entry]:
    for path in ordinary:
        if _stem(path) in SCRIPTS:
            yield (1, path.count("/")), path, 0, ""


def _packages(structure: Structure, ordinary: Collection[str]) -> Iterator[_Entry]:
    """The outermost file of each package that says what it offers."""
    found = [path for path in ordinary if _stem(path) in LIBRARY_STEMS and path.count("/") <= LIBRARY_DEPTH]
    folders = {path.rpartition("/")[0] for path in found}
    for path in found:
        folder = path.rpartition("/")[0]
        inside = any(folder.startswith(f"{other}/") for other in folders if other != folder)
        if not inside:
            yield (0, path.count("/")), path, 0, ""


def _symbol(structure: Structure, path: str, line: int, name: str) -> Symbol:
    """The definition of an entry, or a stand-in for its file."""
    for symbol in structure.symbols_of(path) if line else ():
        if symbol.start_line == line and symbol.qualified_name == name:
            return symbol
    record = structure.snapshot.records().get(path)
    return Symbol(path.rpartition("/")[2], path, "file", 1, record.lines if record else 1)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
