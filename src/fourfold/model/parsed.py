"""What the syntax layer says of one file."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.model.chunk import Chunk
from fourfold.model.reference import Facts
from fourfold.model.route import FileRoutes
from fourfold.model.symbol import Symbol


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """One file taken apart.

    `chunks` are in file order, do not overlap, and cover every non-blank line. `imports` are the words (module names,
    path parts, imported names) on the file's import lines. `doc` is the first line of the file's own documentation.
    `has_errors` says that the grammar met broken source. `fallback` is empty, or says why the file was cut by line
    windows although its language has a grammar. `facts` are what a call graph needs; None where no grammar read
    the file. `routes` are the HTTP routes that it declares; None where it declares none.
    """

    language: str
    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...] = ()
    imports: frozenset[str] = frozenset()
    doc: str = ""
    has_errors: bool = False
    fallback: str = ""
    facts: Facts | None = None
    routes: FileRoutes | None = None
