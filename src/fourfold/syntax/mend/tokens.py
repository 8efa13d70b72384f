"""Rows of code with their brackets, read without a grammar: comments and texts in quotes are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

_HASH = frozenset({"python", "ruby", "php", "bash", "elixir"})
_DASHES = frozenset({"lua", "haskell", "sql"})
_TEXT_IN_SINGLE_QUOTES = frozenset(
    {"python", "javascript", "typescript", "ruby", "php", "lua", "dart", "bash", "elixir", "sql"}
)
_REGEX_LITERALS = frozenset({"javascript", "typescript"})
_BACKTICKS = frozenset({"javascript", "typescript", "go", "kotlin", "swift", "scala"})
_TEXT = r'"(?:\\.|[^"\\\n])*(?P<open>"?)'


@dataclass(slots=True)
class Row:
    """One line that holds code. `indent` is its width in characters, `first` and `end` are where its code begins and
    ends, `brackets` are places of brackets, `quote` is the place of a text that the line does not end."""

    number: int
    indent: int
    first: int
    end: int
    brackets: list[int] = field(default_factory=list)
    quote: int = -1


def rows_of(text: str, language: str) -> Iterator[Row]:
    """The rows of `text` that hold code. A row that begins inside of a text or a comment is part of the one where that
    begins."""
    row: Row | None = None
    number, start = 0, 0
    for found in _tokens(language).finditer(text):
        kind, first, end = found.lastgroup, found.start(), found.end()
        if kind == "newline":
            number, start = number + 1, end
            if row is not None:
                yield row
                row = None
            continue
        if kind == "comment":
            if "\n" in found.group():
                number, start = number + text.count("\n", first, end), text.rfind("\n", first, end) + 1
            continue
        if row is None:
            row = Row(number, first - start, first, end)
        row.end = end
        if kind == "bracket":
            row.brackets.append(first)
        elif kind == "open" and not found["open"]:
            row.quote = first
        if "\n" in found.group():
            number, start = number + text.count("\n", first, end), text.rfind("\n", first, end) + 1
    if row is not None:
        yield row


@cache
def _tokens(language: str) -> re.Pattern[str]:
    """What a row is made of. The group ``open`` holds the closing quote of a text that may lack it.

    What spans lines and is not closed goes on to the end: looking for its end again and again would cost the length of
    the text squared.
    """
    comments = [r"(?<![\w${\"])#[^\n]*"] if language in _HASH else []
    if language in _DASHES:
        comments += [r"--\[(?P<level>=*)\[[\s\S]*?(?:\](?P=level)\]|\Z)", r"--[^\n]*", r"\{-[\s\S]*?(?:-\}|\Z)"]
    elif language not in _HASH or language == "php":
        comments += [r"//[^\n]*", r"/\*[\s\S]*?(?:\*/|\Z)"]
    texts = [r'"""[\s\S]*?(?:"""|\Z)', r"'''[\s\S]*?(?:'''|\Z)"]
    if language == "rust":
        texts.append(r'\br(?P<raw>#+)"[\s\S]*?(?:"(?P=raw)|\Z)')
    elif language == "cpp":
        texts.append(r'\bR"(?P<raw>\w*)\([\s\S]*?(?:\)(?P=raw)"|\Z)')
    elif language == "csharp":
        texts.append(r'@\$?"(?:[^"]|"")*(?:"|\Z)')
    if language in _BACKTICKS:
        texts.append(r"`(?:\\.|[^`\\])*`")
    is_text = language in _TEXT_IN_SINGLE_QUOTES
    texts.append(r"'(?:\\.|[^'\\\n])*'" if is_text else r"'(?:\\[^\n][^'\n]{0,8}|[^'\\\n])'")
    if language in _REGEX_LITERALS:
        texts.append(r"(?<=[=(,:\[!&|?;{}])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/")
    parts = [
        rf"(?P<comment>{'|'.join(comments)})",
        rf"(?P<text>{'|'.join(texts)})",
        _TEXT,
        r"(?P<newline>\n)",
        r"(?P<bracket>[()\[\]{}])",
        r"(?P<word>[^\s\"'`()\[\]{}/#-]+|[^\s])",
    ]
    return re.compile("|".join(parts))
