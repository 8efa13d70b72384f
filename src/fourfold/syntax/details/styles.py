"""How the languages write comments and decorators."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """Comments and decorators of a language.

    `lines` begin comments to the end of the line, `blocks` are begin and end of others, longest first; `mark`
    begins a decorator (``@``, ``[``, ``#[`` or ""); `whole_line`: a decorator lasts to the end of its line, not only
    to the end of its arguments. `docstrings`: the documentation is the first string of the body.
    """

    lines: tuple[str, ...]
    blocks: tuple[tuple[str, str], ...] = ()
    mark: str = ""
    whole_line: bool = False
    docstrings: bool = False

    @property
    def starts(self) -> tuple[str, ...]:
        """How a line may begin that belongs to the definition below it: as a comment or decorator, or as the end of
        one of several lines. A decorator that lasts to the end of its line is part of the definition itself, except
        where it holds the documentation."""
        closing = ("*", ")", "]", "}") if self.blocks and self.mark else ("*",) if self.blocks else ()
        own = (self.mark,) if self.mark and not self.docstrings else ()
        return (*self.lines, *(start for start, _ in self.blocks), *own, *closing)

    @property
    def ends(self) -> tuple[str, ...]:
        """How the last line of a block comment ends."""
        block_ends = tuple(end for _, end in self.blocks)
        return (*block_ends, '"""') if self.whole_line and not self.docstrings else block_ends


_SLASHED = (("/*", "*/"),)
_ANNOTATED = Style(("//",), _SLASHED, "@")

STYLES: dict[str, Style] = {
    "python": Style(("#",), (), "@", whole_line=True, docstrings=True),
    "javascript": _ANNOTATED,
    "typescript": _ANNOTATED,
    "go": Style(("//",), _SLASHED),
    "rust": Style(("//",), _SLASHED, "#["),
    "java": _ANNOTATED,
    "kotlin": _ANNOTATED,
    "c": Style(("//",), _SLASHED, "[["),
    "cpp": Style(("//",), _SLASHED, "[["),
    "csharp": Style(("//",), _SLASHED, "["),
    "ruby": Style(("#",), (("=begin", "=end"),)),
    "php": Style(("//", "#"), _SLASHED, "#["),
    "swift": _ANNOTATED,
    "scala": _ANNOTATED,
    "bash": Style(("#",)),
    "lua": Style(("--",), (("--[[", "]]"),)),
    "elixir": Style(("#",), (), "@", whole_line=True),
    "haskell": Style(("--",), (("{-", "-}"),)),
    "zig": Style(("//",)),
    "sql": Style(("--",), _SLASHED),
    "dart": _ANNOTATED,
    "starlark": Style(("#",), docstrings=True),
}
"""The languages with a grammar; Vue and Svelte are read as the language of their scripts."""
