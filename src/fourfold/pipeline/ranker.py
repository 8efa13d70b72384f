"""The learned rankers: those that come with the program, and those fitted on one repository (``fourfold eval tune``).

The first are read from the package's data once a process. The second lie in a file of the user's, one a repository; a
file that another version of the program wrote, or that was fitted beside another embedding, is not used, and the reason
is kept so that it can be told.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from fourfold.model.query import INTENTS, MODALITIES
from fourfold.model.record import record
from fourfold.rank.chunks import CHUNK_FEATURES
from fourfold.rank.features import FEATURES, NEEDS_VECTORS
from fourfold.rank.linear import WEIGHTS_VERSION, LinearRanker, parse_weights

KNOWN = {"default": FEATURES, "no_vectors": FEATURES - NEEDS_VECTORS, "chunk": CHUNK_FEATURES}
"""Features by ranker."""
MAX_BYTES = 1_000_000
"""A larger file is no file of weights."""
TUNE_AGAIN = "run `fourfold eval tune` again, or `fourfold eval tune --undo`"


@cache
def rankers() -> dict[str, LinearRanker]:
    """Rankers by name: ``default``, ``no_vectors`` for an index without vectors, ``chunk`` for chunks within a file."""
    text = (Path(__file__).parent / "data/ranking.json").read_text("utf-8")
    return parse_weights(json.loads(text), KNOWN)


@record(frozen=True, slots=True)
class Ranking:
    """Rankers by name and, by intent, the modalities' weights that replace the published ones.

    `fitted` says when and on what they were fitted, empty for those that come with the program; `problem` is why a file
    of fitted weights is not used.
    """

    rankers: Mapping[str, LinearRanker] = field(default_factory=rankers)
    modalities: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    fitted: str = ""
    problem: str = ""


def read_ranking(path: Path | None, model: str) -> Ranking:
    """The ranking of a repository whose fitted weights are in `path`, for an index with vectors of `model` ("": none).

    Where there is no such file the bundled one; where it cannot be used the bundled one with the `problem`.
    """
    if path is None or not path.is_file():
        return Ranking()
    try:
        if path.stat().st_size > MAX_BYTES:
            return Ranking(problem=_unused("are too many"))
        data = json.loads(path.read_text(encoding="utf-8"))
        return _parsed(data, model)
    except _Unfit as fault:
        return Ranking(problem=_unused(str(fault)))
    except OSError as error:
        return Ranking(problem=_unused(f"cannot be read ({error.strerror})"))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Ranking(problem=_unused("are damaged"))


def stamp_of(path: Path | None) -> int:
    """Changes whenever the file of fitted weights does; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns if path is not None else 0
    except OSError:
        return 0


def learned_weights(
    fitted: str,
    model: str,
    made: Mapping[str, Mapping[str, float]],
    modalities: Mapping[str, Mapping[str, float]],
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    """What is written to a repository's file of weights: :func:`read_ranking` reads it. `facts` are for people."""
    return {
        "version": WEIGHTS_VERSION,
        "features": {name: len(KNOWN[name]) for name in made},
        "model": model,
        "fitted": fitted,
        "rankers": {name: dict(weights) for name, weights in made.items()},
        "modalities": {intent: dict(weights) for intent, weights in modalities.items()},
        "facts": dict(facts),
    }


class _Unfit(Exception):
    """The file is whole but not for this program or this index."""


def _parsed(data: Any, model: str) -> Ranking:
    if data["version"] != WEIGHTS_VERSION:
        raise _Unfit("are of another version of Fourfold")
    given = data["rankers"]
    for name, weights in given.items():
        if name not in KNOWN or data["features"].get(name) != len(KNOWN[name]) or not set(weights) <= KNOWN[name]:
            raise _Unfit("are of other features than this version has")
        if not all(isinstance(value, (int, float)) and math.isfinite(value) for value in weights.values()):
            raise ValueError(name)
    if data["model"] != model:
        raise _Unfit("were fitted beside another embedding model")
    made = {name: LinearRanker({key: float(value) for key, value in found.items()}) for name, found in given.items()}
    return Ranking({**rankers(), **made}, _modalities(data.get("modalities", {})), str(data["fitted"])[:200])


def _modalities(given: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    found = {intent: {name: float(value) for name, value in table.items()} for intent, table in given.items()}
    for intent, table in found.items():
        right = intent in INTENTS and set(table) <= set(MODALITIES)
        if not right or not all(math.isfinite(value) and value >= 0 for value in table.values()):
            raise ValueError(intent)
    return found


def _unused(why: str) -> str:
    return f"the weights fitted on this repository {why} and are not used; {TUNE_AGAIN}"
