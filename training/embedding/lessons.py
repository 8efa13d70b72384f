"""What a teacher says of texts: vectors whose neighbours the model is to have as well."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from training.embedding.bags import Bags, Read, bags_of
from training.embedding.pair import Pair
from training.embedding.teacher import Teacher
from training.embedding.words import units_less_mean

SENTENCES, GLOSSES, EXAMPLES = 31_000, 18_600, 12_500
"""Sentences of documentation, glosses of WordNet and its examples that the teacher reads: ten minutes of one core."""
LONGEST = 140
"""Characters of a sentence: longer ones cost the teacher more and say little more."""
ASKED = frozenset({"doc", "more", "error"})
"""Kinds of pairs whose question is a sentence."""
SEED = 5


@dataclass(frozen=True, slots=True)
class Lessons:
    """Texts as bags of tokens, and the teacher's unit vectors of them, less the mean: texts share a direction."""

    texts: Bags
    units: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.units)


def lessons_of_words(tokens: NDArray[np.int64], units: NDArray[np.float32]) -> Lessons:
    """The lessons of single tokens."""
    return Lessons(Bags(tokens.astype(np.int32), np.arange(len(tokens) + 1, dtype=np.int64)), units)


def choose_sentences(
    pairs: Iterable[Pair], glosses: Iterable[str] = (), examples: Iterable[str] = (), seed: int = SEED
) -> list[str]:
    """Distinct sentences of documentation, distinct glosses and distinct examples of words, drawn with a seed."""
    asked = {pair.question for pair in pairs if pair.kind in ASKED and len(pair.question) < LONGEST}
    meanings = set(glosses) - asked
    used = set(examples) - asked - meanings
    return [*_drawn(asked, SENTENCES, seed), *_drawn(meanings, GLOSSES, seed), *_drawn(used, EXAMPLES, seed)]


def _drawn(texts: set[str], count: int, seed: int) -> list[str]:
    listed = sorted(texts)
    random.Random(seed).shuffle(listed)
    return listed[:count]


def save_lessons(path: Path, texts: Sequence[str], teacher: Teacher) -> None:
    """Ask the teacher and write sentences with its vectors."""
    np.savez(path, texts=np.array(texts), vectors=teacher.embed(texts).astype(np.float16))


def load_lessons(path: Path, read: Read) -> Lessons:
    """Read what :func:`save_lessons` wrote, with the tokens of a model."""
    flat = np.load(path)
    vectors: NDArray[np.float32] = flat["vectors"].astype(np.float32)
    return Lessons(bags_of(flat["texts"].tolist(), read(), 64), units_less_mean(vectors))
