"""What an engine is asked, and what it answers, in our numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fourfold.model.record import record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@record(frozen=True, slots=True)
class Asked:
    """One leg of a question: ``with_path`` and ``content`` take a unit vector, ``raw``, ``stems`` and ``words`` (both,
    added) take terms, and a `field` of files takes stems. Terms are stored hashes with their weight."""

    name: str
    limit: int
    vector: NDArray[np.float32] | None = None
    raw: Mapping[int, float] | None = None
    stems: Mapping[int, float] | None = None
    field: str = ""


@record(frozen=True, slots=True)
class Ranking:
    """Snapshot-wide numbers (of chunks, or of files where a field was asked), best first, and their scores."""

    numbers: list[int]
    scores: list[float]
