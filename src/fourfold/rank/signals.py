"""Signals of the published order, applied after fusion: a definition of a name asked for, and words in the path. Pure.

Both are factors, so that they keep the fused order among equals. Path slopes of 0.5 and 2 and a definition factor of 3
were worse on the tuning set (docs/pipelines.md); the learned ranking does without both.
"""

from __future__ import annotations

from fourfold.retrieve.structural import SAME_CASE

DEFINITION_FACTOR = 1.5
"""Factor of a chunk that defines a name of the question as written; a definition in another case gains half of it."""
PATH_SLOPE = 1.0
"""What a path gains that holds every word of the question."""
MIN_PATH_SHARE = 0.1
"""A smaller share of the question's words in a path is chance."""


def definition_factor(worth: float | None, factor: float = DEFINITION_FACTOR) -> float:
    """The factor of a chunk by the worth of its definition (:func:`fourfold.retrieve.structural.structural_hits`); 1
    where it is None."""
    if worth is None:
        return 1.0
    return factor if worth > SAME_CASE else 1.0 + (factor - 1.0) / 2


def path_factor(share: float, slope: float = PATH_SLOPE) -> float:
    """The factor of a path that holds `share` (0 to 1) of the question's words."""
    return 1.0 + slope * share if share >= MIN_PATH_SHARE else 1.0
