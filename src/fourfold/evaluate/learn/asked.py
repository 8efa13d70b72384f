"""What is known of a question after it was asked: the features of every candidate, and which are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_TARGETS = 62
"""Targets of one question that fit into the bits of a number."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with P candidate files of C chunks; a *mask* has a bit for each of its `targets`.

    `record` has ``repo``, ``id``, ``query``, ``tags``, ``targets`` (their number), ``lined`` (mask of the targets that
    have lines), ``is_name`` (the whole question is a name: the hand-made score decides) and, where the weights have no
    say in the answer, ``fixed``: the masks of its first ten results. Chunks of file i are
    ``offsets[i]:offsets[i + 1]``; files are in the order of their paths.
    """

    record: dict[str, Any]
    paths: list[str]
    files: NDArray[np.float32]
    offsets: NDArray[np.int64]
    chunks: NDArray[np.float32]
    file_hits: NDArray[np.int64]
    chunk_hits: NDArray[np.int64]

    @property
    def repo(self) -> str:
        """The repository's name."""
        return str(self.record["repo"])


@dataclass(frozen=True, slots=True)
class Collected:
    """Questions with the names of their columns: features of files, and of chunks."""

    file_names: tuple[str, ...]
    chunk_names: tuple[str, ...]
    asked: tuple[Asked, ...]

    def columns(self, names: Sequence[str]) -> list[int]:
        """The columns of some file features."""
        return [self.file_names.index(name) for name in names]
