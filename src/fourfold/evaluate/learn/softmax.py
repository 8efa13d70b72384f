"""Listwise fitting: weights under which the right candidates of each question stand first.

The loss of a question is the cross entropy between its labels, shared out evenly among the right candidates, and the
softmax of the candidates' scores (ListNet's top-one probability, Cao et al. 2007), plus a squared penalty on the
weights of standardised features. The loss is strictly convex: the same groups give the same weights whatever they start
from. Newton's method finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MAX_STEPS = 60
"""Newton steps; a fit takes about ten."""
SMALLEST_GAIN = 1e-12
"""A step that would lower the loss by less than this is the last (half the Newton decrement: Boyd and Vandenberghe,
Convex Optimization, 9.5.1)."""


@dataclass(frozen=True, slots=True)
class Group:
    """The candidates of one question: features (n, f), labels (n,) with at least one above 0, and its weight."""

    features: NDArray[Any]
    labels: NDArray[Any]
    weight: float = 1.0


def deviation(groups: Sequence[Group]) -> Floats:
    """The standard deviation of each feature over all candidates; 1 for a feature that never varies. Shape (f,)."""
    spread = np.concatenate([group.features for group in groups]).astype(np.float64).std(axis=0)
    result: Floats = np.where(spread > 1e-9, spread, 1.0)
    return result


def fit(
    groups: Sequence[Group], l2: float, scale: Floats, start: Floats | None = None, prior: Floats | None = None
) -> Floats:
    """The weights (f,) of the features as they are; the penalty is `l2` times the squares of weight times `scale`, or
    of what a weight differs from its `prior`.

    Raises ValueError where there are no groups.
    """
    loss = _Loss(groups, l2, scale, None if prior is None else prior * scale)
    weights = np.zeros(len(scale)) if start is None else start * scale
    value, slope = loss(weights)
    for _ in range(MAX_STEPS):
        step = np.asarray(np.linalg.solve(loss.curvature(weights), slope), np.float64)
        gain = float(slope @ step) / 2.0
        if gain < SMALLEST_GAIN:
            break
        weights, value, slope = _descended(loss, weights, value, step, gain)
    return weights / scale


def _descended(loss: _Loss, weights: Floats, value: float, step: Floats, gain: float) -> tuple[Floats, float, Floats]:
    """The point reached, the loss there and its gradient: the whole step, or half of it until the loss falls enough."""
    length = 1.0
    while True:
        reached = weights - length * step
        found, slope = loss(reached)
        if found <= value - 0.2 * length * gain or length < 1e-6:
            return reached, found, slope
        length /= 2.0


class _Loss:
    """The mean loss over the groups by their weights, and its gradient."""

    def __init__(self, groups: Sequence[Group], l2: float, scale: Floats, prior: Floats | None = None) -> None:
        if not groups:
            raise ValueError("nothing to fit: there is no question with a right candidate")
        self._features = np.concatenate([group.features for group in groups]).astype(np.float64) / scale
        self._labels = np.concatenate([group.labels / group.labels.sum() for group in groups]).astype(np.float64)
        lengths = [len(group.labels) for group in groups]
        self._starts = np.cumsum([0, *lengths[:-1]])
        self._owner = np.repeat(np.arange(len(groups)), lengths)
        weights = np.array([group.weight for group in groups])
        self._weights = weights[self._owner] / weights.sum()
        self._l2 = l2
        self._prior = np.zeros(len(scale)) if prior is None else prior

    def __call__(self, weights: Floats) -> tuple[float, Floats]:
        likely, logs = self._softmax(weights)
        away = weights - self._prior
        loss = -(self._weights * self._labels * logs).sum() + self._l2 * (away @ away)
        pull = self._weights * (likely - self._labels)
        return float(loss), self._features.T @ pull + 2.0 * self._l2 * away

    def curvature(self, weights: Floats) -> Floats:
        """The second derivatives, shape (f, f): the covariance of the features under the softmax, and the penalty."""
        likely, _ = self._softmax(weights)
        weighted = self._features * likely[:, None]
        means = np.add.reduceat(weighted, self._starts)
        by_group = self._weights[self._starts]
        result: Floats = (weighted * self._weights[:, None]).T @ self._features - (means * by_group[:, None]).T @ means
        return result + 2.0 * self._l2 * np.eye(len(weights))

    def _softmax(self, weights: Floats) -> tuple[Floats, Floats]:
        """The probability of each candidate within its question, and its logarithm."""
        scores = self._features @ weights
        scores = scores - np.maximum.reduceat(scores, self._starts)[self._owner]
        raised = np.exp(scores)
        total = np.add.reduceat(raised, self._starts)[self._owner]
        return raised / total, scores - np.log(total)
