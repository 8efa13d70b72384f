"""Asking an index and looking at what lies behind its answers: the features that the ranking saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fourfold.evaluate.learn.asked import MAX_TARGETS, Asked
from fourfold.evaluate.metrics import TOP_K, Place, hits, same_path
from fourfold.evaluate.question import Target
from fourfold.pipeline.asked import stored
from fourfold.pipeline.searcher import is_name
from fourfold.rank.chunks import CHUNK_FEATURES, chunk_features
from fourfold.rank.features import FEATURES
from fourfold.rank.intent import classify

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.model.query import Query
    from fourfold.pipeline.searcher import Searcher
    from fourfold.retrieve.evidence import Evidence

FILE_NAMES = tuple(sorted(FEATURES))
CHUNK_NAMES = tuple(sorted(CHUNK_FEATURES))


class Asker:
    """Asks one index. `prefix` is where its root lies below that which targets are relative to: "" or ``folder/``."""

    def __init__(self, index: Index, prefix: str = "") -> None:
        self._index = index
        self._prefix = prefix
        self._searcher: Searcher = index._open_searcher()

    def ask(self, text: str, targets: Sequence[Target], record: Mapping[str, Any]) -> Asked:
        """What the ranking sees of a question; `record` names it (``repo``, ``id`` and what else is wanted)."""
        query = classify(text, self._searcher.knows)
        kept = tuple(targets)[:MAX_TARGETS]
        said: dict[str, Any] = {
            **record,
            "query": text,
            "targets": len(kept),
            "lined": sum(1 << bit for bit, target in enumerate(kept) if target.start_line is not None),
            "is_name": is_name(query),
        }
        if self._searcher.answer(query).method != "feature_rerank":
            said["fixed"] = self._fixed(text, kept)
        evidence, files = self._look(query)
        chunks = chunk_features(evidence)
        file_hits, chunk_hits = self._hits(kept, evidence)
        return Asked(
            said,
            list(evidence.paths),
            np.stack([files[name] for name in FILE_NAMES], axis=1).astype(np.float32),
            evidence.offsets,
            np.stack([chunks[name] for name in CHUNK_NAMES], axis=1).astype(np.float32),
            file_hits,
            chunk_hits,
        )

    def _look(self, query: Query) -> tuple[Evidence, dict[str, NDArray[np.float64]]]:
        question = stored(query)
        evidence = self._searcher.gather(question, query.meaning, None)
        return evidence, self._searcher.file_features(question, query, evidence)

    def _fixed(self, text: str, targets: Sequence[Target]) -> list[int]:
        found = self._index.search(text, limit=TOP_K, refresh=False).items
        places = [Place(self._prefix + item.path, item.start_line, item.end_line) for item in found]
        return [sum(1 << bit for bit, target in enumerate(targets) if hits(place, target)) for place in places]

    def _hits(self, targets: Sequence[Target], evidence: Evidence) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Masks of the targets that each file, and each chunk, would show."""
        corpus = self._searcher.corpus
        first, last = corpus.start_lines[evidence.chunks], corpus.column("chunk.end")[evidence.chunks]
        owner = np.repeat(np.arange(len(evidence.files)), np.diff(evidence.offsets))
        files, chunks = np.zeros(len(evidence.files), np.int64), np.zeros(len(evidence.chunks), np.int64)
        for bit, target in enumerate(targets):
            here = np.array([same_path(self._prefix + path, target.path) for path in evidence.paths], np.bool_)
            shown = here[owner] if len(here) else np.zeros(0, np.bool_)
            if target.start_line is not None and target.end_line is not None:
                shown = shown & (first <= target.end_line) & (last >= target.start_line)
            files[here] |= 1 << bit
            chunks[shown] |= 1 << bit
        return files, chunks
