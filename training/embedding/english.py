"""Common English words: they are read whole, whatever code says of them, and a teacher knows what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

MIN_TIMES = 3
"""How often WordNet's texts have a word that is read whole ..."""
MIN_TIMES_INFLECTED = 8
"""... and one of which the inflected forms are, too."""
REPEATED = 60
"""Times that the tokenizer is shown the words: all 15,228 are then among its 36,000 tokens."""
ENDINGS: tuple[tuple[str, str], ...] = (
    ("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("d", ""), ("ly", ""),
    ("er", ""), ("er", "e"),
)  # fmt: skip
"""Endings of an inflected form, and what stands in their place in the word itself."""


def common_words(times: Mapping[str, int], dictionary: Iterable[str]) -> list[str]:
    """Words of at least three letters, in order; `times` as :func:`training.embedding.glosses.word_times` counts them,
    `dictionary` lists the forms that exist."""
    known = {
        word
        for word, count in times.items()
        if count >= MIN_TIMES and len(word) > 2 and word.isascii() and word.isalpha()
    }
    often = {word for word in known if times[word] >= MIN_TIMES_INFLECTED}
    forms = {word for word in dictionary if word.isascii() and word.isalpha() and word.islower()}
    return sorted(known | {word for word in forms if _inflected(word, often)})


def _inflected(word: str, known: set[str]) -> bool:
    return any(word.endswith(ending) and word[: -len(ending)] + instead in known for ending, instead in ENDINGS)
