"""Train the token vectors: questions beside their code, sentences and words beside a teacher.

A text's vector is the sum of the vectors of its set of tokens. The loss is the symmetric InfoNCE of van den Oord, Li,
Vinyals 2018 ("Representation Learning with Contrastive Predictive Coding"), every other answer of the batch being a
wrong one.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from training.embedding.dataset import Dataset
from training.embedding.drawn import Drawn
from training.embedding.lessons import Lessons
from training.embedding.recipe import Recipe

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Trained:
    """Token vectors (size, dimension), weights included, and the weights of path, symbol and body."""

    vectors: NDArray[np.float32]
    fields: tuple[float, float, float]


def mean_of(found: Sequence[Trained]) -> Trained:
    """The mean of tables that were trained from one beginning, and of the logarithms of their field weights.

    Runs from one beginning end near one another (Wortsman et al. 2022, "Model soups").
    """
    fields = np.exp(np.mean(np.log([one.fields for one in found]), axis=0))
    path, symbol, body = (float(weight) for weight in fields)
    return Trained(np.mean([one.vectors for one in found], axis=0), (path, symbol, body))


TEACHER_TEMPERATURE = 0.05
"""What the teacher's cosines are divided by: the nearest dozen of a batch count, the rest hardly."""

PREFIXES: tuple[str, ...] = (
    "how does", "where is", "how to", "find the", "code that", "function that", "implementation of", "what does",
    "how is", "which class", "logic for", "the code for", "how are", "handling of", "support for", "where do we",
)  # fmt: skip


def prefix_tokens(word_ids: Callable[[str], Iterable[int]]) -> list[tuple[int, ...]]:
    """The tokens of :data:`PREFIXES`."""
    return [tuple(token for word in prefix.split() for token in word_ids(word)) for prefix in PREFIXES]


@dataclass(frozen=True, slots=True)
class _Texts:
    """Tokens of some texts, whose they are, and which field each is of (0 path, 1 symbol, 2 body; None: no field)."""

    ids: NDArray[np.int64]
    owners: NDArray[np.int64]
    fields: NDArray[np.int64] | None = None


