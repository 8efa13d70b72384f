"""Fitting the ranking to one repository, and telling honestly what that brings.

Questions fall into folds by the file that answers them, so that no question is judged by weights that have seen another
one on the same file. Within the other folds one is kept aside to choose how far the weights may leave those that come
with the program; what nothing is gained by leaves them as they are. The gain is that on the folds left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fourfold.evaluate.learn.asked import Asked, Collected
from fourfold.evaluate.learn.groups import chunk_groups, scores, teaches
from fourfold.evaluate.learn.softmax import Group, deviation, fit
from fourfold.evaluate.statistics import clustered_interval

Weights = dict[str, float]
Choice = tuple[float, bool]
"""The penalty on the weights of files (0: they stay), and whether those of chunks are fitted too."""
Say = Callable[[int, int], None]

FOLDS = 5
MIN_TEACHING = 40
"""Questions that teach something, at least: a fifth of fewer says nothing about a gain."""
FILE_PENALTIES = (3.0, 0.3, 0.03)
"""How strongly weights are held where they are, strongest first; 0.03 is what the bundled ones were fitted under."""
CHUNK_PENALTY = 0.1
DIGITS = 5


@dataclass(frozen=True, slots=True)
class Fitted:
    """Weights by feature: of files and of chunks. `penalty` is what they were fitted under, 0 for the bundled ones."""

    files: Weights
    chunks: Weights
    penalty: float = 0.0
    own_chunks: bool = False


@dataclass(frozen=True, slots=True)
class Gain:
    """NDCG@10 before and after on questions left out, with the 95 % interval of the mean gain (files drawn again, so
    that questions on one file count as one piece of news)."""

    before: float
    after: float
    low: float
    high: float
    questions: int
    better: int
    worse: int

    @property
    def real(self) -> bool:
        """True where chance alone would hardly have brought it."""
        return self.low > 0


@dataclass(frozen=True, slots=True)
class Tuned:
    """What tuning found: weights fitted on all questions, and the gain that the same procedure has on questions it has
    not seen. `by_kind` is (before, after, number) of each kind."""

    fitted: Fitted
    gain: Gain
    teaching: int
    by_kind: Mapping[str, tuple[float, float, int]] = field(default_factory=dict)


class Tuner:
    """Fits on collected questions. `base` are the weights that come with the program."""

    def __init__(self, found: Collected, base: Fitted) -> None:
        self._found = found
        self._base = base
        self._names = list(base.files)
        self._columns = found.columns(self._names)
        self._prior = np.array([base.files[name] for name in self._names])
        self._chunk_prior = np.array([base.chunks.get(name, 0.0) for name in found.chunk_names])
        learnable = [one for one in found.asked if is_learnable(one)]
        self._scale = deviation(self._file_groups(learnable)) if learnable else np.ones(len(self._names))
        chunks = self._chunk_groups(learnable)
        self._chunk_scale = deviation(chunks) if chunks else np.ones(len(found.chunk_names))
        self.teaching = len(learnable)

    def tune(self, folds: int = FOLDS, say: Say | None = None) -> Tuned:
        """Fit, and measure the gain fold by fold."""
        groups = by_file(self._found.asked, folds)
        before: list[float] = []
        after: list[float] = []
        order: list[Asked] = []
        for number, out in enumerate(groups):
            chosen = self._choose(groups, number)
            order += out
            before += [self._score(one, self._base) for one in out]
            after += [self._score(one, chosen) for one in out]
            if say is not None:
                say(number + 1, folds + 1)
        fitted = self._final(groups)
        if say is not None:
            say(folds + 1, folds + 1)
        return Tuned(fitted, gain_of(order, before, after), self.teaching, _by_kind(order, before, after))

    def _choose(self, groups: Sequence[Sequence[Asked]], out: int) -> Fitted:
        """What would be installed if the fold `out` did not exist."""
        aside = (out + 1) % len(groups)
        inner = [one for number, group in enumerate(groups) if number not in (out, aside) for one in group]
        penalty, own_chunks = self._best(inner, groups[aside])
        return self._fit([*inner, *groups[aside]], penalty, own_chunks)

    def _final(self, groups: Sequence[Sequence[Asked]]) -> Fitted:
        """The weights for all questions: under the penalty that is surest to help over the folds."""
        found: dict[Choice, list[float]] = {}
        for number in range(len(groups)):
            rest = [one for other, group in enumerate(groups) if other != number for one in group]
            for choice, gains in self._gains(rest, groups[number]).items():
                found.setdefault(choice, []).extend(gains)
        return self._fit([one for group in groups for one in group], *surest(found))

    def _best(self, inner: Sequence[Asked], aside: Sequence[Asked]) -> Choice:
        return surest(self._gains(inner, aside))

    def _gains(self, inner: Sequence[Asked], aside: Sequence[Asked]) -> dict[Choice, list[float]]:
        """What each question of `aside` gains over the bundled weights under weights fitted on `inner`, by choice;
        penalty 0 leaves the weights of files as they are."""
        before = [self._score(one, self._base) for one in aside]
        found = {}
        for own_chunks in (False, True):
            for penalty in (0.0, *FILE_PENALTIES):
                fitted = self._fit(inner, penalty, own_chunks)
                after = [self._score(one, fitted) for one in aside]
                found[penalty, own_chunks] = [new - old for old, new in zip(before, after, strict=True)]
        return found

    def _fit(self, asked: Sequence[Asked], penalty: float, own_chunks: bool) -> Fitted:
        learnable = [one for one in asked if is_learnable(one)]
        files, chunks = self._base.files, self._base.chunks
        if penalty and (groups := self._file_groups(learnable)):
            values = fit(groups, penalty, self._scale, self._prior, self._prior)
            files = dict(zip(self._names, _rounded(values.tolist()), strict=True))
        if own_chunks and (pieces := self._chunk_groups(learnable)):
            values = fit(pieces, CHUNK_PENALTY, self._chunk_scale, self._chunk_prior, self._chunk_prior)
            chunks = dict(zip(self._found.chunk_names, _rounded(values.tolist()), strict=True))
        return Fitted(files, chunks, penalty, own_chunks)

    def _file_groups(self, asked: Iterable[Asked]) -> list[Group]:
        return [Group(one.files[:, self._columns], one.file_hits > 0) for one in asked]

    def _chunk_groups(self, asked: Iterable[Asked]) -> list[Group]:
        return [group for one in asked for group in chunk_groups(one)]

    def _score(self, asked: Asked, fitted: Fitted) -> float:
        return scores(self._found, asked, fitted.files, fitted.chunks)


def surest(gains: Mapping[Choice, Sequence[float]]) -> Choice:
    """The choice whose mean gain less its standard error is greatest: nothing is changed for what chance may bring
    (the rule of one standard error, Breiman et al. 1984)."""

    def bound(values: Sequence[float]) -> float:
        count = len(values)
        if count < 2:
            return 0.0
        mean = sum(values) / count
        return mean - math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)

    return max(gains, key=lambda choice: bound(gains[choice]))


def is_learnable(asked: Asked) -> bool:
    """True where the weights decide the answer and a right file is a candidate."""
    return teaches(asked) and "fixed" not in asked.record


def by_file(asked: Sequence[Asked], folds: int) -> list[list[Asked]]:
    """Folds of questions, those that the same file answers in the same one: every `folds`-th file by the alphabet of
    the files' names turned round, so that neighbours in a folder are apart."""
    ordered = sorted({str(one.record["file"]) for one in asked}, key=lambda path: path[::-1])
    place = {path: number % folds for number, path in enumerate(ordered)}
    found: list[list[Asked]] = [[] for _ in range(folds)]
    for one in asked:
        found[place[str(one.record["file"])]].append(one)
    return [group for group in found if group]


def gain_of(asked: Sequence[Asked], before: Sequence[float], after: Sequence[float], seed: int = 0) -> Gain:
    """The mean gain with its interval."""
    gains = [new - old for old, new in zip(before, after, strict=True)]
    files: dict[str, list[float]] = {}
    for one, gain in zip(asked, gains, strict=True):
        files.setdefault(str(one.record["file"]), []).append(gain)
    low, high = clustered_interval(list(files.values()), seed=seed)
    count = max(len(gains), 1)
    return Gain(
        sum(before) / count,
        sum(after) / count,
        low,
        high,
        len(gains),
        sum(gain > 1e-9 for gain in gains),
        sum(gain < -1e-9 for gain in gains),
    )


def _by_kind(
    asked: Sequence[Asked], before: Sequence[float], after: Sequence[float]
) -> dict[str, tuple[float, float, int]]:
    found: dict[str, list[tuple[float, float]]] = {}
    for one, old, new in zip(asked, before, after, strict=True):
        found.setdefault(str(one.record["kind"]), []).append((old, new))
    return {
        kind: (sum(old for old, _ in pairs) / len(pairs), sum(new for _, new in pairs) / len(pairs), len(pairs))
        for kind, pairs in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, DIGITS) + 0.0 for value in values]
