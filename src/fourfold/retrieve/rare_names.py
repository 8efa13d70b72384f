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
) -> NDArray[np.int64]:
    """The chunks that hold one of the names which at most :data:`HANDFUL` chunks hold; `allowed` masks them."""
    held = [corpus.rows_holding("raw", term_hash(name.lower())) for name in names]
    rows = np.concatenate([np.zeros(0, dtype=np.int64), *(found for found in held if len(found) <= HANDFUL)])
    return rows if allowed is None else rows[allowed[rows]]
