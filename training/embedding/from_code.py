"""Pairs from one parsed file: documentation, names, error messages."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from fourfold.evaluate.labels.python_docs import python_items
from fourfold.model.parsed import ParsedFile
from fourfold.model.symbol import Symbol
from fourfold.model.text import parts
from training.embedding.pair import Pair
from training.embedding.prose import WORD, sentences

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


def pairs_of(package: str, path: str, text: str, parsed: ParsedFile, rng: random.Random) -> Iterator[Pair]:
    """All pairs of one file. The same file and state of `rng` give the same pairs."""
    lines = text.split("\n")
    docs = _python_docs(path, text) if parsed.language == "python" else {}
    for symbol in parsed.symbols:
        doc, gone = docs.get(symbol.name + f":{symbol.start_line}", (symbol.doc, range(0)))
        body = _body(lines, symbol, gone, rng)
        if len(WORD.findall(body)) < MIN_WORDS_OF_BODY:
            continue
        yield from _of_symbol(package, path, parsed.language, symbol, doc, body, rng)
    if parsed.doc and parsed.symbols:
        names = " ".join(symbol.qualified_name for symbol in parsed.symbols[:30])
        for question in sentences(parsed.doc)[:1]:
            head = "\n".join(line for line in lines[:60] if parsed.doc[:30] not in line)
            yield Pair(question, f"{names}\n{head}"[:MAX_BODY], path, "", "file", package, parsed.language)


def _of_symbol(
    package: str, path: str, language: str, symbol: Symbol, doc: str, body: str, rng: random.Random
) -> Iterator[Pair]:
    asked = sentences(doc) if doc else []
    for kind, question in zip(("doc", "more"), asked, strict=False):
        yield Pair(question, body, path, symbol.qualified_name, kind, package, language)
    if symbol.kind in _ASKED_KINDS:
        own = list(parts(symbol.name))
        if len(own) >= MIN_NAME_WORDS and body.count("\n") >= 3 and (not asked or rng.random() < NAME_SHARE):
            kind = "test" if own[0] == "test" else "name"
            hidden = body.replace(symbol.name, "_")
            yield Pair(" ".join(own[kind == "test" :]), hidden, path, symbol.parent, kind, package, language)
        yield from _of_errors(package, path, language, symbol, body)


def _of_errors(package: str, path: str, language: str, symbol: Symbol, body: str) -> Iterator[Pair]:
    """At most one: the first message that the function fails with, asked of the function without it."""
    for line in body.split("\n"):
        found = _MESSAGE.search(line) if _FAILS.search(line) else None
        if found is None:
            continue
        message = found.group(1) or found.group(2)
        words = " ".join(re.sub(r"%[-+#0-9.]*\w|\{[^}]*\}|\$\w+|\\\w", " ", message).split())
        if len(WORD.findall(words)) >= 4:
            hidden = body.replace(message, " ")
            yield Pair(words, hidden, path, symbol.qualified_name, "error", package, language)
            return


def _body(lines: list[str], symbol: Symbol, gone: range, rng: random.Random) -> str:
    """The definition without its documentation (sometimes with all but the first paragraph of it)."""
    if len(gone) > 3 and rng.random() < KEEP_REST:
        blank = next((n for n in gone if not lines[n - 1].strip()), None)
        gone = range(gone.start, blank) if blank is not None else gone
    numbers = range(symbol.start_line, symbol.end_line + 1)
    return "\n".join(lines[n - 1] for n in numbers if n not in gone)[:MAX_BODY]


def _python_docs(path: str, text: str) -> dict[str, tuple[str, range]]:
    """Documentation and its lines, by name and first line."""
    found = {}
    for item in python_items(path, text):
        what = item.what
        found[f"{what.name}:{what.start_line}"] = (what.doc, range(what.doc_start, what.doc_end + 1))
    return found
