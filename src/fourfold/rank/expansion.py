"""Words that belong to a question although it does not hold them: those that the best places found so far share.

Local co-occurrence (pseudo-relevance feedback; Xu and Croft 1996): what stands together with the words of a question
in the code that answers it best is the repository's own vocabulary for what is asked. No model, nothing learned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from fourfold.model.text import STOP_WORDS, is_cjk, parts, words

MIN_LETTERS = 3
MIN_PLACES = 2
"""A word of one place alone belongs to that place, not to the question."""
RANK_OFFSET = 2
"""A place of rank r (from 0) counts 1 / (r + 2): the first one half, the eighth a ninth."""


def expansion_words(
    asked: Sequence[str],
    texts: Sequence[str],
    stem: Callable[[str], str],
    rarity: Callable[[str], float],
    count: int,
) -> list[str]:
    """At most `count` words of `texts` (the best first) that go with the question, most telling first.

    `asked` are the stems of the question's content words; `rarity` is the idf of a stem among all code, at most 0 for
    one that is everywhere. Words of one stem count as one, in the spelling met first.
    """
    known = frozenset(asked)
    weights: dict[str, float] = defaultdict(float)
    places: dict[str, int] = defaultdict(int)
    spelling: dict[str, str] = {}
    for rank, text in enumerate(texts):
        found = {part for word in words(text) if not is_cjk(word) for part in parts(word)}
        stems = set()
        for part in sorted(found):
            if len(part) < MIN_LETTERS or part in STOP_WORDS or part.isdigit():
                continue
            root = stem(part)
            if root not in known:
                spelling.setdefault(root, part)
                stems.add(root)
        for root in stems:
            weights[root] += 1.0 / (rank + RANK_OFFSET)
            places[root] += 1
    scored = [
        (weight * rarity(root), root) for root, weight in weights.items() if places[root] >= min(MIN_PLACES, len(texts))
    ]
    best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))
    return [spelling[root] for _, root in best[:count]]
