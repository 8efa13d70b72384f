"""Evidence written by hand: zeros and nothing found, but for what a test gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fourfold.model.chunk import KIND_CODES
from fourfold.retrieve.evidence import LISTS, UNRANKED, Evidence
from fourfold.retrieve.name_words import Names

FIELDS = ("path", "definitions", "docs", "head", "body")


def evidence(paths: Sequence[str], chunks: Sequence[int], words: int = 0, **given: Any) -> Evidence:
    """Candidates at `paths` with so many chunks each, for a question of `words` content words.

    `given` replaces arrays by their name; lists of numbers are taken as arrays, `ranks` by list name.
    """
    files, count = len(paths), sum(chunks)
    nothing = np.zeros(count, np.float32)
    values: dict[str, Any] = {
        "files": np.arange(files),
        "paths": list(paths),
        "offsets": np.cumsum([0, *chunks]),
        "chunks": np.arange(count) + 100,
        **dict.fromkeys(("raw", "stems", "coverage", "content", "with_path", "centred"), nothing),
        "field_scores": np.zeros((files, len(FIELDS)), np.float32),
        "word_fields": {name: np.zeros((words, files), np.bool_) for name in FIELDS},
        "word_idf": np.ones(words),
        "names": Names(np.zeros((words, count), np.float32), nothing),
        "kinds": np.full(count, KIND_CODES["function"], np.uint8),
        "sizes": np.full(count, 20, np.float32),
        **{name: np.zeros(files, np.float32) for name in ("name_pairs", "exact", "exact_type", "imported")},
        "definition_bonus": nothing,
        "rare": np.zeros(count, np.bool_),
        "superseded": np.zeros(files, np.float32),
        "file_centred": np.zeros(files, np.float32),
    }
    ranks = {name: np.full(count, UNRANKED, np.int64) for name in LISTS}
    ranks |= {name: np.array(found, np.int64) for name, found in given.pop("ranks", {}).items()}
    for name, value in given.items():
        values[name] = np.array(value, np.float32) if isinstance(value, list) else value
    return Evidence(ranks=ranks, **values)
