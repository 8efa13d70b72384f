"""Which chunk of a file answers a question: features of candidate chunks, for a linear scorer. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.chunk import KIND_CODES, TYPE_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.retrieve.evidence import Evidence

CHUNK_FEATURES: frozenset[str] = frozenset(
    "raw stems coverage content centred names name_precision name_match bonus is_function is_type is_loose size "
    "is_first".split()
)
"""Names of all features of a chunk."""

_FUNCTIONS = np.array([KIND_CODES[kind] for kind in ("function", "method", "macro", "test")], dtype=np.uint8)
_TYPES = np.array([KIND_CODES[kind] for kind in sorted(TYPE_KINDS)], dtype=np.uint8)


def chunk_features(evidence: Evidence) -> dict[str, NDArray[np.float64]]:
    """All features by name, each of shape (C,).

    BM25s are divided by their highest value among the candidates, cosines are as they are; `names` is the share of the
    question (by idf) met by the names a chunk defines, `name_precision` the share of those names that is asked for, and
    `name_match` the harmonic mean of both; `size` is the logarithm of the number of words.
    """
    weights = evidence.word_idf + 0.3
    soft = evidence.names.soft.astype(np.float64)
    names = weights @ soft / weights.sum() if len(soft) else np.zeros(len(evidence.chunks))
    precision = evidence.names.precision.astype(np.float64)
    first = np.zeros(len(evidence.chunks))
    first[evidence.offsets[:-1]] = 1.0
    is_function = np.isin(evidence.kinds, _FUNCTIONS).astype(np.float64)
    is_type = np.isin(evidence.kinds, _TYPES).astype(np.float64)
    return {
        "raw": _relative(evidence.raw),
        "stems": _relative(evidence.stems),
        "coverage": evidence.coverage.astype(np.float64),
        "content": evidence.content.astype(np.float64),
        "centred": evidence.centred.astype(np.float64),
        "names": names,
        "name_precision": precision,
        "name_match": 2.0 * names * precision / np.maximum(names + precision, 1e-9),
        "bonus": evidence.definition_bonus.astype(np.float64),
        "is_function": is_function,
        "is_type": is_type,
        "is_loose": 1.0 - np.maximum(is_function, is_type),
        "size": np.log1p(evidence.sizes.astype(np.float64)),
        "is_first": first,
    }


def _relative(values: NDArray[np.float32]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = values.astype(np.float64) / max(float(values.max(initial=0.0)), 1e-9)
    return result
