"""Where the documentation of a definition stands: comments above it, docstrings in it, a text that opens the file.

What the benchmarks mine is functions in eight languages; here it is functions, types and files in nineteen, found by
the project's own parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.evaluate.labels.documented import MIN_BODY_LINES, Documented
from fourfold.evaluate.labels.elixir_docs import elixir_items
from fourfold.evaluate.labels.item import Item
from fourfold.evaluate.labels.python_docs import python_items
from fourfold.evaluate.labels.styles import HEADS, STYLES, Style
from fourfold.evaluate.labels.tree import Definitions
from fourfold.model.chunk import TYPE_KINDS

SHORT_BODIES = frozenset({"haskell", "scala", "kotlin"})
"""Languages in which a whole function of two lines is common."""
_MAX_HEAD = 60
"""Lines from the top in which a file's own documentation begins."""


_OPENING = re.compile(r"^\s*(?:/\*+!?|///?!?|\{-\s*\|?|--\[\[|-{2,}\s*\|?|#+)\s?")
_INSIDE = re.compile(r"^\s*(?:\*(?!/)|///?!?|-{2,}|#+)?\s?")
_CLOSING = re.compile(r"\s*(?:\*+/|-\}|\]\])\s*$")
_CLOSERS = ("*/", "-}", "]]")


def documented_items(path: str, text: str, parsed: Definitions) -> Iterator[Item]:
    """The file's own documentation and that of its functions and types; nothing for other languages."""
    if parsed.language == "python":
        yield from python_items(path, text)
    elif parsed.language == "elixir":
        yield from elixir_items(path, text, parsed)
    elif parsed.language in STYLES:
        yield from _head(path, text, parsed.language)
        yield from _commented_items(path, text, parsed)


def _commented_items(path: str, text: str, parsed: Definitions) -> Iterator[Item]:
    lines = text.split("\n")
    style = STYLES[parsed.language]
    for kind, name, start, end in _definitions(parsed):
        place = _above(lines, start, style)
        if place is not None and _is_documentation(lines, place[0], start, parsed.language):
            doc = plain(lines[place[0] - 1 : place[1]])
            yield Item(kind, Documented(path, name, start, end, place[0], place[1], doc))


def _definitions(parsed: Definitions) -> Iterator[tuple[str, str, int, int]]:
    """(kind, name, first line, last line) of what is long enough to be asked for."""
    shortest = 2 if parsed.language in SHORT_BODIES else MIN_BODY_LINES
    for symbol in parsed.symbols:
        length = symbol.end_line - symbol.start_line + 1
        if symbol.kind in ("function", "method", "macro") and length >= shortest:
            yield "function", symbol.name, symbol.start_line, symbol.end_line
        elif symbol.kind in TYPE_KINDS and (length >= MIN_BODY_LINES or parsed.language == "haskell"):
            yield "type", symbol.name, symbol.start_line, symbol.end_line


def _is_documentation(lines: list[str], first: int, start: int, language: str) -> bool:
    """A Haskell comment without a bar counts above what stands at the margin, not above a local function."""
    marked = re.match(r"--\s*\||\{-", lines[first - 1].strip()) is not None
    return language != "haskell" or marked or not lines[start - 1][:1].isspace()


def _above(lines: list[str], start: int, style: Style) -> tuple[int, int] | None:
    """(first, last line) of the comment that ends directly above line `start`, attributes between."""
    last = start - 1
    while last >= 1 and re.match(style.attribute, lines[last - 1].strip()):
        last -= 1
    return _comment_ending_at(lines, last, style) if last >= 1 else None


def _comment_ending_at(lines: list[str], last: int, style: Style) -> tuple[int, int] | None:
    stripped = lines[last - 1].strip()
    if stripped.endswith(_CLOSERS):
        first = last
        while first > 1 and not re.match(r"/\*|\{-|--\[\[", lines[first - 1].strip()):
            first -= 1
        return (first, last) if re.match(style.block, lines[first - 1].strip()) else None
    first = last
    while first >= 1 and re.match(style.line, lines[first - 1].strip()):
        first -= 1
    return (first + 1, last) if first < last else None


def _head(path: str, text: str, language: str) -> Iterator[Item]:
    """The first comment of the file that is no licence and is not directly above a definition."""
    style = HEADS.get(language)
    lines = text.split("\n")
    number = 1
    while style is not None and number <= min(_MAX_HEAD, len(lines)):
        stripped = lines[number - 1].strip()
        end = _comment_starting_at(lines, number, style)
        if end is not None:
            doc = plain(lines[number - 1 : end])
            apart = language in ("rust", "zig") or end >= len(lines) or not lines[end].strip()
            apart = apart or (language in ("c", "cpp") and number == 1 and stripped.startswith("/*"))
            apart = apart or lines[end].startswith(("package ", "module ", "import ", "local ", "{-#"))
            if apart and not re.search(r"licen[sc]e|copyright|spdx|eslint|@ts-", doc, re.I):
                yield Item("file", Documented(path, path.rsplit("/", 1)[-1], 1, len(lines), number, end, doc))
                return
            number = end + 1
        elif stripped and not stripped.startswith(("#!", "#", "{-#", "'use strict'", '"use strict"', "package ")):
            return
        else:
            number += 1


def _comment_starting_at(lines: list[str], first: int, style: Style) -> int | None:
    """The last line of the comment that begins at line `first`, None where none does."""
    stripped = lines[first - 1].strip()
    if re.match(style.block, stripped):
        last = first
        while last < len(lines) and not lines[last - 1].rstrip().endswith(_CLOSERS):
            last += 1
        return last
    last = first
    while last <= len(lines) and re.match(style.line, lines[last - 1].strip()):
        last += 1
    return last - 1 if last > first else None


def plain(lines: list[str]) -> str:
    """The text of a comment without its marks."""
    first = _CLOSING.sub("", _OPENING.sub("", lines[0], count=1))
    rest = [_CLOSING.sub("", _INSIDE.sub("", line, count=1)) for line in lines[1:]]
    return "\n".join([first, *rest])
