"""Which files of a package are mined."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

from fourfold.rank.paths import categories
from fourfold.syntax.languages.detect import language_of

LANGUAGES: frozenset[str] = frozenset(
    "python javascript typescript go rust java kotlin c cpp csharp ruby php swift scala bash lua elixir haskell zig "
    "sql dart".split()
)
"""Languages that are mined; Markdown is read for headings alone."""

SKIPPED = frozenset({"vendor", "build", "archive", "generated", "type_stub"})
"""Roles of paths that are left out: other people's code, and code that nobody wrote."""

_VENDORED = re.compile(
    r"(^|/)(_?vendor(ed|ized)?|third[_-]?party|3rd[_-]?party|node_modules|extern(als?)?|bundled|deps|subprojects|"
    r"debian|contrib/(libs?|zstd)|\.github)(/|$)",
    re.I,
)
_DOCUMENTATION = ("/**", "/// ", '"""', "-- | ", "\n// ", "  # ", "\n/*")
"""What documentation begins with, in one language or another."""
_MAX_CHARS = 300_000
"""Longer files are generated, data or bundles."""
_LONG_LINES = 200
"""Mean characters a line above which a file is minified."""


def wanted(path: str, excluded: frozenset[str]) -> bool:
    """False for vendored and generated files, and where a folder or the file is named like an excluded repository."""
    if _VENDORED.search(path) or categories(path) & SKIPPED:
        return False
    names = path.lower().split("/")
    return not excluded.intersection((*names, names[-1].partition(".")[0]))


def choose(files: Iterable[tuple[str, str]], budget: int, rng: random.Random) -> list[tuple[str, str, str]]:
    """(path, language, text) of files up to `budget` characters, those with more documentation first."""
    scored: list[tuple[float, float, str, str, str]] = []
    for path, text in files:
        if len(text) > _MAX_CHARS or text.count("\n") < 5 or len(text) > _LONG_LINES * (text.count("\n") + 1):
            continue
        language = "markdown" if path.endswith(".md") else language_of(path, text[:2000])
        if language in LANGUAGES or language == "markdown":
            density = sum(map(text.count, _DOCUMENTATION)) / (len(text) + 5000)
            scored.append((-density, rng.random(), path, language, text))
    return _within(sorted(scored), budget)


def _within(scored: Sequence[tuple[float, float, str, str, str]], budget: int) -> list[tuple[str, str, str]]:
    kept = []
    for _, _, path, language, text in scored:
        if budget <= 0:
            break
        budget -= len(text)
        kept.append((path, language, text))
    return kept
