"""Collected questions (:mod:`fourfold.evaluate.learn.asked`) as files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fourfold.evaluate.learn.asked import Asked, Collected

FORMAT = 1
"""Version of the files; others are refused."""


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
