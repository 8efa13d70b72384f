"""Python calls by jedi, which infers the types of a whole project."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.structure.site import SEED, Place, Site, ToolMissing

_DEFINITIONS = frozenset({"function", "class"})
_Position = tuple[str, int, int, str]


def sites(root: Path, count: int) -> list[Site]:
    """Calls that jedi can tell, of `count` drawn at random (all for 0)."""
    try:
        import jedi
    except ImportError as error:
        raise ToolMissing("the truth of Python is made by jedi: pip install jedi") from error
    positions = list(_positions(root))
    random.Random(SEED).shuffle(positions)
    project = jedi.Project(str(root), added_sys_path=[str(root)])
    found = [_site(jedi, project, root, position) for position in positions[: count or None]]
    return [one for one in found if one is not None]


def _positions(root: Path) -> Iterator[_Position]:
    for path in sorted(root.rglob("*.py")):
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            called, relative = node.func, path.relative_to(root).as_posix()
            if isinstance(called, ast.Name):
                yield relative, called.lineno, called.col_offset, called.id
            elif isinstance(called, ast.Attribute):
                line, column = called.end_lineno or 0, called.end_col_offset or 0
                yield relative, line, column - len(called.attr), called.attr


def _site(jedi: Any, project: Any, root: Path, position: _Position) -> Site | None:
    path, line, column, name = position
    try:
        told = jedi.Script(path=root / path, project=project).goto(line, column, follow_imports=True)
    except Exception:  # jedi fails in many ways on code it cannot follow: it tells nothing of this call
        return None
    targets = tuple(
        Place(Path(one.module_path).relative_to(root).as_posix(), one.line, one.name)
        for one in told
        if one.type in _DEFINITIONS and _is_inside(one, root)
    )
    if not targets and not (told and all(one.type in _DEFINITIONS and not _is_inside(one, root) for one in told)):
        return None
    return Site(path, line, name, targets)


def _is_inside(one: Any, root: Path) -> bool:
    return one.module_path is not None and Path(one.module_path).is_relative_to(root)
