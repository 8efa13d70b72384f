"""Drawing the questions of a repository: so many of each kind, the same for the same texts, commits and seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fourfold.evaluate.labels.candidates import PER_FILE, Candidate, Drawing
from fourfold.evaluate.labels.from_calls import from_calls
from fourfold.evaluate.labels.from_docs import from_docs
from fourfold.evaluate.labels.from_history import from_history
from fourfold.evaluate.labels.from_names import from_names
from fourfold.evaluate.labels.from_tests import from_tests
from fourfold.evaluate.labels.hidden import pruned
from fourfold.evaluate.labels.rarity import Rarity
from fourfold.evaluate.labels.repeats import Repeats
from fourfold.evaluate.labels.tree import Tree
from fourfold.evaluate.question import Question

SHARES: dict[str, tuple[str, float]] = {
    "file": ("docs", 0.06),
    "commit": ("commits", 0.10),
    "test": ("tests", 0.10),
    "type": ("docs", 0.12),
    "function": ("docs", 0.34),
    "where": ("names", 0.04),
    "symbol": ("names", 0.12),
    "caller": ("callers", 0.12),
}
"""What a question is made of, the group that it belongs to and its share of the questions, rare ones first."""
GROUPS: tuple[str, ...] = ("docs", "tests", "commits", "names", "callers")
_SENTENCES = frozenset({"function", "type", "file", "test", "commit"})
_NAMES = frozenset({"where", "symbol", "caller"})
NAMED_SHARE = 0.5
"""Share of the questions that names and callers may fill where sentences are missing: they are easier."""
INTENTS = {"where": "find_definition", "symbol": "find_definition", "caller": "find_references"}
"""What a question of a kind is surely meant as; sentences may be meant as anything."""


@dataclass(frozen=True, slots=True)
class Mined:
    """Questions, and the texts without what those were made of: what must be indexed to ask them."""

    questions: tuple[Question, ...]
    texts: Mapping[str, str]
    hidden: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """Number of questions by kind, most first."""
        return dict(Counter(question.kind for question in self.questions).most_common())


def mine(
    tree: Tree,
    commits: Iterable[tuple[str, Sequence[str]]] = (),
    *,
    count: int,
    seed: int = 0,
    groups: Sequence[str] = GROUPS,
) -> Mined:
    """At most `count` questions of the `groups`. Kinds that a repository lacks leave their share to the others."""
    rng = random.Random(f"{seed}:questions")
    rarity = Rarity(tree.texts)
    found: list[Candidate] = []
    if "docs" in groups:
        found += from_docs(tree, rarity, rng)
    if "tests" in groups:
        found += from_tests(tree, rarity)
    if "commits" in groups:
        found += from_history(commits, tree, rarity)
    if "names" in groups:
        found += from_names(tree, rng)
    if "callers" in groups:
        found += from_calls(tree)
    chosen = _drawn(found, rng, tree, count)
    texts = pruned(tree.texts, chosen)
    hidden = sum(texts[path] != text for path, text in tree.texts.items())
    return Mined(tuple(_questions(chosen)), texts, hidden)


def _drawn(found: Sequence[Candidate], rng: random.Random, tree: Tree, count: int) -> list[Candidate]:
    files = len({one.path for one in found})
    drawing = Drawing(rng, Repeats(tree.texts).is_repeated, max(PER_FILE, -(-2 * count // max(files, 1))))
    present = {one.kind for one in found}
    whole = sum(share for kind, (_, share) in SHARES.items() if kind in present)
    named = sum(SHARES[kind][1] for kind in _NAMES & present)
    for kind, (_, share) in SHARES.items():
        if kind in present:
            scale = min(1 / whole, NAMED_SHARE / named) if kind in _NAMES else 1 / whole
            pool = [one for one in found if one.kind == kind]
            most = int(count * share * scale + (0.0 if kind in _NAMES else 0.5))
            drawing.take(pool, min(most, count - len(drawing)))
    for kinds, part in ((_SENTENCES, 1.0), (_NAMES, NAMED_SHARE)):
        taken = set(drawing.kept())
        room = min(count, int(count * part) + sum(one.kind not in kinds for one in taken)) - len(taken)
        drawing.take([one for one in found if one.kind in kinds and one not in taken], room)
    return drawing.kept()


def _questions(chosen: Sequence[Candidate]) -> Iterable[Question]:
    seen: Counter[str] = Counter()
    for one in chosen:
        line = one.targets[0].start_line
        name = f"{one.kind}:{one.path}" + (f":{line}" if line else "")
        if one.kind in _NAMES:
            name = f"{one.kind}:{one.text.rsplit(' ', 1)[-1]}" if one.kind == "caller" else f"{one.kind}:{one.text}"
        seen[name] += 1
        unique = name if seen[name] == 1 else f"{name}#{seen[name]}"
        tags = (one.kind, *(tag for tag in one.tags if tag != one.kind))
        yield Question(unique, one.text, one.targets, INTENTS.get(one.kind, ""), tags)
