"""Questions that are names: where a type or a function is defined."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from fourfold.evaluate.labels.candidates import Candidate
from fourfold.evaluate.labels.tree import Tree
from fourfold.evaluate.question import Target
from fourfold.model.chunk import TYPE_KINDS
from fourfold.model.text import parts

MAX_FILES = 2
"""A name defined in more files (targets or not) is no question with one answer."""
WHERE_SHARE = 0.15
"""Share of the names that are asked for in a sentence."""
_TEMPLATES = (
    "where is {} defined",
    "definition of {}",
    "where is {} implemented",
    "{} implementation",
    "find {}",
    "source of {}",
)
_NAME = re.compile(r"[A-Za-z_$][\w$]*[?!]?$")


def from_names(tree: Tree, rng: random.Random) -> Iterator[Candidate]:
    """Names of types, and of functions that consist of several words, defined in at most :data:`MAX_FILES` files."""
    places: dict[str, dict[str, Target]] = {}
    kinds: dict[str, str] = {}
    for path, parsed in tree.parsed.items():
        for symbol in parsed.symbols:
            if symbol.kind in TYPE_KINDS or symbol.kind in ("function", "method", "macro"):
                place = Target(path, symbol.start_line, symbol.end_line)
                places.setdefault(symbol.name, {}).setdefault(path, place)
                kinds.setdefault(symbol.name, "type" if symbol.kind in TYPE_KINDS else "function")
    answering = set(tree.targets())
    for name, found in places.items():
        targets = tuple(target for path, target in found.items() if path in answering)
        if targets and len(found) <= MAX_FILES and _is_asked_for(name, kinds[name]):
            if rng.random() < WHERE_SHARE:
                text = rng.choice(_TEMPLATES).format(name)
                yield Candidate("where", text, "symbol", targets, ("symbol", "where", kinds[name]))
            else:
                yield Candidate("symbol", name, "symbol", targets, ("symbol", kinds[name]))


def _is_asked_for(name: str, kind: str) -> bool:
    if not _NAME.match(name) or len(name) < 4 or name.startswith("_"):
        return False
    return kind == "type" or len(parts(name)) > 1
