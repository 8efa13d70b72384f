"""What a preprocessor would have done, for grammars that read the source before it has run.

Macros that stand where a grammar knows only keywords (``FMT_EXPORT class Foo``, ``BEGIN_NAMESPACE`` on a line), and
conditions that cut a definition into halves.
"""

from __future__ import annotations

import re

CONDITIONAL = frozenset({"c", "cpp", "csharp"})
"""Languages with lines for a preprocessor."""

MACROS = frozenset({"c", "cpp"})
"""Languages whose macros may stand anywhere."""
_BEFORE = r"class|struct|enum|inline|static|explicit|friend|constexpr|virtual|typename|const|extern|auto|unsigned|void"
_ARGUMENTS = r"(?:\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))?"
_ATTRIBUTE = r"__(?![a-z_]*_t\b)[a-z]+(?:_[a-z]+)*(?:__)?\b"
"""``__dead``, ``__unused``: an attribute of BSD under a short name (``__u32`` and ``__kernel_size_t`` are types)."""
_OF_PARAMETER = re.compile(rf"(?<=[(,])(?P<before>\s*){_ATTRIBUTE}(?=\s+[A-Za-z_])")
_MACRO = re.compile(
    rf"^(?!\s*#)(?P<before>[ \t]*(?:template[ \t]*<[^\n]*>[ \t]*)?(?:(?:{_BEFORE})[ \t]+)*)"
    rf"(?P<macro>(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|{_ATTRIBUTE}){_ARGUMENTS})(?=[ \t]+[A-Za-z_~:]|[ \t]*$)",
    re.MULTILINE,
)
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif|region|endregion)\b")
_ROUNDS = 3
"""So many macros in a row."""


def without_macros(text: str, language: str) -> str:
    """`text` with blanks in place of macros that stand before a declaration or alone on a line."""
    for _ in range(_ROUNDS if language in MACROS else 0):
        text = _MACRO.sub(lambda found: found["before"] + " " * len(found["macro"]), text)
    if language in MACROS:
        text = _OF_PARAMETER.sub(lambda found: found["before"] + " " * len(found[0].lstrip()), text)
    return text


def first_branches(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The lines of `text` without the directives of conditions and without their branches but the first; and where
    the branches left out stand, as (first, last) numbers of rows."""
    lines = text.split("\n")
    others: list[tuple[int, int]] = []
    begun: list[int] = []  # of each open condition the row where a branch that is left out begins, or -1
    for row, line in enumerate(lines):
        found = _DIRECTIVE.match(line)
        if found is None:
            if any(one >= 0 for one in begun):
                lines[row] = ""
            continue
        word, lines[row] = found.group(1), ""
        if word.startswith("if"):
            begun.append(-1)
        elif begun and word in ("elif", "else", "endif"):
            start = begun.pop()
            if 0 <= start < row:
                others.append((start, row - 1))
            if word != "endif":
                begun.append(row + 1)
    return lines, others
