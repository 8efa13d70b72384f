"""The learned rankers, read from the package's data once a process."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from fourfold.rank.features import FEATURES
from fourfold.rank.linear import LinearRanker, parse_weights


@cache
def rankers() -> dict[str, LinearRanker]:
    """Rankers by name: ``default``, and ``no_vectors`` for an index without vectors."""
    text = files("fourfold.pipeline").joinpath("data/ranking.json").read_text("utf-8")
    return parse_weights(json.loads(text), FEATURES)
