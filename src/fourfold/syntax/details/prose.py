"""The first paragraph of a documentation comment or docstring."""

from __future__ import annotations

import re

from fourfold.model.symbol import MAX_DOC_CHARS

_MARKS = re.compile(r"^\s*(?:/\*+[!<]?|\*+/|\*(?!\*)|//+[!<]?|#+[:!]?|--+\[*\s*\|?\^?|\{-+\s*\|?|=begin|=end)\s?")
_END_MARKS = re.compile(r"\s*(?:\*+/|-\}|\]\]|=end)\s*$")
_RULERS = " \t-=*~#/+<>_"
_LABEL = re.compile(r"^(?:[@\\](?:brief|short|desc|description|summary|class|function|method|details)\b:?|MARK:)\s*")
_TAG = re.compile(r"^(?:[@\\:][a-zA-Z]\w*\b|:\w+ \w+:|[-*] (?:Parameters?|Returns|Throws)\b|>>>|```|\.\. |<p>|#+ )")
_HEADINGS = frozenset(
    "args arguments attributes example examples note notes parameters params raises returns throws usage yields".split()
)
_MAX_HEADING_CHARS = 12
_CODE_TAG = re.compile(r"\{@(?:link|linkplain|code|literal|value)\s+([^{}]*)\}")
_INHERITED = re.compile(r"\{?@inherit[dD]oc\}?")
_SEE = re.compile(r"<(?:see|paramref|typeparamref)\s+\w+=\"(?:\w:)?([^\"]*)\"\s*/>")
_MARKUP = re.compile(
    r"</?(?:summary|para|remarks|value|inheritdoc|p|b|i|u|code|c|em|strong|br|pre|ul|ol|li|tt|a)\b[^<>]*>",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"^(?:eslint|prettier|@?ts-|tslint|jshint|noqa|type:|pylint|mypy:|ruff|nolint|go:|rubocop|istanbul|c8|shellcheck"
    r"|NOLINT|clang-format|#?region|endregion|noinspection|skipcq|pragma|flake8|fmt:|biome|v8 ignore|\$flow"
    r"|frozen_string_literal|@flow|TODO|FIXME|XXX)",
)
_LICENCE = re.compile(r"copyright|licen[sc]e|spdx-|all rights reserved", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)")
_STRING_START = re.compile(r"[rRuUbBfF]{0,2}(\"\"\"|'''|\"|')")
_DOC_STARTS = ("/**", "///", "/*!", "//!", "-- |", "--- ", "{-|", "{- |", "##")

MAX_STRING_ROWS = 60
"""A docstring is read this far; its first paragraph stands at its start."""


def of_comments(groups: list[list[str]]) -> str:
    """The first paragraph of the documentation comment among `groups`, else of the last of them; "" where none
    tells anything."""
    documented = [group for group in groups if group[0].lstrip().startswith(_DOC_STARTS)]
    for group in reversed(documented or groups):
        text = paragraph([_END_MARKS.sub("", _MARKS.sub("", line)) for line in group])
        if text and not _LICENCE.search(text):
            return text
    return ""


def of_string(lines: list[str], row: int) -> str:
    """The first paragraph of the string that begins on `row` of `lines`; "" where none begins there."""
    first = lines[row].lstrip()
    found = _STRING_START.match(first)
    if found is None:
        return ""
    quote, rest = found.group(1), first[found.end() :]
    end = rest.find(quote)
    if end >= 0 or len(quote) == 1:
        return paragraph([rest[:end] if end >= 0 else rest])
    body = [rest]
    for line in lines[row + 1 : row + MAX_STRING_ROWS]:
        end = line.find(quote)
        if end >= 0:
            body.append(line[:end])
            break
        body.append(line)
        if not line.strip() and any(map(str.strip, body)):
            break
    return paragraph(body)


def paragraph(lines: list[str]) -> str:
    """The first paragraph of `lines` on one line, markup removed, at most
    :data:`~fourfold.model.symbol.MAX_DOC_CHARS` characters."""
    taken: list[str] = []
    for line in lines:
        text, over = line.strip(), False
        if "<" in text or "{@" in text:
            text, over = _without_markup(text)
        ends = _ends_paragraph(text)
        if not text[:1].isalpha() or text.startswith("MARK:"):
            text = _LABEL.sub("", text)
            ends = ends and _ends_paragraph(text)
        if taken and ends:
            break
        if not ends and (taken or not _NOISE.match(text)):
            taken.append(text)
        if over and taken:
            break
    return _cut(" ".join(" ".join(taken).split()))


def _ends_paragraph(text: str) -> bool:
    """True for blank lines, rulers, tags and headings of parameter lists."""
    if not text:
        return True
    if text[0].isalpha():
        return len(text) <= _MAX_HEADING_CHARS and text.rstrip(": ").lower() in _HEADINGS
    return not text.strip(_RULERS) or bool(_TAG.match(text))


def _without_markup(text: str) -> tuple[str, bool]:
    """`text` without tags, and whether a summary ends in it."""
    if "nherit" in text:
        text = _INHERITED.sub("", text)
    text = _CODE_TAG.sub(r"\1", _SEE.sub(r"\1", text))
    if text.startswith("<p>"):
        return "", False
    return _MARKUP.sub("", text).strip(), "</summary>" in text


def _cut(text: str) -> str:
    text = text.strip("\"'` ") if text[:1] in "\"'" else text
    if len(text) <= MAX_DOC_CHARS:
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, MAX_DOC_CHARS)]
    if ends:
        return text[: ends[-1]]
    return text[:MAX_DOC_CHARS].rsplit(" ", 1)[0]
