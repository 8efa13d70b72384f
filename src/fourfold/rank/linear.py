"""The learned order of candidate files: a weighted sum of features, so that each share can be shown. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fourfold.model.errors import BackendUnavailable
from fourfold.model.record import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALLEST_SHARE = 0.005
"""Smaller shares of a score are not shown."""
WEIGHTS_VERSION = 1
"""Version of the weights file and of the features it names; a file of another version is refused."""


@record(frozen=True, slots=True)
class LinearRanker:
    """Weights by feature name. A feature without a weight counts nothing."""

    weights: Mapping[str, float]

    def score(self, features: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Sum of weight times feature, shape (P,)."""
        return total(self.contributions(features))

    def contributions(self, features: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Weight times feature, shape (features, P)."""
        candidates = len(next(iter(features.values())))
        found = np.array([features[name] for name in self.weights]).reshape(len(self.weights), candidates)
        found *= np.array(list(self.weights.values()))[:, None]
        return found

    def shares(self, contributions: NDArray[np.float64], position: int) -> list[tuple[str, float]]:
        """What each feature adds to the score of a candidate, largest first; what rounds to nothing is left out."""
        names, values = list(self.weights), contributions[:, position].tolist()
        sizes = [abs(value) for value in values]
        shown = [number for number, size in enumerate(sizes) if size >= SMALLEST_SHARE]
        shown.sort(key=sizes.__getitem__, reverse=True)
        return [(names[number], values[number]) for number in shown]


def total(contributions: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores that contributions add up to, in the order of the features."""
    result: NDArray[np.float64] = contributions.sum(axis=0)
    return result


def parse_weights(data: Mapping[str, Any], known: Mapping[str, frozenset[str]]) -> dict[str, LinearRanker]:
    """The rankers of a weights file by name; `known` are the features of each.

    Raises BackendUnavailable for an unknown version or feature.
    """
    if data.get("version") != WEIGHTS_VERSION:
        raise BackendUnavailable(
            f"the ranking weights have version {data.get('version')!r}, this program reads {WEIGHTS_VERSION}",
            hint="install Fourfold again",
        )
    rankers: dict[str, LinearRanker] = {}
    for name, weights in data["rankers"].items():
        unknown = sorted(set(weights) - known.get(name, frozenset()))
        if unknown:
            raise BackendUnavailable(f"the ranking weights name an unknown feature: {unknown[0]}")
        rankers[name] = LinearRanker({feature: float(weight) for feature, weight in weights.items()})
    return rankers
