"""The words on import lines: what a file leans on."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|(?<!['\"])#(?!include|import)[^\n]*", re.DOTALL)

_KEYWORD_TEXT = """
    import from as use using require require_relative require_once include include_once load autoload export
    default static package namespace pub crate self super mod extern global type of open qualified hiding
    alias only except source with show hide deferred const local let var function return typeof await async
    header end do
"""
_KEYWORDS = frozenset(_KEYWORD_TEXT.split())
"""Words of import syntax in any of our languages; as module names they say nothing."""

MAX_STATEMENT_CHARS = 4_000
"""An import statement is read this far; a bundle's array of requires is no list of imports."""


def import_words(statements: list[str]) -> frozenset[str]:
    """Module names, path parts and imported names of import statements, as written, keywords left out."""
    words: set[str] = set()
    for statement in statements:
        text = _COMMENT.sub(" ", statement[:MAX_STATEMENT_CHARS]) if "//" in statement else statement
        words.update(_WORD.findall(text[:MAX_STATEMENT_CHARS]))
    return frozenset(words - _KEYWORDS)
