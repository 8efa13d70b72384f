"""Lines that look like the head of a definition."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MODIFIERS = (
    "public|private|protected|internal|static|final|abstract|async|export|default|declare|open|override|sealed|data|"
    "inline|suspend|operator|unsafe|extern|pub(?:\\([^)]*\\))?|local|const|partial|readonly|virtual|implicit|lazy|case|"
    "fileprivate|mutating|required|convenience|tailrec|infix|inner|annotation|companion|native|synchronized"
)
_TYPES = "class|interface|enum|struct|record|trait|impl|mod|module|defmodule|protocol|extension|object|namespace|union"
_WORDS = f"{_TYPES}|def|defp|defmacro|defmacrop|fn|fun|func|function|type|macro_rules!|test|typedef|data|newtype"
_NO_TYPES = (
    "if|for|while|switch|catch|return|else|do|match|when|with|foreach|using|lock|until|unless|elsif|elif|case|await|"
    "throw|yield|new|go|defer|raise|assert|delete|in|not|and|or|import|from|package|use|require|goto|echo|print|puts"
)

_HEAD = re.compile(
    rf"(?:(?:{_MODIFIERS})\s+)*(?:(?:{_WORDS})\b[^=;]*[\w({{]"
    rf"|(?!(?:{_NO_TYPES})\b)(?:[\w<>\[\],.?*&:]+\s+)*[\w~$:]+\s*\([^;=]*\)[^;=]*\{{$"
    rf"|(?!(?:{_NO_TYPES})\b)(?:[\w<>\[\],.?*&:]+\s+)+[\w~$:]+(?:<[\w, ]*>)?\s*\([^;]*\)$)"
)
MAX_CHARS = 300
"""Longer lines are no heads."""

_TYPE_HEAD = re.compile(rf"\b({_TYPES})\s+([A-Za-z_]\w*)")
_CAPITALISED = re.compile(r"\b[A-Z]\w+")


_SURE = re.compile(
    rf"^[ \t]*(?:(?:{_MODIFIERS})[ \t]+)*(?:(?:{_TYPES})[ \t]+[\w.:]+[ \t]*(?:[{{(:<]|$|\b(?:extends|implements|for)\b)"
    r"|(?:def|defp|defmacro|fn|fun|func|function|macro_rules!)[ \t]+[^=;\n]*[\w({])"
    rf"|^[ \t]*(?!(?:{_NO_TYPES})\b)(?:[\w<>\[\],.?*&:]{{1,60}}[ \t]+){{1,6}}\w+[ \t]*"
    r"\([^;=\n]{0,200}\)[^;=\n]{0,60}\{?$",
    re.MULTILINE,
)


def heads_of(text: str) -> Iterator[int]:
    """The numbers of the rows that hardly anything but a definition looks like."""
    row = position = 0
    for found in _SURE.finditer(text):
        row += text.count("\n", position, found.start())
        position = found.start()
        yield row


def is_head(line: str) -> bool:
    """Whether a line, without its indentation and what follows its code, looks like the head of a definition."""
    return len(line) <= MAX_CHARS and _HEAD.match(line) is not None


def plain_head(line: str) -> str:
    """The head of a type without all that may be broken in it: its word, its name, and what opens its body; "" where no
    name can be told."""
    line = line[:MAX_CHARS]
    found = _TYPE_HEAD.search(line)
    if found is not None:
        word, name = found.groups()
    else:
        guess = _CAPITALISED.search(line)
        if guess is None:
            return ""
        word, name = "class", guess.group()
    indent = line[: len(line) - len(line.lstrip())]
    end = line.rstrip()[-1:]
    return f"{indent}{word} {name}{' {' if end == '{' else ':' if end == ':' else ''}"
