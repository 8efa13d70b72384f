"""The first line of a file's own documentation."""

from __future__ import annotations

import re

from fourfold.syntax.languages.record import Language
from fourfold.syntax.pages import Page

MAX_DOC_CHARS = 200
"""A doc line is cut here."""

_SCAN_ROWS = 80
_LICENCE_LINES = 5
"""A comment block whose first lines speak of a licence is one."""

_RULERS = " \t-=*~#/•"
_SKIPPED = ("#!/", "#! ", "{-#")
_DOC_STARTS = ("/**", "///", "//!", "-- |", '"""')
_MARKS = re.compile(r"^(?:///?!?|/\*+!?|\*+/?|#+!?|--+\s*\|?|;+|<!--|\{-\s*\|?|%+|'''|\"\"\"|\(\*+|@moduledoc)\s*")
_END_MARKS = re.compile(r"\s*(?:\*+/|-->|-\}|'''|\"\"\"|\*\))\s*$")
_NOISE = re.compile(
    r"copyright|\(c\)|licen[sc]e|spdx-|all rights reserved|-\*-|\bcoding[:=]|vim?:|eslint|pylint|flake8|noqa"
    r"|@(?:flow|ts-|jest|author|file\b|package|format|generated)|clang-format|shellcheck|rubocop|warranty"
    r"|frozen_string_literal|redistribut|permission is hereby|authors?:"
    r"|this (?:program|file|software|library) is"
    r"|#!|build constraint|\+build|^use strict|encoding:|^type: ignore|^mypy:|^ruff:|^region|^pragma",
    re.IGNORECASE,
)
_PREAMBLE = (
    "<?php",
    "'use strict'",
    '"use strict"',
    "package ",
    "import ",
    "using ",
    "use ",
    "namespace ",
    "#include",
)
"""What may stand before the comment that tells what a file is for."""

_LICENCE_START = re.compile(r"copyright|licen[sc]e|spdx-|all rights reserved|permission is hereby", re.IGNORECASE)


def file_doc(page: Page, language: Language, docstring: str) -> str:
    """The first telling line of `docstring` or, without one, of the comment that opens the file; "" where
    none.

    Shebangs, encoding and editor lines, and whole comment blocks that are licences are passed over. A doc
    comment after the imports counts where nothing else stands in between: it tells what the first definition
    is for.
    """
    if docstring:
        quoted = docstring.strip().lstrip("rRbBuUfF~sS").strip("\"'` \n")
        return _telling_line(quoted.split("\n"))
    if not language.comments:
        return ""
    for block in _leading_blocks(page, language):
        if not any(_LICENCE_START.search(line) for line in block[:_LICENCE_LINES]):
            line = _telling_line(block)
            if line:
                return line
    return ""


def _telling_line(lines: list[str]) -> str:
    for line in lines:
        text = line.strip(_RULERS)
        if any(char.isalpha() for char in text) and not _NOISE.search(line):
            return text[:MAX_DOC_CHARS]
    return ""


def _leading_blocks(page: Page, language: Language) -> list[list[str]]:
    """Comment blocks before the first code, each as lines without comment marks."""
    prefixes = tuple(prefix for prefix in language.comments if not prefix[0].isalpha() and prefix not in "@[")
    blocks: list[list[str]] = [[]]
    inside = ""
    after_imports = False
    for line in page.lines[:_SCAN_ROWS]:
        text = line.strip()
        if text.startswith(_SKIPPED):
            continue
        if inside or (text and text.startswith(_DOC_STARTS if after_imports and not blocks[-1] else prefixes)):
            blocks[-1].append(_END_MARKS.sub("", _MARKS.sub("", text)).strip())
            was_inside, inside = inside, _still_inside(text, inside)
            if was_inside and not inside:
                blocks.append([])  # a block comment has ended: what follows is another
            continue
        if blocks[-1]:
            blocks.append([])
        if text.startswith(_PREAMBLE):
            after_imports = after_imports or not text.startswith(("<?php", "'use", '"use'))
        elif text:
            break
    return [block for block in blocks if any(block)]


def _still_inside(text: str, inside: str) -> str:
    """The end mark of the block comment that is open after `text`, "" where none is."""
    if inside:
        return "" if inside in text else inside
    for start, end in (("/*", "*/"), ("{-", "-}"), ("<!--", "-->"), ("(*", "*)")):
        if text.startswith(start):
            return "" if end in text[len(start) :] else end
    return ""
