"""From mined pairs to the arrays that training reads."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from training.embedding.bags import Bags, Read, bags_in_parallel, bags_of
from training.embedding.pair import Pair, load_pairs

SEED = 11
PER_QUESTION, PER_BODY = 2, 3
"""How often one question and one body may occur: beyond it they are boilerplate."""
PATH_PARTS = 4
"""Innermost parts of a path that are read: what stands above is the registry's layout."""
MAX_BODY_WORDS = 250
KIND_SHARES = {"name": 0.5, "test": 0.5}
"""Share of the pairs of a kind that is kept; all of the others."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Bags of questions, paths, symbols and bodies of the pairs; `shared` says which question tokens occur in the
    answer as well; `group` numbers the pairs' files."""

    questions: Bags
    paths: Bags
    symbols: Bags
    bodies: Bags
    shared: NDArray[np.bool_]
    group: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.questions)


def chosen_pairs(folder: Path, seed: int = SEED) -> list[Pair]:
    """The pairs to train on, shuffled: repeated questions and bodies are cut, some kinds thinned out."""
    rng = random.Random(seed)
    asked, answered = Counter[str](), Counter[bytes]()
    kept = []
    for pair in load_pairs(folder):
        question = re.sub(r"\W+", " ", pair.question.lower()).strip()
        body = hashlib.blake2b(re.sub(r"\s+", "", pair.body).encode("utf-8", "replace"), digest_size=8).digest()
        asked[question] += 1
        answered[body] += 1
        if (
            asked[question] <= PER_QUESTION
            and answered[body] <= PER_BODY
            and rng.random() < KIND_SHARES.get(pair.kind, 1)
        ):
            kept.append(pair)
    rng.shuffle(kept)
    return kept


def build(pairs: list[Pair], read: Read, workers: int = 1) -> Dataset:
    """Tokenise everything; more than one process gives the same."""
    tokenizer = read()
    questions = bags_of((pair.question for pair in pairs), tokenizer, 64)
    paths = bags_of(("/".join(pair.path.split("/")[-PATH_PARTS:]) for pair in pairs), tokenizer, 24)
    symbols = bags_of((pair.symbol for pair in pairs), tokenizer, 8)
    bodies = bags_in_parallel([pair.body for pair in pairs], read, MAX_BODY_WORDS, workers)
    files: dict[tuple[str, str], int] = {}
    return Dataset(
        questions=questions,
        paths=paths,
        symbols=symbols,
        bodies=bodies,
        shared=_shared(questions, (paths, symbols, bodies), len(tokenizer)),
        group=np.array([files.setdefault((pair.package, pair.path), len(files)) for pair in pairs], np.int64),
    )


def save(dataset: Dataset, path: Path) -> None:
    """Write the arrays to one file."""
    flat: dict[str, NDArray[np.generic]] = {}
    for name in dataset.__slots__:
        value = getattr(dataset, name)
        if isinstance(value, Bags):
            flat |= {f"{name}.ids": value.ids, f"{name}.offsets": value.offsets}
        else:
            flat[name] = value
    np.savez(path, **flat)  # type: ignore[arg-type]


def load(path: Path) -> Dataset:
    """Read what :func:`save` wrote."""
    flat = np.load(path)
    values: dict[str, Any] = {
        name: Bags(flat[f"{name}.ids"], flat[f"{name}.offsets"]) if f"{name}.ids" in flat else flat[name]
        for name in Dataset.__slots__
    }
    return Dataset(**values)


def sample_texts(pairs: Iterable[Pair]) -> Iterable[str]:
    """What the tokenizer is trained on: all questions, and bodies and paths of every fourth pair."""
    for number, pair in enumerate(pairs):
        yield pair.question
        if number % 4 == 0:
            yield pair.body
            yield pair.path


def _shared(questions: Bags, fields: tuple[Bags, ...], size: int) -> NDArray[np.bool_]:
    def keys(bags: Bags) -> NDArray[np.int64]:
        owners = np.repeat(np.arange(len(bags), dtype=np.int64), np.diff(bags.offsets))
        return owners * size + bags.ids

    return np.isin(keys(questions), np.concatenate([keys(field) for field in fields]))
