"""The prose of a source file: its comments and documentation strings, found without a parser.

Used only to count words for the ``docs`` field, so a rare wrong line (a ``#`` inside a string) costs nothing that
matters, while one pass of a regular expression costs a tenth of a walk over a syntax tree.
"""

from __future__ import annotations

import re

_HASH = frozenset(
    ("python", "ruby", "bash", "elixir", "perl", "r", "julia", "makefile", "dockerfile", "terraform", "yaml", "toml")
)
_DASH = frozenset(("lua", "haskell", "sql"))
_PROSE = frozenset(("markdown", "rst", "text"))

_HASH_LINES = re.compile(r"^[ \t]*#(?!!)(.*)$|[ \t]#[ \t](.*)$", re.MULTILINE)
_SLASH_LINES = re.compile(r"^[ \t]*(?:///?!?|/?\*+)(.*)$|[ \t]//[ \t](.*)$", re.MULTILINE)
_DASH_LINES = re.compile(r"^[ \t]*--+(?:\[\[)?(.*)$|[ \t]--[ \t](.*)$", re.MULTILINE)
_TRIPLE = re.compile(r"(?:\"\"\"|''')(.*?)(?:\"\"\"|''')", re.DOTALL)
_HASKELL_BLOCK = re.compile(r"\{-(.*?)-\}", re.DOTALL)


def prose_of(text: str, language: str) -> str:
    """Comment and documentation text of a file, joined by newlines (the whole text of prose formats)."""
    if language in _PROSE:
        return text
    found: list[str] = []
    if language in _HASH:
        pattern, sign, other = _HASH_LINES, "#", "#"
    elif language in _DASH:
        pattern, sign, other = _DASH_LINES, "--", "--"
    else:
        pattern, sign, other = _SLASH_LINES, "//", "*"
    for line in text.split("\n"):
        if sign in line or other in line:  # five times faster than the pattern alone, which tries at each blank
            for groups in pattern.findall(line):
                found.extend(groups)
    if language in ("python", "elixir"):
        found.extend(_TRIPLE.findall(text))
    elif language == "haskell":
        found.extend(_HASKELL_BLOCK.findall(text))
    return "\n".join(part for part in found if part)
