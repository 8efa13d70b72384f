"""Questions from documentation: what a function, a type or a file is for, asked without its documentation."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

from fourfold.evaluate.labels.candidates import Candidate
from fourfold.evaluate.labels.documentation import documented_items
from fourfold.evaluate.labels.documented import Documented
from fourfold.evaluate.labels.item import Item
from fourfold.evaluate.labels.phrasing import NAMED_SHARE, asked, content, cut, named_share, sentence_of
from fourfold.evaluate.labels.rarity import Rarity
from fourfold.evaluate.labels.tree import Tree
from fourfold.evaluate.question import Target

MIN_TELLING = 2
"""Rare words that a sentence holds at least."""
CUT_SHARE = 0.5
NAMED_KEPT = 0.5
"""Share of the sentences made mostly of the thing's own name that stay."""


def from_docs(tree: Tree, rarity: Rarity, rng: random.Random) -> Iterator[Candidate]:
    """A question for each documentation that says something; a sentence that occurs twice makes none."""
    found = [
        (item, sentence)
        for path in tree.targets()
        for item in documented_items(path, tree.texts[path], tree.parsed[path])
        if (sentence := sentence_of(item.what.doc, item.what.name)) is not None
    ]
    seen = Counter(sentence.lower() for _, sentence in found)
    twins = _definitions(tree)
    for item, sentence in found:
        if seen[sentence.lower()] == 1 and rarity.telling(sentence) >= MIN_TELLING:
            candidate = _candidate(item, sentence, twins, rng)
            if candidate is not None and rarity.telling(candidate.text) >= MIN_TELLING:
                yield candidate


def _candidate(item: Item, sentence: str, twins: dict[str, list[Target]], rng: random.Random) -> Candidate | None:
    what = item.what
    share = named_share(sentence, what.name.rsplit(".", 1)[0] if item.kind == "file" else what.name)
    is_named = share >= NAMED_SHARE
    if is_named and rng.random() >= NAMED_KEPT:
        return None
    short = cut(sentence, rng) if rng.random() < CUT_SHARE else None
    text = short or asked(sentence, rng)
    if len(content(text)) < 3:
        return None
    tags = (item.kind, "named" if is_named else "unnamed", "cut" if short else "whole")
    if item.kind == "file" and re.search(r"[A-Z]{2,}_[A-Z]", text):
        return None  # it is about a constant below it
    category = "architecture" if item.kind == "file" else "semantic"
    blank = ((what.path, what.doc_start, what.doc_end),)
    return Candidate(item.kind, text, category, _targets(item, what, twins), tags, blank, sentence)


def _targets(item: Item, what: Documented, twins: dict[str, list[Target]]) -> tuple[Target, ...]:
    """The definition, and for a C function also its other half (declaration in a header, body in a source)."""
    if item.kind == "file":
        return (Target(what.path),)
    own = Target(what.path, what.start_line, what.end_line)
    others = [one for one in twins.get(what.name, []) if one.path != what.path]
    return (own, *others) if item.kind == "function" and len(others) == 1 else (own,)


def _definitions(tree: Tree) -> dict[str, list[Target]]:
    """C and C++ functions by name."""
    found: dict[str, list[Target]] = {}
    for path in tree.targets():
        if tree.parsed[path].language in ("c", "cpp"):
            for symbol in tree.parsed[path].symbols:
                if symbol.kind in ("function", "method"):
                    place = Target(path, symbol.start_line, symbol.end_line)
                    found.setdefault(symbol.name, []).append(place)
    return found
