"""What a collected question teaches, and how good its answer would be under other weights."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fourfold.evaluate.learn.asked import Asked, Collected
from fourfold.evaluate.learn.replay import answer, ndcg
from fourfold.evaluate.learn.softmax import Group


def teaches(asked: Asked) -> bool:
    """True for questions that the learned order decides, with a right candidate; subjects of commits say too little of
    the files they changed."""
    return not asked.record["is_name"] and bool(asked.file_hits.any()) and "commit" not in asked.record["tags"]


def chunk_groups(asked: Asked) -> list[Group]:
    """The chunks of each right file of a question that has right ones and others."""
    if asked.record["is_name"]:
        return []
    found = []
    labels = (asked.chunk_hits & asked.record["lined"]) > 0
    for position in np.flatnonzero(asked.file_hits):
        own = slice(asked.offsets[position], asked.offsets[position + 1])
        if labels[own].any() and own.stop - own.start > 1:
            found.append(Group(asked.chunks[own], labels[own]))
    return found


def scores(found: Collected, asked: Asked, files: Mapping[str, float], chunks: Mapping[str, float]) -> float:
    """NDCG@10 of the answer that the program would give under these weights."""
    file_scores = asked.files[:, found.columns(list(files))].astype(np.float64) @ np.array(list(files.values()))
    of_chunks = np.array([chunks.get(name, 0.0) for name in found.chunk_names])
    return ndcg(answer(asked, file_scores, asked.chunks.astype(np.float64) @ of_chunks), asked.record["targets"])
