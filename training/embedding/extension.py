"""Train vectors of new tokens beside frozen ones: a foreign text is to point where its English original does.

The loss is the symmetric InfoNCE of :mod:`training.embedding.train` and a pull towards the original; texts whose
originals are nearly the same are not held against each other.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

SAME = 0.98
"""Cosine of two originals above which they say the same."""
SMOOTHING = 3
"""Texts without a direction that every token is taken to have: rare tokens begin near the mean."""
FIRST_NORM = 1.5
"""Length of a vector to begin with; those of the bundled model have a median of 1.15."""
LARGEST_SAMPLE = 2000
"""Texts of a token that its beginning is the mean of."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train; what it reaches is measured in docs/model.md."""

    batch: int = 1024
    epochs: float = 2.0
    rate: float = 1e-2
    temperature: float = 0.07
    drop: float = 0.15
    """Share of the new tokens of a text that is left out."""
    pull: float = 0.05
    """Weight of one minus the cosine with the original, divided by the temperature."""
    balance: float = 0.5
    """A language of n texts is drawn n ** balance times: 1 as often as it occurs, 0 all alike."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Examples:
    """Foreign texts: new `tokens` (from 0) with `offsets`, the sum of their `fixed` vectors (n, dimension), the unit
    vectors of their originals, the number of their language, and which of them can be learned from."""

    tokens: NDArray[np.int64]
    offsets: NDArray[np.int64]
    fixed: NDArray[np.float32]
    targets: NDArray[np.float32]
    languages: NDArray[np.int64]
    usable: NDArray[np.bool_]


def train(examples: Examples, size: int, recipe: Recipe) -> NDArray[np.float32]:
    """Vectors of `size` new tokens, float32 (size, dimension); zeros for a token that no text holds."""
    import torch

    torch.manual_seed(recipe.seed)
    run = _Run(examples, size, recipe)
    rows = np.flatnonzero(examples.usable)
    steps = max(int(len(rows) * recipe.epochs) // recipe.batch, 1)
    edges = np.cumsum(_chances(examples.languages[rows], recipe.balance))
    began, shown = time.process_time(), 0.0
    for step in range(steps):
        drawn = rows[np.searchsorted(edges, run.rng.random(min(recipe.batch, len(rows))) * edges[-1])]
        loss = run.step(drawn, min(1, (step + 1) / 30) * (0.49 * (1 + math.cos(math.pi * step / steps)) + 0.02))
        shown = loss if step == 0 else 0.95 * shown + 0.05 * loss
        if step % 100 == 99:
            spent = time.process_time() - began
            print(f"step {step + 1}/{steps} loss {shown:.3f} cpu {spent:.0f} s", file=sys.stderr, flush=True)
    return run.vectors()


class _Run:
    def __init__(self, examples: Examples, size: int, recipe: Recipe) -> None:
        import torch

        self._torch, self._data, self._recipe = torch, examples, recipe
        self.rng = np.random.default_rng(recipe.seed)
        start, self._seen = beginning(examples, size)
        rarity = np.clip(np.log(2 * len(examples.usable) / (self._seen + 5)), 0.3, None)
        self._vectors = torch.nn.Parameter(torch.from_numpy(start))
        self._weights = torch.nn.Parameter(torch.from_numpy(np.log(rarity / rarity.mean()).astype(np.float32)))
        self._fixed, self._targets = torch.from_numpy(examples.fixed), torch.from_numpy(examples.targets)
        self._rates = (recipe.rate, 2 * recipe.rate)
        groups = [{"params": [one]} for one in (self._vectors, self._weights)]
        self._optimiser = torch.optim.Adam(groups, lr=recipe.rate, betas=(0.9, 0.98), fused=True)

    def step(self, rows: NDArray[np.int64], share: float) -> float:
        """One step with a share of the learning rate; returns the loss."""
        torch, recipe = self._torch, self._recipe
        for group, rate in zip(self._optimiser.param_groups, self._rates, strict=True):
            group["lr"] = rate * share
        said, meant = self._sums(rows), self._targets[rows]
        wanted = torch.arange(len(rows))
        alike = (meant @ meant.T > SAME) & ~torch.eye(len(rows), dtype=torch.bool)
        scores = (said @ meant.T / recipe.temperature).masked_fill(alike, -30.0)
        entropy = torch.nn.functional.cross_entropy
        loss = (entropy(scores, wanted) + entropy(scores.T, wanted)) / 2
        loss = loss + recipe.pull * (1 - (said * meant).sum(1)).mean() / recipe.temperature
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._optimiser.step()
        return float(loss.detach())

    def _sums(self, rows: NDArray[np.int64]) -> torch.Tensor:
        """Unit vectors of foreign texts."""
        torch, data = self._torch, self._data
        starts, lengths = data.offsets[rows], data.offsets[rows + 1] - data.offsets[rows]
        owners = np.repeat(np.arange(len(rows)), lengths)
        inside = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        keep = self.rng.random(len(owners)) > self._recipe.drop
        tokens = torch.from_numpy(data.tokens[starts[owners] + inside][keep])
        offsets = torch.from_numpy(np.searchsorted(owners[keep], np.arange(len(rows))))
        total = torch.nn.functional.embedding_bag(
            tokens, self._vectors, offsets, mode="sum", per_sample_weights=torch.exp(self._weights[tokens])
        )
        return torch.nn.functional.normalize(total + self._fixed[rows], dim=1)

    def vectors(self) -> NDArray[np.float32]:
        """What has been learned, the weights included."""
        with self._torch.no_grad():
            learned = (self._vectors * self._torch.exp(self._weights)[:, None]).numpy()
        found: NDArray[np.float32] = np.where(self._seen[:, None] > 0, learned, 0).astype(np.float32)
        return found


def beginning(examples: Examples, size: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """(vectors, number of texts) of each token: the direction in which the originals of its texts lie off the mean."""
    owners = np.repeat(np.arange(len(examples.usable)), np.diff(examples.offsets))
    kept = examples.usable[owners]
    tokens, owners = examples.tokens[kept], owners[kept]
    order = np.argsort(tokens, kind="stable")
    edges = np.searchsorted(tokens[order], np.arange(size + 1))
    mean = examples.targets[examples.usable].mean(axis=0)
    start = np.zeros((size, examples.targets.shape[1]), np.float32)
    for token in range(size):
        near = owners[order[edges[token] : edges[token + 1]]][:LARGEST_SAMPLE]
        start[token] = (examples.targets[near] - mean).sum(axis=0) / (len(near) + SMOOTHING)
    start *= FIRST_NORM / np.maximum(np.linalg.norm(start, axis=1, keepdims=True), 1e-6)
    return start, np.diff(edges)


def _chances(languages: NDArray[np.int64], balance: float) -> NDArray[np.float64]:
    """How likely each text is to be drawn, not normalised."""
    texts = np.bincount(languages).astype(float)
    chances: NDArray[np.float64] = (np.maximum(texts, 1) ** (balance - 1))[languages]
    return chances
