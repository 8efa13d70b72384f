"""C calls by clang: its syntax tree says which function a call refers to (``libclang``)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.structure.site import Place, Site, ToolMissing, draw
from benchmarks.structure.truth.lines import is_written

_Call = tuple[str, int, str, str]
"""Path, line, name, and what clang calls the function that is meant, the same in every file."""


def sites(root: Path, count: int) -> list[Site]:
    """Direct calls of the C files with their own headers and with the options in ``CFLAGS``. A function that nothing
    below `root` defines is declared in it (its body is written in another language or made by a build) or in a library;
    calls of the former are left out."""
    try:
        from clang import cindex
    except ImportError as error:
        raise ToolMissing("the truth of C is made by clang: pip install libclang") from error
    includes = [f"-I{folder}" for folder in [root, *sorted(root.rglob("include"))] if folder.is_dir()]
    options = ["-w", *os.environ.get("CFLAGS", "").split(), *includes]
    index = cindex.Index.create()
    defined: dict[str, set[Place]] = {}
    declared: set[str] = set()
    calls: set[_Call] = set()
    for file in sorted(root.rglob("*.c")):
        unit = index.parse(str(file), [*options, f"-I{file.parent}"])
        calls.update(_read(cindex, unit.cursor, root, defined, declared))
    unknown = declared - defined.keys()
    found = {
        Site(path, line, name, tuple(sorted(defined.get(meant, ()), key=str)))
        for path, line, name, meant in calls
        if meant not in unknown
    }
    known: dict[str, list[str]] = {}
    return draw([site for site in found if is_written(site, root, known)], count)


def _read(cindex: Any, top: Any, root: Path, defined: dict[str, set[Place]], declared: set[str]) -> Iterator[_Call]:
    """The calls in a file and its headers; takes in the functions that they define and declare."""
    function, call = cindex.CursorKind.FUNCTION_DECL, cindex.CursorKind.CALL_EXPR
    for outer in top.get_children():
        if not _below(outer, root):
            continue
        for cursor in outer.walk_preorder():
            if cursor.kind == function:
                if cursor.is_definition():
                    place = Place(_below(cursor, root), cursor.location.line, cursor.spelling)
                    defined.setdefault(cursor.get_usr(), set()).add(place)
                else:
                    declared.add(cursor.get_usr())
            elif cursor.kind == call:
                meant, path = cursor.referenced, _below(cursor, root)
                if meant is not None and meant.kind == function and path:
                    yield path, cursor.location.line, meant.spelling, meant.get_usr()


def _below(cursor: Any, root: Path) -> str:
    """The path of what a cursor stands in, "" outside of `root`."""
    file = cursor.location.file
    path = Path(os.path.normpath(file.name)) if file is not None else root.parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
