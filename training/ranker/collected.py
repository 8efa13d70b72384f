"""What is known of a question after it was asked: the features of every candidate, and which are right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_TARGETS = 62
"""Targets of one question that fit into the bits of a number."""

FORMAT = 1
"""Version of the files; others are refused."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with P candidate files of C chunks; a *mask* has a bit for each of its `targets`.

    `record` has ``repo``, ``id``, ``language``, ``category``, ``query``, ``tags``, ``targets`` (their number),
    ``lined`` (mask of the targets that have lines), ``is_name`` (the whole question is a name: the hand-made score
    decides) and, where the weights have no say in the answer, ``fixed``: the masks of its first ten results.
    Chunks of file i are ``offsets[i]:offsets[i + 1]``; files are in the order of their paths.
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


def save(path: Path, found: Collected) -> None:
    """Write the questions of one repository as a compressed ``.npz`` without pickled objects."""
    records = [{**one.record, "paths": one.paths} for one in found.asked]
    head = {"format": FORMAT, "files": found.file_names, "chunks": found.chunk_names, "records": records}
    asked = found.asked
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        head=np.frombuffer(json.dumps(head).encode(), np.uint8),
        files=_joined([one.files for one in asked], (0, len(found.file_names)), np.float32),
        chunks=_joined([one.chunks for one in asked], (0, len(found.chunk_names)), np.float32),
        lengths=_joined([np.diff(one.offsets) for one in asked], (0,), np.int64),
        file_hits=_joined([one.file_hits for one in asked], (0,), np.int64),
        chunk_hits=_joined([one.chunk_hits for one in asked], (0,), np.int64),
    )


def load(folder: Path) -> Collected:
    """All questions below a folder, by file name.

    Raises FileNotFoundError where there are none, ValueError for a file of another format or with other features.
    """
    found: list[Collected] = [_load(path) for path in sorted(folder.glob("*.npz"))]
    if not found:
        raise FileNotFoundError(f"no collected questions in {folder}: run python -m training.ranker.collect")
    first = found[0]
    for path, one in zip(sorted(folder.glob("*.npz")), found, strict=True):
        if (one.file_names, one.chunk_names) != (first.file_names, first.chunk_names):
            raise ValueError(f"{path} was collected with other features: collect it anew")
    return Collected(first.file_names, first.chunk_names, tuple(asked for one in found for asked in one.asked))


def _load(path: Path) -> Collected:
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    head = json.loads(arrays["head"].tobytes())
    if head.get("format") != FORMAT:
        raise ValueError(f"{path} has format {head.get('format')!r}, not {FORMAT}: collect it anew")
    asked = []
    file_at = chunk_at = 0
    for record in head["records"]:
        paths = record.pop("paths")
        lengths = arrays["lengths"][file_at : file_at + len(paths)]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        files, chunks = slice(file_at, file_at + len(paths)), slice(chunk_at, chunk_at + int(offsets[-1]))
        asked.append(
            Asked(record, paths, arrays["files"][files], offsets, arrays["chunks"][chunks],
                  arrays["file_hits"][files], arrays["chunk_hits"][chunks])
        )  # fmt: skip
        file_at, chunk_at = files.stop, chunks.stop
    return Collected(tuple(head["files"]), tuple(head["chunks"]), tuple(asked))


def _joined(arrays: Sequence[NDArray[Any]], empty: tuple[int, ...], kind: type) -> NDArray[Any]:
    return np.concatenate([np.zeros(empty, kind), *arrays]).astype(kind)
