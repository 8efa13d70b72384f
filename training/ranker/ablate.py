"""What each family of features is worth: ``python -m training.ranker.ablate --tuning DIR --mined DIR``.

The file ranker is fitted without the family and judged on repositories it has not seen, as ``fit --cross-validate``
does. A family that others can stand in for loses little by going; what it brings alone is another question.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from training.ranker.collected import load
from training.ranker.fit import FOLDS, Fitter, cross_validate

from fourfold.evaluate.learn.asked import Asked
from fourfold.evaluate.learn.replay import over_repositories

FAMILIES: dict[str, str] = {
    "words by chunk": "raw stems stems_relative coverage rare_name",
    "meaning": "content with_path centred file_centred smooth meaning_alone",
    "agreement of lists": "agreement list_sum formula",
    "words by field": "definitions definitions_relative docs head body found_words named_words",
    "names defined": "soft name_pairs name_precision name_match exact exact_type",
    "path": "path_ratio stem_words stem_complete stem_precision folder_words",
    "role of the file": "is_test is_example is_docs is_compat is_vendor is_build is_archive is_generated is_init "
    "is_type_stub is_superseded",
    "place in the tree": "depth imported",
    "kin": "is_deeper_twin extends_other",
}
"""Features by family; every feature is in one."""
RESAMPLES = 1000


def gain_interval(first: list[tuple[Asked, float]], second: list[tuple[Asked, float]]) -> tuple[float, float]:
    """95 % bootstrap interval of the mean gain of `second`, questions drawn again within their repositories."""
    rng = np.random.default_rng(0)
    gains: dict[str, list[float]] = {}
    for (asked, before), (_, after) in zip(first, second, strict=True):
        gains.setdefault(asked.repo, []).append(after - before)
    drawn = [np.mean([np.mean(rng.choice(own, len(own))) for own in gains.values()]) for _ in range(RESAMPLES)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def ablate(fitter: Fitter, families: dict[str, str], folds: int) -> Iterator[str]:
    """One line of a Markdown table a family: the change of NDCG@10 on both sets where it is left out."""
    names = fitter.tuning.file_names
    chunks = fitter.chunks()
    sets = (fitter.tuning, fitter.mined)
    whole = [cross_validate(fitter, names, chunks, found, folds) for found in sets]
    yield "| nothing left out | " + " | ".join(f"{over_repositories(values):.4f}" for values in whole) + " |"
    for family, members in families.items():
        kept = [name for name in names if name not in members.split()]
        cells = []
        for found, before in zip(sets, whole, strict=True):
            after = cross_validate(fitter, kept, chunks, found, folds)
            low, high = gain_interval(before, after)
            cells.append(f"{over_repositories(after) - over_repositories(before):+.4f} ({low:+.4f} to {high:+.4f})")
        yield f"| {family} | {' | '.join(cells)} |"


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.ranker.ablate", description=__doc__)
    parser.add_argument("--tuning", type=Path, required=True, help="collected questions of the tuning set")
    parser.add_argument("--mined", type=Path, required=True, help="collected questions mined for fitting")
    parser.add_argument("--folds", type=int, default=FOLDS)
    options = parser.parse_args(arguments)
    print("| left out | tuning | mined |\n|---|---:|---:|")
    for line in ablate(Fitter(load(options.tuning), load(options.mined)), FAMILIES, options.folds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
