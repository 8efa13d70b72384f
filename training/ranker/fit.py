"""Fit the ranking: ``python -m training.ranker.fit --tuning DIR --mined DIR [--cross-validate] [--out FILE]``.

The folders are those of ``collect``. What is fitted on what, and how good it is, is in ``docs/ranking.md``. Nothing
here is drawn by chance: the losses are convex, the folds go by the alphabet.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from training.ranker.collected import load

from fourfold.evaluate.learn.asked import Asked, Collected
from fourfold.evaluate.learn.groups import chunk_groups, scores, teaches
from fourfold.evaluate.learn.replay import by, over_repositories
from fourfold.evaluate.learn.softmax import Group, deviation, fit
from fourfold.rank.features import NEEDS_VECTORS
from fourfold.rank.linear import WEIGHTS_VERSION

FILE_L2 = 0.03
CHUNK_L2 = 0.003
"""Penalties; the figures moved by less than .002 between a third and three times of each."""
MINED_SHARE = 0.5
"""The weight of all mined questions together, as a part of that of all tuning questions: these are by hand, those are
not, but they know more repositories."""
SET_BY_HAND: Mapping[str, float] = {"meaning_alone": 1.5, "rare_name": 4.0}
"""Weights of features that hardly a question to fit on calls for (``docs/ranking.md``)."""
FOLDS = 7
DIGITS = 4

Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Fitter:
    """Fits rankers on some questions of `tuning` and `mined`."""

    tuning: Collected
    mined: Collected

    def files(
        self, names: Sequence[str], without: frozenset[str] = frozenset(), start: Weights | None = None
    ) -> Weights:
        """The order of files by the features `names`, without the repositories `without`."""
        first, second = (
            [one for one in found.asked if teaches(one) and one.repo not in without]
            for found in (self.tuning, self.mined)
        )
        share = MINED_SHARE * len(first) / len(second) if first and second else 1.0
        columns = self.tuning.columns(names)
        groups = [Group(one.files[:, columns], one.file_hits > 0, 1.0) for one in first]
        groups += [Group(one.files[:, columns], one.file_hits > 0, share) for one in second]
        given = None if start is None else np.array([start[name] for name in names])
        return dict(zip(names, fit(groups, FILE_L2, deviation(groups), given).tolist(), strict=True))

    def chunks(self, without: frozenset[str] = frozenset()) -> Weights:
        """The order of chunks within a right file, by mined questions whose targets have lines."""
        groups = [group for one in self.mined.asked if one.repo not in without for group in chunk_groups(one)]
        names = self.mined.chunk_names
        return dict(zip(names, fit(groups, CHUNK_L2, deviation(groups)).tolist(), strict=True))


def evaluate(found: Collected, files: Mapping[str, float], chunks: Mapping[str, float]) -> list[tuple[Asked, float]]:
    """Every question with the NDCG@10 of its answer."""
    return [(asked, scores(found, asked, files, chunks)) for asked in found.asked]


def folds(repos: Sequence[str], count: int) -> list[frozenset[str]]:
    """Groups of repositories, each left out once: every `count`-th by the alphabet."""
    ordered = sorted(set(repos))
    return [frozenset(ordered[number::count]) for number in range(min(count, len(ordered)))]


def cross_validate(
    fitter: Fitter, names: Sequence[str], chunks: Weights, which: Collected, count: int = FOLDS
) -> list[tuple[Asked, float]]:
    """NDCG@10 of every question of `which` under weights that have seen no question on its repository."""
    found = []
    start = fitter.files(names)
    for out in folds([asked.repo for asked in which.asked], count):
        files = fitter.files(names, out, start)
        own = Collected(which.file_names, which.chunk_names, tuple(one for one in which.asked if one.repo in out))
        found += evaluate(own, files, chunks)
    return found


def rankers(fitter: Fitter) -> dict[str, Weights]:
    """All rankers of the program, fitted on everything."""
    names = fitter.tuning.file_names
    made = {
        "default": fitter.files(names),
        "no_vectors": fitter.files([name for name in names if name not in NEEDS_VECTORS]),
        "chunk": fitter.chunks(),
    }
    for weights in made.values():
        weights.update((name, value) for name, value in SET_BY_HAND.items() if name in weights)
    return made


def write(path: Path, made: Mapping[str, Weights]) -> None:
    """Write the weights as the program reads them."""
    rounded = {
        ranker: {name: round(weight, DIGITS) + 0.0 for name, weight in weights.items()}
        for ranker, weights in made.items()
    }
    path.write_text(json.dumps({"version": WEIGHTS_VERSION, "rankers": rounded}, indent=1) + "\n", encoding="utf-8")


def table(title: str, values: Sequence[tuple[Asked, float]]) -> str:
    """One line: NDCG@10 over all and by category."""
    parts = [f"{name} {value:.4f} (n={n})" for name, (n, value) in by(values, lambda a: a.record["category"]).items()]
    return f"{title}: NDCG@10 {over_repositories(values):.4f}  " + "  ".join(parts)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.ranker.fit", description=__doc__)
    parser.add_argument("--tuning", type=Path, required=True, help="collected questions of the tuning set")
    parser.add_argument("--mined", type=Path, required=True, help="collected questions mined for fitting")
    parser.add_argument("--out", type=Path, help="write the weights here")
    parser.add_argument("--cross-validate", action="store_true", help="leave repositories out of both sets in turn")
    parser.add_argument("--folds", type=int, default=FOLDS)
    options = parser.parse_args(arguments)
    fitter = Fitter(load(options.tuning), load(options.mined))
    made = rankers(fitter)
    for name, found in (("tuning", fitter.tuning), ("mined", fitter.mined)):
        print(table(f"fitted, {name}", evaluate(found, made["default"], made["chunk"])))
        if options.cross_validate:
            checked = cross_validate(fitter, list(made["default"]), made["chunk"], found, options.folds)
            print(table(f"cross-validated, {name}", checked))
    if options.out:
        write(options.out, made)


if __name__ == "__main__":
    main()
