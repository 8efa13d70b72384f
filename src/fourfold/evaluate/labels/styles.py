"""How the languages document: which comments count above a definition, and which open a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """How a language documents: `line` begins a line comment that counts, `block` a block comment that counts,
    `attribute` a line that may stand between the comment and the definition, `inner` a comment on what encloses it.
    """

    line: str = r"(?!)"
    block: str = r"(?!)"
    attribute: str = r"(?!)"
    inner: str = r"(?!)"


_JAVADOC = r"/\*\*(?!/)"
_HASH = Style(line=r"#(?!!)")
STYLES: dict[str, Style] = {
    "typescript": Style(block=_JAVADOC, attribute=r"@\w"),
    "javascript": Style(block=_JAVADOC, attribute=r"@\w"),
    "go": Style(line=r"//(?!go:|\s*\+build)", block=r"/\*"),
    "rust": Style(line=r"///(?!/)", block=_JAVADOC, attribute=r"#\[", inner=r"//!"),
    "java": Style(block=_JAVADOC, attribute=r"@\w"),
    "kotlin": Style(block=_JAVADOC, attribute=r"@\w"),
    "c": Style(line=r"//", block=r"/\*"),
    "cpp": Style(line=r"//", block=r"/\*", attribute=r"template\b|\[\["),
    "csharp": Style(line=r"///", block=_JAVADOC, attribute=r"\["),
    "ruby": _HASH,
    "php": Style(block=_JAVADOC, attribute=r"#\["),
    "swift": Style(line=r"///", block=_JAVADOC, attribute=r"@\w"),
    "scala": Style(block=_JAVADOC, attribute=r"@\w"),
    "bash": _HASH,
    "lua": Style(line=r"--(?!\[|\s*luacheck)", block=r"--\[\["),
    "elixir": Style(attribute=r"@(?!doc|moduledoc|typedoc)\w+"),
    "haskell": Style(line=r"--(?![|>]*\s*\*)", block=r"\{-\s*\|", attribute=r"\{-#|#-\}"),
    "zig": Style(line=r"///", inner=r"//!"),
    "python": Style(),
}
"""Any comment above counts where a language has no marks for documentation (Go, C, Ruby, Bash, Lua)."""

HEADS: dict[str, Style] = {
    "typescript": Style(line=r"//(?!/\s*<)", block=r"/\*"),
    "javascript": Style(line=r"//", block=r"/\*"),
    "c": Style(line=r"//", block=r"/\*"),
    "cpp": Style(line=r"//", block=r"/\*"),
    "go": Style(line=r"//(?!go:|\s*\+build)", block=r"/\*"),
    "rust": Style(line=r"//!"),
    "zig": Style(line=r"//!"),
    "bash": _HASH,
    "lua": Style(line=r"--(?!\[)", block=r"--\[\["),
    "haskell": Style(line=r"--", block=r"\{-(?!#)"),
}
"""Languages whose files open with a text about the file; elsewhere the first comment is about the first definition."""
