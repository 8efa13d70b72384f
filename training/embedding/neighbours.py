"""Blocks of texts that lie near one another, so that a batch holds neighbours to tell apart.

A tree of random projections: the texts of a node are split at the median of their dots with the difference of two of
them (Dasgupta, Freund 2008, "Random projection trees and low dimensional manifolds"). Every call gives another tree.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def near_blocks(units: NDArray[np.float32], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows of `units` in blocks of `size` neighbours, shape (blocks, size); a row that fills no block is left out."""
    order = np.arange(len(units))
    parts, done = [order], []
    while parts:
        rows = parts.pop()
        if len(rows) <= size:
            done.append(rows)
            continue
        first, second = units[rng.choice(rows, 2, replace=False)]
        middle = max(len(rows) // size // 2, 1) * size
        split = np.argpartition(units[rows] @ (first - second), middle)
        parts += [rows[split[:middle]], rows[split[middle:]]]
    return np.stack([rows for rows in done if len(rows) == size])
