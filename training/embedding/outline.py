"""The definitions of a file, found by its lines alone: names, extents and the comments above.

Fourfold's own parser finds them exactly and at a megabyte a second; a training set wants a thousand megabytes looked
through and forgives a wrong extent. Python is read by its own `ast`; elsewhere a definition is a line that looks like
one, its end is where its braces close or its indentation ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BRACES = frozenset("javascript typescript go rust java kotlin c cpp csharp php swift scala zig dart".split())
"""Languages whose blocks are in braces; those of the others are told by indentation."""
MAX_LINES = 60
"""Lines of a definition that are read: more than a chunk holds is cut anyway."""

_KEYWORD = re.compile(
    r"^(?P<indent>\s*)(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|open|override|static|async|"
    r"abstract|final|sealed|inline|const|unsafe|extern(?:\s*\"C\")?|suspend|data|case|implicit|lazy|mutating|readonly|"
    r"partial|virtual|local|@\w+(?:\([^)]*\))?)\s+)*"
    r"(?P<keyword>func|fn|def|function\*?|fun|defp?|defmacro|class|struct|interface|trait|enum|module|protocol|object|"
    r"extension|record|namespace|defmodule|macro|type|actor|union|impl)\s+(?:\([^)]*\)\s*)?(?:self\.)?"
    r"(?P<name>[A-Za-z_][\w.?!']*)"
)
_ASSIGNED = re.compile(
    r"^(?P<indent>\s*)(?:export\s+)?(?:const|let|var|local)?\s*(?P<name>[\w.]+)\s*[:=]\s*(?:async\s*)?"
    r"(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|\w+\s*=>)"
)
_TYPED = re.compile(
    r"^(?P<indent>\s*)(?!\s*(?:return|if|else|for|while|switch|case|throw|new|delete|goto|do|catch|using|await|yield|#)\b)"
    r"(?:[A-Za-z_][\w<>\[\],.?*&:~]*[\s*&]+)+(?P<name>~?[A-Za-z_][\w:]*)\s*\([^;]*$"
)
_DECLARED = re.compile(
    r"^(?P<indent>\s*)(?!\s*(?:return|if|else|for|while|throw|new|delete|goto|using|await|yield|typedef|#)\b)"
    r"(?:[A-Za-z_][\w<>\[\],.?*&:~]*[\s*&]+)+(?P<name>~?[A-Za-z_][\w:]*)\s*\([^;]*;\s*$"
)
"""A declaration without a body: read only where documentation stands above it."""
_METHOD = re.compile(
    r"^(?P<indent>\s+)(?!\s*(?:if|for|while|switch|catch|return|function)\b)(?:(?:static|async|get|set|public|private|"
    r"protected|readonly|\*)\s+)*(?P<name>[A-Za-z_#][\w]*)\s*(?:<[^>]*>)?\([^;]*\)\s*(?::[^{]+)?\{\s*$"
)
_SIGNATURE = re.compile(r"^(?P<indent>\s*)(?P<name>[a-z_][\w']*)\s*::")
_SHELL = re.compile(r"^(?P<indent>\s*)(?:function\s+)?(?P<name>[\w:-]+)\s*\(\)\s*\{?")
_LUA = re.compile(r"^(?P<indent>\s*)(?:local\s+)?function\s+(?P<name>[\w.:]+)")
_TYPES = frozenset("class struct interface trait enum module protocol object extension record namespace defmodule type "
                   "actor union impl".split())  # fmt: skip
_PATTERNS: dict[str, tuple[re.Pattern[str], ...]] = {
    "haskell": (_SIGNATURE, _KEYWORD),
    "bash": (_SHELL,),
    "lua": (_LUA, _ASSIGNED),
    "javascript": (_KEYWORD, _ASSIGNED, _METHOD),
    "typescript": (_KEYWORD, _ASSIGNED, _METHOD),
    **dict.fromkeys(("java", "c", "cpp", "csharp", "dart"), (_KEYWORD, _TYPED)),
}
_HINT = re.compile(
    r"\b(?:func|fn|def|function|class|struct|interface|trait|enum|module|protocol|object|extension|record|namespace|"
    r"defp?|defmacro|defmodule|fun|macro|type|actor|union|impl)\b|\)\s*\{?\s*$|=>|\([^)]*$"
)
_HINTS = {"haskell": re.compile("::"), "bash": re.compile(r"\(\)"), "lua": re.compile("function")}
"""What a line must have to be looked at closely."""
_DECLARES = frozenset({"java", "c", "cpp", "csharp", "typescript", "php"})
_COMMENT_LINE = {
    "haskell": r"\s*--", "lua": r"\s*--", "sql": r"\s*--", "ruby": r"\s*#", "bash": r"\s*#(?!!)", "elixir": r"\s*#",
}  # fmt: skip
_STRINGS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|//.*")
_ATTRIBUTE = re.compile(r"\s*(@\w|#\[|\[\w|template\b|#if|#endif)")
_LEADING = re.compile(r"^\s*(?:/\*+!?|\*+/|\*|///?!?|//|#+|--+\s?\|?|\{-\s*\|?|--\[\[)\s?|\s*(?:\*/|-\}|\]\])\s*$")


@dataclass(frozen=True, slots=True)
class Outline:
    """A definition: lines count from 1, both ends included; `doc` is the comment above, without its marks."""

    name: str
    qualified: str
    is_function: bool
    start: int
    end: int
    doc: str


def outline(text: str, language: str) -> Iterator[Outline]:
    """The definitions of a file in order; nothing for languages that are not known."""
    lines = text.split("\n")
    patterns = _PATTERNS.get(language, (_KEYWORD,))
    comment = re.compile(_COMMENT_LINE.get(language, r"\s*//"))
    hint = _HINTS.get(language, _HINT).search
    declares = language in _DECLARES
    owners: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        if len(line) > 400:
            continue
        found = None
        if hint(line):
            found = next((match for pattern in patterns if (match := pattern.match(line))), None)
        elif declares and number and lines[number - 1].rstrip().endswith("*/"):
            found = _DECLARED.match(line)
        if found is None:
            continue
        depth, name = len(found["indent"].expandtabs(4)), found["name"]
        while owners and owners[-1][0] >= depth:
            owners.pop()
        is_type = found.re is _KEYWORD and found["keyword"] in _TYPES
        qualified = ".".join([*(owner for _, owner in owners[-1:]), name])
        if is_type:
            owners.append((depth, name))
        end = _end(lines, number, language in BRACES, depth)
        yield Outline(name, qualified, not is_type, number + 1, end, _above(lines, number, comment))


def _end(lines: list[str], first: int, braces: bool, depth: int) -> int:
    """The last line of the definition that begins at index `first`, counted from 1."""
    last = min(len(lines), first + MAX_LINES)
    return _closing(lines, first, last) if braces else _dedent(lines, first, last, depth)


def _closing(lines: list[str], first: int, last: int) -> int:
    level, opened = 0, False
    for number in range(first, last):
        line = _STRINGS.sub("", lines[number])
        level += line.count("{") - line.count("}")
        opened = opened or "{" in line
        ended = not opened and (line.rstrip().endswith(";") or (number > first and not line.strip()))
        if ended or (opened and level <= 0):
            return number + 1
    return last


def _dedent(lines: list[str], first: int, last: int, depth: int) -> int:
    for number in range(first + 1, last):
        line = lines[number]
        if line.strip():
            indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
            if indent < depth or (indent == depth and not re.match(r"\s*(end|\)|\]|\}|[a-z_][\w']*\b.*[=|])", line)):
                return number
            if indent == depth and re.match(r"\s*end\b", line):
                return number + 1
        elif depth == 0 and number + 1 < last and lines[number + 1][:1].strip():
            return number
    return last


def _above(lines: list[str], first: int, comment: re.Pattern[str]) -> str:
    """The comment that ends directly above index `first`, attributes between; "" where there is none."""
    last = first - 1
    while last >= 0 and _ATTRIBUTE.match(lines[last]):
        last -= 1
    if last < 0:
        return ""
    top = last
    if lines[last].rstrip().endswith(("*/", "-}", "]]")):
        while top > 0 and not re.match(r"\s*(/\*|\{-|--\[\[)", lines[top]) and last - top < MAX_LINES:
            top -= 1
        top -= 1
    else:
        while top >= 0 and comment.match(lines[top]):
            top -= 1
    return "\n".join(_LEADING.sub("", line) for line in lines[top + 1 : last + 1])
