"""What chance may have done to a mean: bootstrap intervals and a permutation test. Pure; the same seed gives the same.

Values come in groups (repositories; one group where there is one): a mean is the mean over groups of each group's
mean, and values are drawn again within their group.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

RESAMPLES = 2000
"""Bootstrap resamples: the ends of a 95 % interval then move by less than .001 from seed to seed."""
PERMUTATIONS = 10_000
"""Sign flips: a p of .05 is then known to within .005."""
AT_ONCE = 2_000_000
"""Numbers drawn in one piece: 16 MB."""


def interval(groups: Sequence[Sequence[float]], *, seed: int = 0, resamples: int = RESAMPLES) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean (Efron and Tibshirani 1993, chapter 13); (0, 0) for no values.

    Values are drawn with Python's generator, whose sequence for a seed is part of the language.
    """
    kept = [list(values) for values in groups if values]
    if not kept:
        return (0.0, 0.0)
    draw = random.Random(seed)
    means = sorted(
        sum(sum(draw.choices(values, k=len(values))) / len(values) for values in kept) / len(kept)
        for _ in range(resamples)
    )
    return means[int(0.025 * resamples)], means[min(resamples - 1, int(0.975 * resamples))]


def permutation_p(gains: Sequence[float], *, seed: int = 0, permutations: int = PERMUTATIONS) -> float:
    """The two-sided probability of a mean gain as far from 0 as this one where which of two systems is which does not
    matter: signs of the gains are flipped at random (paired permutation test, Smucker et al. 2007).

    1 where nothing differs. The observed order counts as one of the permutations, so p is never 0.
    """
    import numpy as np

    told = np.array([gain for gain in gains if gain], dtype=np.float64)
    if not len(told):
        return 1.0
    rng = np.random.default_rng(seed)
    observed = abs(float(told.sum()))
    extreme = done = 0
    while done < permutations:
        count = min(permutations - done, max(AT_ONCE // len(told), 1))
        signs = rng.integers(0, 2, size=(count, len(told)), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ told) >= observed - 1e-12).sum())
        done += count
    return (extreme + 1) / (permutations + 1)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies (nearest rank); 0 for none."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def clustered_interval(
    clusters: Sequence[Sequence[float]], *, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean over all values where whole clusters are drawn again: values of
    one cluster are not independent of each other. (0, 0) for no values."""
    kept = [(sum(values), len(values)) for values in clusters if values]
    if not kept:
        return (0.0, 0.0)
    draw = random.Random(seed)
    means = []
    for _ in range(resamples):
        drawn = draw.choices(kept, k=len(kept))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    return means[int(0.025 * resamples)], means[min(resamples - 1, int(0.975 * resamples))]
