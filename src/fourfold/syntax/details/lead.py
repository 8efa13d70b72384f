"""What stands before a definition: comments and decorators, taken apart."""

from __future__ import annotations

import re
from typing import NamedTuple

from fourfold.syntax.details.styles import Style

MAX_LEAD_CHARS = 20_000
"""Comments and decorators before one definition are read this far."""

_MAX_MARK_CHARS = 6_000
_MAX_MARKS = 30
_BLANK = re.compile(r"\s*")
_MARK_NAME = re.compile(r"@(?:\w+:)?[\w.]+[ \t]*")
_TOKEN = re.compile(r"\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`]*`|[()\[\]{}]|\n", re.DOTALL)
_NO_MARK = re.compile(r"@(?:interface|import|synthesize|property|implementation|protocol|end|class)\b")


class Lead(NamedTuple):
    """The groups of comments before a definition, each as its lines, and its decorators; all as written."""

    comments: list[list[str]]
    marks: list[str]


def read_lead(text: str, style: Style) -> Lead:
    """Take apart `text`, which begins with the comments and decorators of a definition and goes on into its
    head."""
    groups: list[list[str]] = []
    marks: list[str] = []
    position, joined = 0, False
    end = min(len(text), MAX_LEAD_CHARS)
    while True:
        found = _BLANK.match(text, position)
        position = found.end() if found else position
        if position >= end:
            return Lead(groups, marks)
        block = next((pair for pair in style.blocks if text.startswith(pair[0], position)), None)
        if block:
            stop = text.find(block[1], position + len(block[0]))
            stop = end if stop < 0 else stop + len(block[1])
            groups.append(text[position:stop].split("\n"))
            position, joined = stop, False
        elif style.mark and text.startswith(style.mark, position):
            stop = _mark_end(text, position, style)
            if stop <= position or len(marks) >= _MAX_MARKS:
                return Lead(groups, marks)
            marks.append(text[position:stop])
            position, joined = stop, False
        elif text.startswith(style.lines, position):
            stop = text.find("\n", position)
            stop = end if stop < 0 else stop
            if joined:
                groups[-1].append(text[position:stop])
            else:
                groups.append([text[position:stop]])
            position, joined = stop, True
        else:
            return Lead(groups, marks)


def _mark_end(text: str, start: int, style: Style) -> int:
    """Where the decorator at `start` ends; `start` where it is none."""
    if style.mark != "@":
        return _closing(text, start + len(style.mark) - 1 if style.mark != "[[" else start)
    if style.whole_line:
        return _closing(text, start, to_line_end=True)
    name = _MARK_NAME.match(text, start)
    if name is None or _NO_MARK.match(text, start):
        return start
    stop = name.end()
    return _closing(text, stop) if text[stop : stop + 1] == "(" else start + len(name.group().rstrip())


def _closing(text: str, start: int, *, to_line_end: bool = False) -> int:
    """The position after the bracket that closes the one at `start`; with `to_line_end`, after the first line
    that ends outside brackets."""
    depth = 0
    stop = min(len(text), start + _MAX_MARK_CHARS)
    for found in _TOKEN.finditer(text, start, stop):
        token = found.group()
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth <= 0 and not to_line_end:
                return found.end()
        elif token == "\n" and depth <= 0 and to_line_end:
            return found.start()
    return stop
