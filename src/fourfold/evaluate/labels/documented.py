"""A function with its documentation, and how a language's functions are found."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from fourfold.evaluate.labels.hidden import emptied

MIN_BODY_LINES = 3
"""A function of fewer lines (documentation not counted) is a forward to another one, or a declaration."""


@dataclass(frozen=True, slots=True)
class Documented:
    """A documented function. All lines count from 1, both ends included; the documentation is whole lines.

    `start_line` to `end_line` is the definition, decorators included; `doc_start` to `doc_end` is the
    documentation, inside (docstring) or above (comment).
    """

    path: str
    name: str
    start_line: int
    end_line: int
    doc_start: int
    doc_end: int
    doc: str


def blanked(text: str, functions: list[Documented]) -> str:
    """The text with the documentation of `functions` made empty lines, so that no line moves."""
    return emptied(text, {n for one in functions for n in range(one.doc_start, one.doc_end + 1)})


def python_functions(path: str, text: str) -> Iterator[Documented]:
    """Documented functions and methods of a Python module; nothing for a module that does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found = _documented(path, text, node)
            if found:
                yield found


def _documented(path: str, text: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Documented | None:
    doc = ast.get_docstring(node)
    if not doc or len(node.body) < 2:
        return None
    first = node.body[0]
    doc_start, doc_end = first.lineno, first.end_lineno or first.lineno
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    end = node.end_lineno or node.lineno
    lines = text.split("\n")
    alone = lines[doc_start - 1].lstrip().startswith(('"', "'", "r", "R", "u")) and node.body[1].lineno > doc_end
    long_enough = (end - start + 1) - (doc_end - doc_start + 1) >= MIN_BODY_LINES
    if not alone or not long_enough:
        return None
    return Documented(path, node.name, start, end, doc_start, doc_end, doc)
