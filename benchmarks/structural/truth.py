"""What a precise tool says of a definition: who calls it, what extends it, what a change of it reaches."""

from __future__ import annotations

import ast
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.structure.site import Place, Site, ToolMissing
from benchmarks.structure.truth import lines, sites
from benchmarks.written import Expected
from fourfold.model.symbol import Symbol
from fourfold.rank.paths import categories
from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file

_HERITAGE = Path(__file__).parent / "heritage.js"
_HOLDERS = frozenset({"function", "method", "class", "constructor", "getter", "setter", "property"})


@dataclass(frozen=True, slots=True)
class Extension:
    """A class and one that it extends, as the tool resolves it."""

    child: Place
    base: Place


class Truth:
    """The calls and classes of one corpus. `folder` is the part of it that the tool reads ("" for all); paths are
    relative to the whole."""

    def __init__(self, root: Path, tool: str, folder: str = "") -> None:
        self._root = root
        self._tool = tool
        self._folder = folder
        self._sites: list[Site] | None = None
        self._extensions: list[Extension] | None = None
        self._symbols: dict[str, Sequence[Symbol]] = {}

    def symbol(self, path: str, name: str) -> Expected:
        """The lines of a definition by its qualified name. Raises ValueError where there is none."""
        for one in self._symbols_of(path):
            if one.qualified_name == name and one.kind in _HOLDERS:
                return Expected(path, one.start_line, one.end_line, name)
        raise ValueError(f"{path} defines no {name}")

    def callers(self, called: Expected) -> list[Expected]:
        """The definitions that call one, in order of path and line; calls of itself and of tests do not count."""
        found: dict[tuple[str, int | None], Expected] = {}
        for site in self._all_sites():
            if any(_is_in(target, called) for target in site.targets) and not _is_test(site.path):
                holder = self._holder(site.path, site.line)
                if holder != called:
                    found[holder.path, holder.start_line] = holder
        return [found[key] for key in sorted(found, key=str)]

    def subclasses(self, base: Expected) -> list[Expected]:
        """The classes that extend one, directly or not; tests do not count."""
        found: dict[Place, None] = {}
        wanted = [one.child for one in self._all_extensions() if _is_in(one.base, base)]
        while wanted:
            child = wanted.pop()
            if child not in found and not _is_test(child.path):
                found[child] = None
                wanted += [one.child for one in self._all_extensions() if one.base == child]
        places = [self._holder(one.path, one.line, frozenset({"class"})) for one in found]
        return sorted(places, key=lambda one: (one.path, one.start_line or 0))

    def _holder(self, path: str, line: int, kinds: frozenset[str] = _HOLDERS) -> Expected:
        """The innermost definition around a line, else the line itself."""
        around = [one for one in self._symbols_of(path) if one.start_line <= line <= one.end_line]
        named = [one for one in around if one.kind in kinds]
        if not named:
            return Expected(path, line, line)
        one = max(named, key=lambda one: (one.start_line, -one.end_line))
        return Expected(path, one.start_line, one.end_line, one.qualified_name)

    def _symbols_of(self, path: str) -> Sequence[Symbol]:
        if path not in self._symbols:
            text = (self._root / path).read_bytes().decode("utf-8", "replace")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
            self._symbols[path] = parse_file(path, text, language_of(Path(path).name, text[:500])).symbols
        return self._symbols[path]

    def _all_sites(self) -> list[Site]:
        if self._sites is None:
            part = self._root / self._folder
            self._sites = [_moved(one, self._folder) for one in sites(self._tool, part.resolve(), 0)]
        return self._sites

    def _all_extensions(self) -> list[Extension]:
        if self._extensions is None:
            part = (self._root / self._folder).resolve()
            found = _python_classes(part) if self._tool == "jedi" else _typed_classes(part)
            self._extensions = [
                Extension(_place(one.child, self._folder), _place(one.base, self._folder)) for one in found
            ]
        return self._extensions


def _is_in(place: Place, symbol: Expected) -> bool:
    inside = (symbol.start_line or 0) <= place.line <= (symbol.end_line or 0)
    return inside and place.path == symbol.path and place.name == symbol.symbol.rpartition(".")[2]


def _is_test(path: str) -> bool:
    return "test" in categories(path)


def _moved(site: Site, folder: str) -> Site:
    targets = tuple(_place(one, folder) for one in site.targets)
    return Site(_below(folder, site.path), site.line, site.name, targets)


def _place(place: Place, folder: str) -> Place:
    return Place(_below(folder, place.path), place.line, place.name)


def _below(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path


def _python_classes(root: Path) -> Iterator[Extension]:
    """Classes and their bases by jedi."""
    try:
        jedi: Any = import_module("jedi")
    except ImportError as error:
        raise ToolMissing("the truth of Python is made by jedi: pip install jedi") from error
    project = jedi.Project(str(root), added_sys_path=[str(root)])
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root).as_posix()
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        found = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.bases]
        if not found or _is_test(relative):
            continue
        script = jedi.Script(path=path, project=project)
        for node in found:
            for base in node.bases:
                for place in _bases(script, base, root):
                    yield Extension(Place(relative, node.lineno, node.name), place)


def _bases(script: Any, base: ast.expr, root: Path) -> Iterator[Place]:
    base = base.value if isinstance(base, ast.Subscript) else base
    if not isinstance(base, ast.Name | ast.Attribute):
        return
    line, column = base.end_lineno or 0, (base.end_col_offset or 1) - 1
    try:
        told = script.goto(line, column, follow_imports=True)
    except Exception:  # jedi fails in many ways on code it cannot follow: it tells nothing of this class
        return
    for one in told:
        if one.type == "class" and one.module_path is not None and Path(one.module_path).is_relative_to(root):
            yield Place(Path(one.module_path).relative_to(root).as_posix(), one.line, one.name)


def _typed_classes(root: Path) -> Iterator[Extension]:
    """Classes and what they extend by the TypeScript compiler."""
    node = shutil.which("node")
    if node is None:
        raise ToolMissing("the truth of TypeScript is made by its compiler: install node and typescript (see calls.js)")
    environment = os.environ | {"NODE_OPTIONS": "--max-old-space-size=4000"}
    for line in lines.run([node, str(_HERITAGE), str(root)], environment).split("\n"):
        record = json.loads(line) if line.startswith("{") else {"bases": []}
        for path, number, name in record["bases"]:
            if Path(path).is_relative_to(root):
                child = Place(Path(record["path"]).relative_to(root).as_posix(), record["line"], record["name"])
                yield Extension(child, Place(Path(path).relative_to(root).as_posix(), number, name))
