"""Looking up symbols by name: as written, in another case, by the end of the qualified name, by part, misspelt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.retrieve.names import CASE, EXACT, FUZZY, QUALIFIED, NameIndex

if TYPE_CHECKING:
    from fourfold.store.contract import SymbolRow
    from fourfold.store.local.snapshot import LocalSnapshot

EXACT_LIMIT = 500
"""Definitions of one name that are looked at; a name with more is no name to look up."""


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    """A symbol and how its name meets the one asked for (see :mod:`fourfold.retrieve.names`)."""

    row: SymbolRow
    match: str


def normalised(name: str) -> str:
    """A name with dots between its parts, whatever language it was written in: ``Foo::bar``, ``Foo#bar``, ``$x->y``."""
    for mark in ("::", "->", "#", "\\", "?."):
        name = name.replace(mark, ".")
    return name.strip().strip("`'\"").removesuffix("()").strip(".$@&*")


def find_symbols(
    snapshot: LocalSnapshot, names: Callable[[], NameIndex], asked: str, *, exact: bool, limit: int
) -> list[FoundSymbol]:
    """Symbols that `asked` names, best match first, each once; with `exact` only those of that very name (any case
    where none has the case asked for). `names` gives all names: asked where that one
    is not enough."""
    name = normalised(asked)
    if not name:
        return []
    if exact:
        return definitions_of(snapshot, name, limit)
    _, dot, bare = name.rpartition(".")
    found = _named(snapshot, bare, name)
    if len(found) < limit and not dot:
        for other, how in names().like(name, limit - len(found)):
            rows = snapshot.symbols_named(other, limit=limit)
            found += [FoundSymbol(row, how) for row in rows if row.symbol.name == other]
            if len(found) >= limit:
                break
    elif not found:
        for other in names().misspelt(bare, limit):
            found += [FoundSymbol(row, FUZZY) for row in snapshot.symbols_named(other, limit=limit)]
    return list(_once(found))[:limit]


def definitions_of(snapshot: LocalSnapshot, asked: str, limit: int) -> list[FoundSymbol]:
    """Symbols of that very name, qualified by what encloses them or by their module; of any case where none has the one
    asked for."""
    name = normalised(asked)
    found = _named(snapshot, name.rpartition(".")[2], name)
    best = [one for one in found if one.match in (EXACT, QUALIFIED)]
    return (best or found)[:limit]


def _named(snapshot: LocalSnapshot, bare: str, qualified: str) -> list[FoundSymbol]:
    """Symbols of a bare name whose qualified name ends as asked; one in another case, of the name or of what stands
    before it (a module), only says so."""
    tail = "." + qualified
    found: list[FoundSymbol] = []
    for row in snapshot.symbols_named(bare, ignore_case=True, limit=EXACT_LIMIT):
        own = row.symbol.qualified_name
        whole = "." + normalised(own)
        packaged = f".{file_module(row.path)}{whole}"
        if qualified in (own, row.symbol.name):
            match = EXACT
        elif whole.endswith(tail) or packaged.endswith(tail):
            match = QUALIFIED
        elif packaged.casefold().endswith(tail.casefold()):
            match = CASE
        else:
            continue
        found.append(FoundSymbol(row, match))
    order = {EXACT: 0, QUALIFIED: 1, CASE: 2}
    found.sort(key=lambda one: order[one.match])
    return found


def file_module(path: str) -> str:
    """A path as a dotted module name: ``src/pkg/mod.py`` is asked for as ``pkg.mod``."""
    return path.rpartition(".")[0].removesuffix("/__init__").removesuffix("/index").replace("/", ".") or path


def _once(found: Iterable[FoundSymbol]) -> Iterable[FoundSymbol]:
    seen = set()
    for one in found:
        key = (one.row.path, one.row.symbol.start_line, one.row.symbol.qualified_name)
        if key not in seen:
            seen.add(key)
            yield one
