"""The head of a definition on one line."""

from __future__ import annotations

import re

MAX_SIGNATURE_CHARS = 300
"""Longer heads are cut; 99.9 % of the heads of django and sympy are shorter."""

_READ_BYTES = 4 * MAX_SIGNATURE_CHARS
_ANNOTATION = re.compile(
    r"(?:@(?!interface\b)[\w.:]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?|#?\[(?:[^\[\]]|\[[^\[\]]*\])*\])\s*"
)
_COMMENT = re.compile(r"\s+(?:#|//)\s.*$", re.MULTILINE)
_TAIL = " \t{:=-;|,"


def signature_of(source: bytes, name: str, start: int, body: int, end: int) -> str:
    """The text from byte `start` up to the body (or, without one, to the end of the line), whitespace folded.

    `body` is the byte where the body begins, -1 where there is none; `end` is where the definition ends. At
    most :data:`MAX_SIGNATURE_CHARS` characters; opening braces and other punctuation at the end are dropped.
    """
    stop = body if body > start else end
    text = source[start : min(stop, start + _READ_BYTES)].decode("utf-8", "ignore")
    if text[:1] in ("@", "[", "#"):
        text = _without_annotations(text, name)
    if body <= start:
        text = _first_logical_line(text)
    if "\n" in text or "#" in text:
        text = _COMMENT.sub("", text)
    folded = " ".join(text.split())
    return folded[:MAX_SIGNATURE_CHARS].rstrip(_TAIL)


def _without_annotations(text: str, name: str) -> str:
    """`text` past leading ``@Name(...)``, ``[Name(...)]`` and ``#[name]``; as it is where `name` stands in
    them."""
    rest = text
    while found := _ANNOTATION.match(rest):
        rest = rest[found.end() :]
    return rest if name in rest else text


def _first_logical_line(text: str) -> str:
    """The first line, and the following ones while a bracket is open."""
    end = text.find("\n")
    line = text if end < 0 else text[:end]
    if line.count("(") <= line.count(")") and line.count("[") <= line.count("]"):
        return line
    depth = 0
    for position, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "\n" and depth <= 0:
            return text[:position]
    return text.split("\n", 1)[0] if depth > 0 else text
