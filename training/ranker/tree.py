"""A package read and parsed once."""

from __future__ import annotations

from pathlib import Path

from benchmarks.systems.tree import files_of

from fourfold.evaluate.labels.tree import Tree
from fourfold.syntax.languages.detect import language_of
from fourfold.syntax.parse import parse_file

ALIKE = {
    "cpp": frozenset({"cpp", "c"}),
    "c": frozenset({"c", "cpp"}),
    "javascript": frozenset({"javascript", "typescript"}),
}
"""Languages that a package of a language is written in beside it: headers, declarations."""


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
