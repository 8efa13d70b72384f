"""Names of a question that stand in few places: what it is about, whatever else it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fourfold.store.terms import term_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.corpus import Corpus

HANDFUL = 8
"""Chunks that hold a name which still tells where to look; of one in more places the other words say which."""


def holding_rare_names(
    corpus: Corpus, names: Sequence[str], allowed: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Which chunks hold one of the names that at most :data:`HANDFUL` chunks hold, shape (chunks,); `allowed` masks
    them."""
    found = np.zeros(corpus.chunks, dtype=np.bool_)
    for name in names:
        rows = corpus.rows_holding("raw", term_hash(name.lower()))
        if len(rows) <= HANDFUL:
            found[rows] = True
    return found if allowed is None else found & allowed
