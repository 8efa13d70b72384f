"""Sentences of a documentation text that could be questions."""

from __future__ import annotations

import re

MIN_WORDS, MAX_WORDS = 3, 45
"""Fewer words name nothing; more are seldom one sentence."""
MIN_OTHER = 7
"""Words of a second sentence that is worth a pair of its own."""
MAX_CHARS = 260

WORD = re.compile(r"[A-Za-z][A-Za-z']+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")
_LEADING_TAG = re.compile(r"^\s*(?:@|\\)(?:brief|summary|description|desc|classdesc|fileoverview|file|module)\b\s*")
_STOP_LINE = re.compile(
    r"^\s*(@\w+|:param|:return|:type|:raises|:rtype|\\param|\\return|Args?:|Arguments:|Parameters\b|Returns?:|Raises:|"
    r"Example|Usage:|Notes?\s*$|See Also|#\s|---+|===+|>>>|```|\.\. |-\s+(Parameter|Returns|Throws))"
)
_MARKUP = (
    (re.compile(r"\{@\w+\s+([^}]*)\}"), r"\1"),
    (re.compile(r":[\w:]+:`~?([^`<]*)(?:<[^>]*>)?`"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"<see\w*\s+\w+=\"[A-Z]?:?([^\"]*)\"\s*/>"), r"\1"),
    (re.compile(r"</?\w+[^>]*>"), " "),
    (re.compile(r"[`*]+"), ""),
)
_LEGAL = re.compile(r"copyright|licen[sc]e|SPDX|all rights reserved|redistribut|warranty|generated|do not edit", re.I)
_DIRECTIVE = re.compile(
    r"eslint|@ts-|istanbul|noqa|pylint|type:\s*ignore|prettier|NOLINT|clang-format|tslint|jshint|nolint|go:|\+build|"
    r"rubocop|-\*-|vim:|https?://|^\W*(TODO|FIXME|XXX|HACK)|inheritdoc|^see |^test\b",
    re.I,
)


def sentences(doc: str) -> list[str]:
    """At most two: the first sentence, and the longest of the next few; empty for legal texts and directives."""
    text = plain(_opening(doc))
    if len(text) < 12 or _LEGAL.search(text[:400]) or _DIRECTIVE.search(text[:120]):
        return []
    found = [part.strip() for part in _SENTENCE_END.split(text) if part.strip()][:6]
    kept = [found[0][:MAX_CHARS]] if found and _is_prose(found[0]) else []
    others = [part for part in found[1:] if _is_prose(part) and len(WORD.findall(part)) >= MIN_OTHER]
    if others:
        kept.append(max(others, key=len)[:MAX_CHARS])
    return kept


def plain(text: str) -> str:
    """The text on one line, without markup."""
    for pattern, kept in _MARKUP:
        text = pattern.sub(kept, text)
    return " ".join(text.split())


def _opening(doc: str) -> str:
    """The lines up to the first tag, list of parameters, example or heading."""
    kept: list[str] = []
    for line in doc.split("\n"):
        tagged = _LEADING_TAG.sub("", line)
        if tagged == line and _STOP_LINE.match(line):
            break
        kept.append(tagged)
    return "\n".join(kept)


def _is_prose(text: str) -> bool:
    count = len(WORD.findall(text))
    letters = sum(char.isalpha() or char == " " for char in text)
    return MIN_WORDS <= count <= MAX_WORDS and letters > 0.8 * len(text) and not _DIRECTIVE.search(text)
