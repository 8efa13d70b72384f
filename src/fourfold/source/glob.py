"""Git's wildcard patterns as regular expressions that cannot run away.

A pattern comes from a repository and so from a stranger. Each wildcard that is not the last of its kind is
matched lazily inside an atomic group: between two wildcards stands text of fixed length (or a fixed number of
path segments), so its leftmost place is as good as any, and no backtracking into it is needed. That bounds
the work of ``*a*a*a*a*a*b``, which a plain translation makes exponential.

The rules are those of git's ``wildmatch`` with path names: ``*`` and ``?`` never match ``/``; ``**`` spans
folders only where it is a whole segment; a broken bracket matches nothing.
"""

from __future__ import annotations

import re

SPECIAL = re.compile(r"[*?\[\\]")
"""Characters that make a pattern more than a literal."""

_POSIX_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r" \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_NOTHING = "(?!)"
_ANY_FOLDERS = "(?:[^/]+/)*"


def translate(pattern: str) -> str | None:
    """The regular expression for a whole relative path (to be used with ``fullmatch`` and DOTALL).

    `pattern` is anchored: without leading or trailing slash, folders separated by ``/``. None where git would
    never match it.
    """
    runs: list[list[str]] = [[]]
    # An escaped slash is a slash.
    for segment in re.sub(r"(?<!\\)\\/", "/", pattern).split("/"):
        if segment == "**":
            runs.append([])
            continue
        regex = _segment(segment)
        if regex is None:
            return None
        runs[-1].append(regex)
    return _join(runs)


def _join(runs: list[list[str]]) -> str:
    """Join runs of segments; between two runs stands a ``**``."""
    head, *rest = ["/".join(run) for run in runs]
    if not rest:
        return head
    out = f"{head}/" if head else ""
    *middle, last = rest
    for run in middle:
        if run:
            out += f"(?>{_ANY_FOLDERS}?{run}/)"
    # A trailing ** matches everything below a folder, but not the folder itself.
    return out + (_ANY_FOLDERS + last if last else ".+")


def _segment(segment: str) -> str | None:
    """One path segment without ``/``."""
    pieces: list[str] = [""]
    i = 0
    while i < len(segment):
        char = segment[i]
        if char == "*":
            while i + 1 < len(segment) and segment[i + 1] == "*":
                i += 1
            pieces.append("")
        elif char == "?":
            pieces[-1] += "[^/]"
        elif char == "[":
            parsed = _bracket(segment, i + 1)
            if parsed is None:
                return None
            text, i = parsed
            pieces[-1] += text
        elif char == "\\":
            i += 1
            if i == len(segment):
                return None
            pieces[-1] += re.escape(segment[i])
        else:
            pieces[-1] += re.escape(char)
        i += 1
    return _with_stars(pieces)


def _with_stars(pieces: list[str]) -> str:
    head, *rest = pieces
    if not rest:
        return head
    *middle, last = rest
    return head + "".join(f"(?>[^/]*?{piece})" for piece in middle) + "[^/]*" + last


def _bracket(text: str, i: int) -> tuple[str, int] | None:
    """A bracket expression that starts after its ``[``: (regex, position of ``]``), or None where it is never
    closed."""
    negated = text[i : i + 1] in {"!", "^"}
    if negated:
        i += 1
    items: list[str] = []
    first = True
    while True:
        if i >= len(text):
            return None
        if text[i] == "]" and not first:
            break
        first = False
        if text.startswith("[:", i):
            end = text.find(":]", i)
            name = text[i + 2 : end] if end > 0 else ""
            if name not in _POSIX_CLASSES:
                return None
            items.append(_POSIX_CLASSES[name])
            i = end + 2
            continue
        low, i = _class_char(text, i)
        if low is None:
            return None
        if text[i : i + 1] == "-" and text[i + 1 : i + 2] not in ("", "]"):
            high, i = _class_char(text, i + 1)
            if high is None:
                return None
            if low <= high:
                items.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            items.append(re.escape(low))
    body = "".join(items)
    if negated:
        return f"[^/{body}]", i
    return (f"(?!/)[{body}]" if body else _NOTHING), i


def _class_char(text: str, i: int) -> tuple[str | None, int]:
    """One character of a bracket expression, a backslash removed, and the position after it."""
    if text[i] == "\\":
        i += 1
        if i >= len(text):
            return None, i
    return text[i], i + 1
