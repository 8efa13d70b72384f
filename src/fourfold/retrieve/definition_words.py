"""Definitions whose names hold the words of a question: the structural modality for prose that names no symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.hit import Hit
from fourfold.model.text import parts
from fourfold.retrieve.structural import MODALITY
from fourfold.store.contract import LAST_LINE
from fourfold.store.local.postings import best, idf
from fourfold.store.local.schema import FILE_FIELDS
from fourfold.store.terms import stem, term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.corpus import Corpus
    from fourfold.store.local.snapshot import LocalSnapshot
    from fourfold.store.question import Question

FILES = 30
"""Files whose definitions are looked at: those whose names hold most of the question, rare words counting more."""
_DEFINITIONS = FILE_FIELDS.index("definitions")


def definitions_like(
    snapshot: LocalSnapshot,
    corpus: Corpus,
    question: Question,
    limit: int,
    allowed: NDArray[np.bool_] | None = None,
) -> list[Hit]:
    """Chunks that define a name with words of the question, best first.

    Score: the harmonic mean of the share of the question (by idf) that the name holds and of the share of the name that
    is asked for; a chunk has the score of its best definition.
    """
    rarity, files = _files_with(corpus, question, allowed)
    total = sum(rarity.values())
    scores: dict[int, tuple[float, int]] = {}
    spans = [(corpus.paths[number], 0, LAST_LINE) for number in files.tolist()]
    for number, defined in zip(files.tolist(), snapshot.names_within(spans), strict=True):
        first = int(corpus.first_chunk[number])
        for one in defined:
            chunk = first + one.chunk
            if one.chunk < 0 or (allowed is not None and not allowed[chunk]):
                continue
            score = _match({stem(part) for part in parts(one.name)}, rarity, total)
            if score > scores.get(chunk, (0.0, 0))[0]:
                scores[chunk] = (score, one.start_line)
    rows = np.array(list(scores), dtype=np.int64)
    if not len(rows):
        return []
    order = np.lexsort((corpus.chunk_order(rows), np.array([-scores[int(row)][0] for row in rows])))
    return [Hit(int(row), scores[int(row)][0], MODALITY, scores[int(row)][1]) for row in rows[order][:limit]]


def _files_with(
    corpus: Corpus, question: Question, allowed: NDArray[np.bool_] | None
) -> tuple[dict[str, float], NDArray[np.int64]]:
    """Idf of each stem of the question among definitions, and the files whose definitions hold most of them."""
    worth = np.zeros(corpus.files, dtype=np.float32)
    rarity: dict[str, float] = {}
    for word in dict.fromkeys(question.content_stems):
        found = corpus.fields.find(term_hash(word))
        holding = np.zeros(0, dtype=np.int64)
        if found.counts is not None:
            holding = found.rows[found.counts[:, _DEFINITIONS] > 0]
        rarity[word] = idf(corpus.live_file_count, len(holding))
        worth[holding] += np.float32(rarity[word])
    if allowed is not None:
        keep = np.zeros(corpus.files, dtype=np.bool_)
        keep[corpus.chunk_file[allowed]] = True
        worth = np.where(keep, worth, np.float32(0.0))
    return rarity, best(worth, FILES, corpus.file_order.__getitem__)


def _match(name: set[str], rarity: dict[str, float], total: float) -> float:
    met = name & rarity.keys()
    if not met:
        return 0.0
    coverage = sum(rarity[word] for word in met) / total
    precision = len(met) / len(name)
    return 2 * coverage * precision / (coverage + precision)
