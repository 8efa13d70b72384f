"""What the teacher says of single words: what training begins with, and what it must not forget."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from training.embedding.dataset import Dataset
from training.embedding.teacher import Teacher
from training.embedding.tokens import Tokenizer

MIN_LETTERS = 3
MIN_TIMES = 5
"""Times a word must be asked for: the teacher's vectors of odd words are odd."""


def teach(tokenizer: Tokenizer, dataset: Dataset, teacher: Teacher) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Tokens that are whole words of questions, and their unit vectors less the mean (words share a direction)."""
    asked = np.bincount(dataset.questions.ids, minlength=len(tokenizer))
    asked += np.bincount(dataset.english.ids, minlength=len(tokenizer))
    tokens = np.array(
        [
            token
            for token, word in enumerate(tokenizer.words)
            if len(word) >= MIN_LETTERS and word.isalpha() and asked[token] >= MIN_TIMES
        ],
        np.int64,
    )
    vectors = teacher.embed([tokenizer.words[token] for token in tokens])
    vectors -= vectors.mean(axis=0)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return tokens, vectors


def beginning(
    size: int, dimension: int, tokens: NDArray[np.int64], units: NDArray[np.float32], seed: int = 0
) -> NDArray[np.float32]:
    """Vectors to begin with: principal components of the teacher's for the words it knows, noise for the others."""
    noise = np.random.default_rng(seed).standard_normal((size, dimension)) / np.sqrt(dimension)
    start: NDArray[np.float32] = noise.astype(np.float32)
    _, axes = np.linalg.eigh(units.T @ units)
    known = units @ axes[:, ::-1][:, :dimension]
    start[tokens] = known / np.maximum(np.linalg.norm(known, axis=1, keepdims=True), 1e-9)
    return start


def save_words(path: Path, tokens: NDArray[np.int64], units: NDArray[np.float32]) -> None:
    """Write what :func:`teach` gave."""
    np.savez(path, tokens=tokens, units=units.astype(np.float16))


def load_words(path: Path) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Read what :func:`save_words` wrote."""
    flat = np.load(path)
    tokens: NDArray[np.int64] = flat["tokens"]
    return tokens, flat["units"].astype(np.float32)
