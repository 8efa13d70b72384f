"""Chooses what a glossary says from what the two models believe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from training.lexicon.model import NOTHING, Pairs, fit, turned

MEANINGS = 2
"""English words that an entry gives at most ..."""
BESIDE = 0.5
"""... the second only where it is worth this share of the first."""
MIN_PROBABILITY = 0.05
MIN_REVERSE = 0.01
MIN_WORTH = 0.08
"""Of the best meaning: the geometric mean, weighted to the first, of both directions' probabilities."""
MIN_CHARACTER = 0.35
"""The same of a single Chinese character: most belong to words of several."""
MIN_COUNT = 0.5
"""How often a word must have stood for a meaning."""


def entries(pairs: Pairs, foreign: Sequence[str], english: Sequence[str]) -> Iterator[tuple[str, list[str], float]]:
    """(word, its English stems, how often it was translated), for words that something sure is known of. `foreign` and
    `english` give the words by number."""
    there, back = fit(pairs), fit(turned(pairs))
    reverse = {(second, first): value for first, second, value, _ in back.rows() if value > MIN_REVERSE}
    found: dict[int, list[tuple[float, int]]] = {}
    counts: dict[int, float] = {}
    for source, target, probability, count in there.rows():
        other = reverse.get((source, target), 0.0)
        if source != NOTHING and probability >= MIN_PROBABILITY and count >= MIN_COUNT and other:
            found.setdefault(source, []).append((probability * other**0.5, target))
            counts[source] = counts.get(source, 0.0) + count
    for source, meanings in found.items():
        meanings.sort(reverse=True)
        best = meanings[0][0]
        if best >= (MIN_CHARACTER if _is_character(foreign[source]) else MIN_WORTH):
            chosen = [english[target] for worth, target in meanings[:MEANINGS] if worth >= BESIDE * best]
            yield foreign[source], chosen, counts[source]


def _is_character(word: str) -> bool:
    return len(word) == 1