class Trainer:
    """One training run."""

    def __init__(
        self,
        dataset: Dataset,
        size: int,
        recipe: Recipe,
        prefixes: list[tuple[int, ...]],
        start: NDArray[np.float32] | Trained | None = None,
        sentences: Lessons | None = None,
        words: Lessons | None = None,
    ) -> None:
        """`start` are vectors to begin with (size, dimension), or a trained model to go on with; else it is noise."""
        import torch

        self._torch = torch
        torch.manual_seed(recipe.seed)
        self._rng = np.random.default_rng(recipe.seed)
        self._data, self._recipe, self._prefixes = dataset, recipe, prefixes
        self._lessons = [
            Drawn(lessons, weight, near, recipe.taught_batch, self._rng)
            for lessons, weight, near in ((sentences, recipe.taught, recipe.near), (words, recipe.worded, 1))
            if lessons is not None and weight
        ]
        if isinstance(start, Trained):
            first = torch.tensor(start.vectors)
            self._log_weights = torch.nn.Parameter(torch.zeros(size))
            self._fields = torch.nn.Parameter(torch.tensor(start.fields).log())
        else:
            noise = torch.randn(size, recipe.dimension) / math.sqrt(recipe.dimension)
            first = noise if start is None else torch.tensor(start)
            self._log_weights = torch.nn.Parameter(torch.tensor(self._rarity(size)))
            self._fields = torch.nn.Parameter(torch.zeros(3))
        self._vectors = torch.nn.Parameter(first.float())
        slow = [self._log_weights, self._fields]
        groups = [{"params": [self._vectors], "lr": recipe.rate}, {"params": slow, "lr": recipe.weight_rate}]
        self._optimiser = torch.optim.Adam(groups, betas=(0.9, 0.98), fused=True)
        order = np.argsort(dataset.group, kind="stable")
        sorted_groups = dataset.group[order]
        self._mates = order
        self._low = np.searchsorted(sorted_groups, dataset.group, "left")
        self._high = np.searchsorted(sorted_groups, dataset.group, "right")

    def run(self) -> Trained:
        """Train and return the vectors."""
        recipe, torch = self._recipe, self._torch
        steps = max(int(len(self._data) * recipe.epochs) // recipe.batch, 1)
        began, shown = time.process_time(), 0.0
        order = self._rng.permutation(0)
        for step in range(steps):
            if len(order) < recipe.batch:
                order = self._rng.permutation(len(self._data))
            rows, order = order[: recipe.batch], order[recipe.batch :]
            self._schedule(step, steps)
            loss = self._step_loss(rows)
            self._optimiser.zero_grad(set_to_none=True)
            loss.backward()
            self._optimiser.step()
            shown = float(loss.detach()) if step == 0 else 0.95 * shown + 0.05 * float(loss.detach())
            if step % 20 == 19:
                spent = time.process_time() - began
                print(f"step {step + 1}/{steps} loss {shown:.3f} cpu {spent:.0f} s", file=sys.stderr, flush=True)
        with torch.no_grad():
            vectors = (self._vectors * torch.exp(self._log_weights)[:, None]).numpy().astype(np.float32)
            path, symbol, body = (float(value) for value in torch.exp(self._fields))
        return Trained(vectors, (path, symbol, body))

    def _rarity(self, size: int) -> NDArray[np.float32]:
        """Logarithms of inverse document frequencies, mean 1: what the weights begin with."""
        data = self._data
        seen = np.bincount(data.bodies.ids, minlength=size) + 3.0 * np.bincount(data.questions.ids, minlength=size)
        rarity = np.clip(np.log(2 * len(data) / (seen + 5)), 0.3, None)
        logarithms: NDArray[np.float32] = np.log(rarity / rarity.mean()).astype(np.float32)
        return logarithms

    def _schedule(self, step: int, steps: int) -> None:
        """Warm up over 30 steps, then fall along a half cosine to 2 %."""
        share = min(1.0, (step + 1) / 30) * (0.49 * (1 + math.cos(math.pi * step / steps)) + 0.02)
        for group, rate in zip(
            self._optimiser.param_groups, (self._recipe.rate, self._recipe.weight_rate), strict=True
        ):
            group["lr"] = rate * share

    def _step_loss(self, rows: NDArray[np.int64]) -> torch.Tensor:
        """All texts of a step are summed in one call: each call costs a gradient as large as the vocabulary."""
        parts = [self._question(rows), self._answer(self._partners(rows))]
        sizes = [len(rows), len(rows)]
        drawn = [lessons.draw() for lessons in self._lessons]
        for lessons, chosen in zip(self._lessons, drawn, strict=True):
            parts.append(_Texts(*lessons.texts.take(chosen)))
            sizes.append(len(chosen))
        asked, answers, *taught = self._sums(parts, sizes)
        loss = self._contrast(asked, answers, self._recipe.temperature)
        for lessons, chosen, sums in zip(self._lessons, drawn, taught, strict=True):
            loss = loss + lessons.weight * self._lesson(sums, lessons.units[chosen])
        return loss

    def _contrast(self, first: torch.Tensor, second: torch.Tensor, temperature: float) -> torch.Tensor:
        functional = self._torch.nn.functional
        scores = functional.normalize(first, dim=1) @ functional.normalize(second, dim=1).T / temperature
        wanted = self._torch.arange(len(scores))
        return (functional.cross_entropy(scores, wanted) + functional.cross_entropy(scores.T, wanted)) / 2

    def _lesson(self, texts: torch.Tensor, units: NDArray[np.float32]) -> torch.Tensor:
        """How far the neighbours of some texts are from the teacher's: KL of the two softmaxes over the batch."""
        torch, functional = self._torch, self._torch.nn.functional
        own = functional.normalize(texts, dim=1)
        theirs = torch.from_numpy(units)
        hidden = torch.eye(len(units), dtype=torch.bool)
        mine = (own @ own.T / self._recipe.taught_temperature).masked_fill(hidden, -30.0)
        wanted = (theirs @ theirs.T / TEACHER_TEMPERATURE).masked_fill(hidden, -30.0)
        return functional.kl_div(functional.log_softmax(mine, 1), functional.softmax(wanted, 1), reduction="batchmean")

    def _partners(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows themselves, some of them replaced by another of the same file."""
        span = self._high[rows] - self._low[rows]
        mates = self._mates[self._low[rows] + (self._rng.random(len(rows)) * span).astype(np.int64)]
        return np.where(self._rng.random(len(rows)) < self._recipe.other_symbol, mates, rows)

    def _question(self, rows: NDArray[np.int64]) -> _Texts:
        recipe, rng, data = self._recipe, self._rng, self._data
        ids, owners = data.questions.take(rows)
        starts = data.questions.offsets[rows]
        counts = np.bincount(owners, minlength=len(rows))
        shared = data.shared[np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(len(ids))]
        unshared = rng.random(len(rows)) < recipe.unshared
        left = np.bincount(owners, weights=~shared, minlength=len(rows))
        keep = (rng.random(len(ids)) > recipe.drop_question) & ~(shared & (unshared & (left >= 2))[owners])
        named = rng.random(len(rows)) < recipe.symbol_question
        keep &= ~named[owners]
        names, name_owners = data.symbols.take(rows)
        use = named[name_owners]
        begun = np.flatnonzero(rng.random(len(rows)) < recipe.prefix)
        chosen = [self._prefixes[number] for number in rng.integers(0, len(self._prefixes), len(begun))]
        extra = np.array([token for prefix in chosen for token in prefix], np.int64)
        extra_owners = np.repeat(begun, [len(prefix) for prefix in chosen])
        ids = np.concatenate([ids[keep], names[use], extra])
        owners = np.concatenate([owners[keep], name_owners[use], extra_owners])
        bare = np.flatnonzero(np.bincount(owners, minlength=len(rows)) == 0)
        again, again_owners = data.questions.take(rows[bare])
        return _Texts(np.concatenate([ids, again]), np.concatenate([owners, bare[again_owners]]))

    def _answer(self, rows: NDArray[np.int64]) -> _Texts:
        recipe, rng = self._recipe, self._rng
        kept, fields = [], []
        for number, bags in enumerate((self._data.paths, self._data.symbols, self._data.bodies)):
            ids, owners = bags.take(rows)
            if number == 2:
                keep = rng.random(len(ids)) > recipe.drop_body
            else:
                keep = (rng.random(len(rows)) > recipe.drop_field)[owners]
            kept.append((ids[keep], owners[keep]))
            fields.append(np.full(int(keep.sum()), number))
        ids, owners = (np.concatenate(parts) for parts in zip(*kept, strict=True))
        return _Texts(ids, owners, np.concatenate(fields))

    def _sums(self, parts: list[_Texts], sizes: list[int]) -> tuple[torch.Tensor, ...]:
        """The vectors of the texts of each part."""
        torch = self._torch
        starts = np.cumsum([0, *sizes])
        owners = np.concatenate([part.owners + start for part, start in zip(parts, starts, strict=False)])
        ids = np.concatenate([part.ids for part in parts])
        fields = np.concatenate([np.full(len(part.ids), 3) if part.fields is None else part.fields for part in parts])
        order = np.argsort(owners, kind="stable")
        tokens = torch.from_numpy(ids[order])
        offsets = torch.from_numpy(np.searchsorted(owners[order], np.arange(starts[-1])).astype(np.int64))
        shares = torch.cat([self._fields, torch.zeros(1)])
        weights = torch.exp(self._log_weights[tokens] + shares[torch.from_numpy(fields[order])])
        total = torch.nn.functional.embedding_bag(
            tokens, self._vectors, offsets, mode="sum", per_sample_weights=weights
        )
        return tuple(total.split(sizes))
