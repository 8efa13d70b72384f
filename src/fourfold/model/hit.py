"""A hit: one piece of evidence from one retriever, before fusion."""

from __future__ import annotations

from fourfold.model.record import record


@record(frozen=True, slots=True)
class Hit:
    """A ranked place. `chunk` is the snapshot-wide chunk number, `line` the matching line where there is one (else 0).

    `score` is the retriever's own and comparable only within one list. Lists are sorted best first.
    """

    chunk: int
    score: float
    modality: str
    line: int = 0
