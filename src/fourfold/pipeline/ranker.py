"""The learned rankers, read from the package's data once a process."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from fourfold.rank.chunks import CHUNK_FEATURES
from fourfold.rank.features import FEATURES, NEEDS_VECTORS
from fourfold.rank.linear import LinearRanker, parse_weights

KNOWN = {"default": FEATURES, "no_vectors": FEATURES - NEEDS_VECTORS, "chunk": CHUNK_FEATURES}
"""Features by ranker."""


@cache
def rankers() -> dict[str, LinearRanker]:
    """Rankers by name: ``default``, ``no_vectors`` for an index without vectors, ``chunk`` for chunks within a file."""
    text = files("fourfold.pipeline").joinpath("data/ranking.json").read_text("utf-8")
    return parse_weights(json.loads(text), KNOWN)
