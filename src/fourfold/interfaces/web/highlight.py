"""Code as coloured lines: tokens of Pygments under a few classes of ours, matched words marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MAX_CHARS = 400_000
"""Longer texts are shown without colours: reading them as tokens takes longer than a person waits."""

_LEXERS = {"bash": "bash", "c_sharp": "csharp", "csharp": "csharp", "tsx": "tsx", "jsx": "jsx", "vue": "html"}
_CLASSES: tuple[tuple[str, str], ...] = (
    ("Token.Comment", "c"),
    ("Token.Literal.String.Doc", "c"),
    ("Token.Literal.String", "s"),
    ("Token.Literal.Number", "m"),
    ("Token.Keyword.Type", "t"),
    ("Token.Keyword", "k"),
    ("Token.Operator.Word", "k"),
    ("Token.Name.Function", "f"),
    ("Token.Name.Class", "t"),
    ("Token.Name.Exception", "t"),
    ("Token.Name.Decorator", "d"),
    ("Token.Name.Tag", "k"),
    ("Token.Name.Attribute", "d"),
    ("Token.Generic.Heading", "k"),
    ("Token.Generic.Subheading", "k"),
)
Tokens = tuple[tuple[str, str], ...]
"""(class, text) of the parts of one line."""


@lru_cache(maxsize=4096)
def tokens(text: str, language: str) -> tuple[Tokens, ...]:
    """The lines of `text` as coloured parts; plain where nothing knows the language."""
    lexer = _lexer(language) if len(text) <= MAX_CHARS else None
    if lexer is None:
        return tuple((("", line),) for line in text.split("\n"))
    lines: list[list[tuple[str, str]]] = [[]]
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        name = _class(kind)
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append((name, part))
    return tuple(tuple(line) for line in lines)


def line_html(parts: Tokens, marks: re.Pattern[str] | None = None) -> Markup:
    """One line as HTML: parts in their colours, what `marks` matches inside ``<mark>``."""
    text = "".join(value for _, value in parts)
    spans = [match.span() for match in marks.finditer(text)] if marks else []
    return Markup("".join(_pieces(parts, spans)))


def _pieces(parts: Tokens, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Escaped parts in their tags. Joined as plain texts: a page has a thousand of them, and Markup that formats
    Markup took a fifth of the time of its cards."""
    pieces, at = [], 0
    for name, value in parts:
        cuts = [0, len(value)]
        if spans:
            cuts = sorted({*cuts, *(max(0, min(len(value), edge - at)) for span in spans for edge in span)})
        for start, end in pairwise(cuts):
            piece = str(escape(value[start:end]))
            if any(first <= at + start < last for first, last in spans):
                piece = f"<mark>{piece}</mark>"
            pieces.append(f'<span class="{name}">{piece}</span>' if name else piece)
        at += len(value)
    return pieces


@lru_cache(maxsize=256)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language or language == "text":
        return None
    try:
        found: Lexer = get_lexer_by_name(_LEXERS.get(language, language))
    except ClassNotFound:
        return None
    return found


@lru_cache(maxsize=1024)
def _class(kind: Any) -> str:
    name = str(kind)
    return next((short for start, short in _CLASSES if name.startswith(start)), "")
