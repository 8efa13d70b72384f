"""The house has stairs that only go down: imports point to lower layers, never up, never in circles."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import fourfold

SOURCE = Path(fourfold.__file__).parent
LAYERS = (
    "__main__",
    "interfaces",
    "evaluate",
    "engine",
    "answer",
    "pipeline",
    "llm",
    "rank",
    "retrieve",
    "index",
    "store",
    "graph",
    "embed",
    "syntax",
    "source",
    "net",
    "config",
    "model",
)
"""From the top down."""

RETRIEVERS = frozenset({"semantic", "text", "structural", "graph", "history"})
"""Modules of ``retrieve`` that each find code their own way and know nothing of each other."""

OUTSIDE_WORLD = frozenset({"os", "io", "pathlib", "shutil", "sqlite3", "socket", "subprocess", "time", "urllib"})
"""What the pure layer ``rank`` must not touch."""


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = ("fourfold", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports_of(name: str, *, at_start_only: bool = False) -> Iterator[tuple[str, int]]:
    """(module, line) for each import; `at_start_only` leaves out those that run later or never."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    for node in _at_start(tree) if at_start_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(name, node)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield (inner if inner in MODULES else base), node.lineno


def _at_start(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes that run when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        yield from _at_start(node)


def _absolute(name: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = name.split(".") if MODULES[name].name == "__init__.py" else name.split(".")[:-1]
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def layer_of(name: str) -> str | None:
    """The layer of a module of the package; None for the package itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else None


def test_every_module_belongs_to_a_layer() -> None:
    unknown = {layer_of(name) for name in MODULES} - {None, *LAYERS}
    assert not unknown, f"name their place in LAYERS: {unknown}"
    assert len(MODULES) > 20


def test_imports_point_down() -> None:
    wrong = []
    for name in MODULES:
        mine = layer_of(name)
        if mine is None:
            continue
        for imported, line in imports_of(name):
            other = layer_of(imported) if imported.split(".")[0] == "fourfold" else None
            if other is not None and LAYERS.index(other) < LAYERS.index(mine):
                wrong.append(f"{name}:{line} imports {imported}")
    assert not wrong


def test_retrievers_do_not_know_each_other() -> None:
    wrong = []
    for name in MODULES:
        parts = name.split(".")
        if parts[1:2] != ["retrieve"] or len(parts) < 3 or parts[2] not in RETRIEVERS:
            continue
        for imported, line in imports_of(name):
            other = imported.split(".")
            if other[:2] == ["fourfold", "retrieve"] and len(other) > 2 and other[2] in RETRIEVERS - {parts[2]}:
                wrong.append(f"{name}:{line} imports {imported}")
    assert not wrong


def test_the_model_needs_the_standard_library_only() -> None:
    wrong = []
    for name in MODULES:
        if layer_of(name) != "model":
            continue
        for imported, line in imports_of(name):
            top = imported.split(".")[0]
            if top != "fourfold" and top not in sys.stdlib_module_names:
                wrong.append(f"{name}:{line} imports {imported}")
    assert not wrong


def test_rank_is_pure() -> None:
    wrong = [
        f"{name}:{line} imports {imported}"
        for name in MODULES
        if layer_of(name) == "rank"
        for imported, line in imports_of(name)
        if imported.split(".")[0] in OUTSIDE_WORLD
    ]
    assert not wrong


def test_interfaces_hold_no_sql() -> None:
    wrong = [
        f"{name}:{line}"
        for name in MODULES
        if layer_of(name) == "interfaces"
        for imported, line in imports_of(name)
        if imported.split(".")[0] == "sqlite3"
    ]
    assert not wrong


def test_there_are_no_circles() -> None:
    graph = {name: {other for other, _ in imports_of(name, at_start_only=True) if other in MODULES} for name in MODULES}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail[trail.index(name) :], name))
        if name not in done:
            for other in sorted(graph[name] - {name}):
                visit(other, (*trail, name))
            done.add(name)

    for name in MODULES:
        visit(name, ())


@pytest.mark.parametrize("heavy", [("numpy", "tree_sitter", "re2", "Stemmer", "pathspec", "click", "sqlite3")])
def test_importing_the_package_loads_nothing_heavy(heavy: tuple[str, ...]) -> None:
    code = f"import sys, fourfold; print([name for name in {heavy!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_the_checks_see_what_they_look_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("from .. import engine\nfrom fourfold.engine import Index\ndef f():\n    import sqlite3\n")
    monkeypatch.setitem(MODULES, "fourfold.model.bad", bad)
    assert [name for name, _ in imports_of("fourfold.model.bad")] == [
        "fourfold.engine",
        "fourfold.engine",
        "sqlite3",
    ]
    with pytest.raises(AssertionError):
        test_imports_point_down()
