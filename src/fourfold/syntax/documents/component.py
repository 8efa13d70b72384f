"""Single-file components (Vue, Svelte): the script blocks as code with true lines, the rest by windows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from fourfold.syntax.pages import Page
from fourfold.syntax.pieces import Piece
from fourfold.syntax.windows import window_runs

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)(?:</script\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_HTML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LANG = re.compile(r"\blang\s*=\s*[\"']?(\w+)", re.IGNORECASE)
_TYPE = re.compile(r"\btype\s*=\s*[\"']?([\w/+.-]+)", re.IGNORECASE)
_SCRIPT_TYPES = frozenset({"module", "text/javascript", "application/javascript", "text/typescript", "text/babel"})
_NOT_NEWLINE = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class Scripts:
    """The script blocks of a component.

    `masked` is the whole text with everything outside the blocks turned into spaces, so that rows and columns
    stay. `language` is ``typescript`` where any block says so, else ``javascript``. `blocks` are the rows
    (from 0, both included) from the opening tag to the closing tag of each block.
    """

    masked: str
    language: str
    blocks: list[tuple[int, int]]


def find_scripts(text: str) -> Scripts:
    """The script blocks of `text`; several (Vue's two, Svelte's module and instance) are read as one
    program."""
    parts: list[str] = []
    blocks: list[tuple[int, int]] = []
    language = "javascript"
    position = 0
    visible = _HTML_COMMENT.sub(_blank, text)
    for found in _SCRIPT.finditer(visible):
        attributes = found.group(1)
        kind = _TYPE.search(attributes)
        if kind and kind.group(1).lower() not in _SCRIPT_TYPES:
            continue
        lang = _LANG.search(attributes)
        if lang and lang.group(1).lower() in ("ts", "tsx", "typescript"):
            language = "typescript"
        start, end = found.span(2)
        parts += [_mask(text[position:start]), text[start:end]]
        blocks.append((text.count("\n", 0, found.start()), text.count("\n", 0, max(found.end() - 1, 0))))
        position = end
    parts.append(_mask(text[position:]))
    return Scripts("".join(parts), language, blocks)


def component_pieces(page: Page, blocks: list[tuple[int, int]], cut: Callable[[int, int], list[Piece]]) -> list[Piece]:
    """Pieces of the whole file in order: each script block, tags included, as `cut(first, last)` cuts it, and
    windows for template and style."""
    pieces: list[Piece] = []
    position = 0
    for first, last in blocks:
        if first < position:
            continue
        pieces += _windows(page, position, first - 1)
        pieces += cut(first, last)
        position = last + 1
    return pieces + _windows(page, position, len(page) - 1)


def _windows(page: Page, first: int, last: int) -> list[Piece]:
    return [Piece(start, end, "block") for start, end in window_runs(page, first, last)]


def _mask(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)


def _blank(found: re.Match[str]) -> str:
    return _mask(found.group())
