"""Train a bundle's English further: ``python -m training.embedding.refine [--source BUNDLE] [--out BUNDLE]``.

Tokens stay what they are; their vectors and the weights of the fields go on from where they stand, on the pairs of the
working folder, so that what an earlier training saw is not lost. Several runs with different seeds begin at the same
place: the mean of their tables is the result. The bundle that is written speaks English alone:
``training.embedding.extend`` gives it the other languages again.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from benchmarks.dataset import corpora_dir
from training.embedding import dataset as data
from training.embedding import glosses
from training.embedding.lessons import Lessons, choose_sentences, load_lessons, save_lessons
from training.embedding.packages import files_of, load_packages
from training.embedding.recipe import Recipe, recipe_of
from training.embedding.teacher import Teacher
from training.embedding.train import Trained, Trainer, mean_of, prefix_tokens
from training.export_bundle import digest, written_beside

from fourfold.embed.quantise import to_int8
from fourfold.embed.static import BUNDLE, StaticEmbedder

WORKERS = 2
SENTENCES = "sentences.npz"
"""What the teacher says of sentences, in the working folder."""
FIELDS: tuple[str, ...] = ("path", "symbol", "body")
"""In the order in which training counts them."""
RECIPE = Recipe(rate=2e-3, weight_rate=1e-2, epochs=2.0, worded=0.0)


class BundleReader:
    """Reads words as a bundle without tokens of other languages does."""

    def __init__(self, folder: Path) -> None:
        """Raises BackendUnavailable where the bundle cannot be read."""
        self._embedder = StaticEmbedder(folder)
        self._known: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._embedder.vocabulary)

    @property
    def tokenizer(self) -> str:
        """A hash of how it reads."""
        return self._embedder.identity.tokenizer

    def word_ids(self, word: str) -> tuple[int, ...]:
        """Distinct token numbers of one word."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._embedder.token_ids(word)
        return known


def trained_of(source: Path) -> Trained:
    """The English vectors and field weights of a bundle."""
    embedder = StaticEmbedder(source)
    path, symbol, body = (embedder.field_weights[field] for field in FIELDS)
    return Trained(embedder.table[: len(embedder.vocabulary)].copy(), (path, symbol, body))


def write_english(source: Path, target: Path, trained: Trained) -> dict[str, str]:
    """Write a bundle with the tokens of `source` less those of other languages; returns its identity."""
    model = json.loads((source / "model.json").read_text("utf-8"))
    rows, scales = to_int8(trained.vectors)
    weights = dict(zip(FIELDS, trained.fields, strict=True))
    alphabet, merges = "".join(model["alphabet"].values()), np.load(source / "merges.npy")
    model["field_weights"] = weights
    model["identity"] |= {
        "revision": digest(rows.tobytes(), scales.tobytes(), json.dumps(weights).encode()),
        "tokenizer": digest(alphabet.encode(), merges.tobytes()),
    }
    with written_beside(target) as folder:
        np.save(folder / "vectors.npy", rows)
        np.save(folder / "scales.npy", scales)
        for name in ("merges.npy", "words.txt"):
            shutil.copyfile(source / name, folder / name)
        (folder / "model.json").write_text(json.dumps(model, indent=1) + "\n", "utf-8")
    identity: dict[str, str] = model["identity"]
    return identity


def refine(
    start: Trained,
    dataset: data.Dataset,
    lessons: Lessons | None,
    reader: BundleReader,
    recipe: Recipe,
    seeds: int,
    workers: int = 1,
) -> Trained:
    """Train from `start` with `seeds` seeds, the first being the recipe's; returns the mean."""
    prefixes, recipes = prefix_tokens(reader.word_ids), [replace(recipe, seed=recipe.seed + n) for n in range(seeds)]
    run = partial(_run, dataset, len(reader), prefixes, start, lessons)
    if workers == 1:
        return mean_of([run(one) for one in recipes])
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        return mean_of(list(pool.map(run, recipes)))


def _run(
    dataset: data.Dataset,
    size: int,
    prefixes: list[tuple[int, ...]],
    start: Trained,
    lessons: Lessons | None,
    recipe: Recipe,
) -> Trained:
    return Trainer(dataset, size, recipe, prefixes, start, lessons).run()


def _prepared(work: Path, corpora: Path, read: Callable[[], BundleReader], recipe: Recipe) -> data.Dataset:
    """The pairs as tokens; both they and what the teacher says are kept in the working folder for the next run."""
    kept = work / f"refine-{read().tokenizer}.npz"
    asks = recipe.taught and not (work / SENTENCES).is_file()
    pairs = data.chosen_pairs(work / "pairs") if asks or not kept.is_file() else []
    if asks:
        save_lessons(work / SENTENCES, choose_sentences(pairs, _glosses(corpora)), Teacher(work / "teacher"))
    if not kept.is_file():
        data.save(data.build(pairs, read, WORKERS), kept)
    return data.load(kept)


def _glosses(corpora: Path) -> list[str]:
    (package,) = (package for package in load_packages() if package.name == glosses.PACKAGE)
    return list(glosses.glosses_of(glosses.wordnet_files(files_of(package, corpora))))


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.embedding.refine", description=__doc__)
    parser.add_argument("--work", type=Path, help="folder with pairs/ and teacher/ (see python -m training.embedding)")
    parser.add_argument("--source", type=Path, default=BUNDLE, help="the bundle whose English is trained further")
    parser.add_argument("--out", type=Path, help="the bundle that is written")
    parser.add_argument("--seeds", type=int, default=3, help="how many runs the result is the mean of")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a field of the recipe")
    options = parser.parse_args(arguments)
    corpora = corpora_dir(None)
    work = options.work or corpora / "embedding"
    recipe, start = recipe_of(options.set, RECIPE), trained_of(options.source)
    with tempfile.TemporaryDirectory() as scratch:
        write_english(options.source, Path(scratch) / "english", start)
        read = partial(BundleReader, Path(scratch) / "english")
        dataset = _prepared(work, corpora, read, recipe)
        reader = read()
        lessons = load_lessons(work / SENTENCES, read) if recipe.taught else None
        trained = refine(start, dataset, lessons, reader, recipe, options.seeds, WORKERS)
    out = options.out or work / "refined"
    print(json.dumps(write_english(options.source, out, trained)))
    out.with_name(f"{out.name}.recipe.json").write_text(json.dumps(asdict(recipe), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
