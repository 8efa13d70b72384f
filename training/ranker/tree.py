"""A package read and parsed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.systems.tree import files_of

from fourfold.model.parsed import ParsedFile
from fourfold.rank.paths import categories
from fourfold.syntax.languages.detect import language_of
from fourfold.syntax.parse import parse_file

ALIKE = {
    "cpp": frozenset({"cpp", "c"}),
    "c": frozenset({"c", "cpp"}),
    "javascript": frozenset({"javascript", "typescript"}),
}
"""Languages that a package of a language is written in beside it: headers, declarations."""
NO_TARGETS = frozenset({"test", "example", "docs", "vendor", "build", "archive", "generated", "config", "type_stub"})
"""Files of these roles stay in the copy and hold no answers."""


@dataclass(frozen=True, slots=True)
class Tree:
    """All text files of a package, and the parsed ones of its language."""

    texts: Mapping[str, str]
    parsed: Mapping[str, ParsedFile]

    def targets(self) -> list[str]:
        """Paths that may hold answers, in order."""
        return [path for path in self.parsed if not categories(path) & NO_TARGETS]

    def tests(self) -> list[str]:
        """Paths of test files, in order."""
        return [path for path in self.parsed if "test" in categories(path)]


def read_tree(root: Path, language: str) -> Tree:
    """Read and parse a package. Raises FileNotFoundError where the folder is missing."""
    if not root.is_dir():
        raise FileNotFoundError(f"{root} is missing: run python -m training.ranker.prepare")
    texts = dict(files_of(root))
    wanted = ALIKE.get(language, frozenset({language}))
    parsed = {}
    for path, text in texts.items():
        own = language_of(path, text[:2000])
        if own in wanted:
            parsed[path] = parse_file(path, text, own)
    return Tree(texts, parsed)
