"""Pairs from one file: documentation, names, error messages."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator

from training.embedding.outline import MAX_LINES, Outline, outline
from training.embedding.pair import Pair
from training.embedding.prose import WORD, sentences

from fourfold.model.text import parts

MAX_BODY = 2200
"""Characters of a body that are kept: beyond it a definition is several chunks."""
MIN_WORDS_OF_BODY = 6
MIN_NAME_WORDS = 3
"""Words of a name that says what its function does."""
NAME_SHARE = 0.25
"""Share of documented functions that are also asked for by the words of their name."""
KEEP_REST = 0.4
"""Share of the bodies of Python that keep the documentation but for its first paragraph: an index has it too."""

_FAILS = re.compile(r"\b(raise|throw|panic|error|errorf|fail|fatal|warn|abort|Err|bail|die|assert)\w*", re.I)
_MESSAGE = re.compile(r"\"((?:[^\"\\\n]|\\.){20,160})\"|'((?:[^'\\\n]|\\.){20,160})'")
_ASKED_KINDS = frozenset({"function", "method", "macro", "constructor"})


Found = list[tuple[Outline, range]]
"""Definitions with the lines of their documentation where it stands inside them."""


def definitions(text: str, language: str) -> Found:
    """The definitions of a file."""
    return list(_python(text)) if language == "python" else [(one, range(0)) for one in outline(text, language)]


def pairs_of(package: str, path: str, language: str, text: str, found: Found, rng: random.Random) -> Iterator[Pair]:
    """All pairs of one file. The same file and state of `rng` give the same pairs."""
    lines = text.split("\n")
    for one, gone in found:
        body = _body(lines, one, gone, rng)
        if len(WORD.findall(body)) >= MIN_WORDS_OF_BODY:
            yield from _of_definition(package, path, language, one, body, rng)


def _of_definition(
    package: str, path: str, language: str, one: Outline, body: str, rng: random.Random
) -> Iterator[Pair]:
    asked = sentences(one.doc) if one.doc else []
    for kind, question in zip(("doc", "more"), asked, strict=False):
        yield Pair(question, body, path, one.qualified, kind, package, language)
    if one.is_function:
        own = list(parts(one.name))
        if len(own) >= MIN_NAME_WORDS and body.count("\n") >= 3 and (not asked or rng.random() < NAME_SHARE):
            kind = "test" if own[0] == "test" else "name"
            hidden = re.sub(rf"\b{re.escape(one.name)}\b", "_", body)
            owner = one.qualified.removesuffix(one.name).rstrip(".")
            yield Pair(" ".join(own[kind == "test" :]), hidden, path, owner, kind, package, language)
        yield from _of_errors(package, path, language, one, body)


def _of_errors(package: str, path: str, language: str, one: Outline, body: str) -> Iterator[Pair]:
    """At most one: the first message that the function fails with, asked of the function without it."""
    for line in body.split("\n"):
        found = _MESSAGE.search(line) if _FAILS.search(line) else None
        if found is None:
            continue
        message = found.group(1) or found.group(2)
        words = " ".join(re.sub(r"%[-+#0-9.]*\w|\{[^}]*\}|\$\w+|\\\w", " ", message).split())
        if len(WORD.findall(words)) >= 4:
            hidden = body.replace(message, " ")
            yield Pair(words, hidden, path, one.qualified, "error", package, language)
            return


def _body(lines: list[str], one: Outline, gone: range, rng: random.Random) -> str:
    """The definition without its documentation (sometimes with all but the first paragraph of it)."""
    if len(gone) > 3 and rng.random() < KEEP_REST:
        blank = next((n for n in gone if not lines[n - 1].strip()), None)
        gone = range(gone.start, blank) if blank is not None else gone
    numbers = range(one.start, one.end + 1)
    return "\n".join(lines[n - 1] for n in numbers if n not in gone)[:MAX_BODY]


def _python(text: str) -> Iterator[tuple[Outline, range]]:
    """The definitions of a Python file with the lines of their docstrings; nothing for one that does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, owner = pending.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                qualified = f"{owner}.{child.name}" if owner else child.name
                pending.append((child, qualified))
                first = child.body[0]
                doc = ast.get_docstring(child) or ""
                gone = range(first.lineno, (first.end_lineno or first.lineno) + 1) if doc else range(0)
                is_function = not isinstance(child, ast.ClassDef)
                short = ".".join(qualified.split(".")[-2:])
                end = min(child.end_lineno or child.lineno, child.lineno + MAX_LINES + len(gone))
                yield Outline(child.name, short, is_function, child.lineno, end, doc), gone
            elif isinstance(child, (ast.If, ast.Try, ast.With)):
                pending.append((child, owner))
