"""Docstrings of Python: modules, classes, functions."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from fourfold.evaluate.labels.documented import MIN_BODY_LINES, Documented
from fourfold.evaluate.labels.item import Item


def python_items(path: str, text: str) -> Iterator[Item]:
    """Everything with a docstring on lines of its own; nothing for a module that does not parse."""
    tree = parsed(text)
    if tree is None:
        return
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        doc = ast.get_docstring(node)
        if doc is None or (len(node.body) < 2 and not isinstance(node, ast.Module)):
            continue
        first = node.body[0]
        place = (first.lineno, first.end_lineno or first.lineno)
        if not re.match(r"[rRuU]?['\"]", lines[place[0] - 1].strip()):
            continue
        if isinstance(node, ast.Module):
            name = path.rsplit("/", 1)[-1]
            yield Item("file", Documented(path, name, 1, len(lines), *place, doc))
        else:
            start = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            end = node.end_lineno or node.lineno
            if end - start - (place[1] - place[0]) >= MIN_BODY_LINES:
                kind = "type" if isinstance(node, ast.ClassDef) else "function"
                yield Item(kind, Documented(path, node.name, start, end, *place, doc))


def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a module, None where it does not parse (or is nested too deeply); warnings of the compiler
    about what it reads are nobody's business here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
