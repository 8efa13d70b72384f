"""Batches whose arrays break the schema are refused before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.contract.batches import make_batch

from fourfold.store.contract import Batch
from fourfold.store.local.store import LocalStore

FILES = {"a.py": "def a\n" * 9, "b.py": "def b"}


def changed(name: str, change: Callable[[Any], Any]) -> Batch:
    batch = make_batch(FILES)
    batch.arrays[name] = change(batch.arrays[name])
    return batch


def without(name: str) -> Batch:
    batch = make_batch(FILES)
    del batch.arrays[name]
    return batch


def with_other(name: str) -> Batch:
    batch = make_batch(FILES)
    batch.arrays[name] = np.zeros(3)
    return batch


BROKEN = {
    "chunk.start": changed("chunk.start", lambda a: a[:-1]),
    "chunk.end": changed("chunk.end", lambda a: a.astype("<i8")),
    "chunk.vector": changed("chunk.vector", lambda a: a[:, 0]),
    "chunk.file": changed("chunk.file", lambda a: a[::-1]),
    "definition.file": changed("definition.file", lambda a: a + 2),
    "definition.chunk": changed("definition.chunk", lambda a: a - 9),
    "raw.terms": changed("raw.terms", lambda a: a[::-1]),
    "raw.rows": changed("raw.rows", lambda a: a + 99),
    "raw.indptr": changed("raw.indptr", lambda a: a[::-1]),
    "raw.counts": changed("raw.counts", lambda a: a[:-1]),
    "name_tokens.indptr": changed("name_tokens.indptr", lambda a: a[:-1]),
    "name_tokens.values": changed("name_tokens.values", lambda a: a.astype("<i8")),
    "is missing": without("chunk.file"),
    "chunk.colour": with_other("chunk.colour"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_array_is_named_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    with LocalStore(tmp_path) as store, store.writer() as writer:
        with pytest.raises(ValueError, match=name.split(".")[0]):
            writer.put(BROKEN[name])
        assert store.snapshot().generation == 0
        assert not (tmp_path / "segments").exists()


@pytest.mark.parametrize(
    "second",
    [without("chunk.vector"), changed("chunk.vector", lambda a: np.hstack([a, a]))],
    ids=["lacks", "wider"],
)
def test_arrays_that_could_not_be_merged_are_refused(tmp_path: Path, second: Batch) -> None:
    with LocalStore(tmp_path) as store, store.writer() as writer:
        writer.put(make_batch({"c.py": "def c"}))
        with pytest.raises(ValueError, match=r"chunk\.vector"):
            writer.put(second)
        writer.wipe()
        writer.put(second)
        assert sorted(store.snapshot().records()) == ["a.py", "b.py"]
