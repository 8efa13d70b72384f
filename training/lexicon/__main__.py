"""Make the glossaries: ``python -m training.lexicon --translations FILE --repositories DIR --wordnet DIR --out DIR``.

`--translations` is the file of bilingual texts that ``python -m training.embedding translations`` makes,
`--repositories` holds bare clones of the repositories of ``sources.toml`` and of omwn/omw-data as
``OWNER+NAME/repo``, `--wordnet` the files of Debian's ``wordnet-base``. One file a language is written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from training.embedding.translations import load_translations
from training.lexicon.entries import entries
from training.lexicon.segment import Segmenter, runs
from training.lexicon.sources import Repository, load_sources
from training.lexicon.wordnets import COMMIT, REPOSITORY, TABLES, english_words, word_pairs
from training.lexicon.words import EnglishWords, ForeignWords

from fourfold.pipeline.glossaries import LANGUAGES, stemmer
from fourfold.rank.gloss import LATIN

LARGEST = 16_000
"""Entries of a language: those that were translated most often."""
Texts = dict[str, list[tuple[str, str]]]
"""(English, foreign) by language."""


def read_texts(translations: Path, repositories: Path, wordnet: Path) -> tuple[Texts, Texts]:
    """Texts and their translations, and pairs of single words."""
    texts: Texts = {language: [] for language in LANGUAGES}
    for one in load_translations(translations):
        texts[one.language].append((one.english, one.foreign))
    for source in load_sources():
        for language, english, foreign in source.pairs(repositories):
            texts[language].append((english, foreign))
    english = english_words({path.name: path.read_text("utf-8") for path in wordnet.iterdir() if path.is_file()})
    tables = Repository(repositories, REPOSITORY, COMMIT)
    return texts, {language: list(word_pairs(tables.text(path), english)) for language, path in TABLES.items()}


def glossary(language: str, texts: list[tuple[str, str]], singles: list[tuple[str, str]]) -> dict[str, list[str]]:
    """What the words of one language mean."""
    english = EnglishWords()
    if language in LATIN:
        cut = ForeignWords(language, stemmer(language), (foreign for _, foreign in [*texts, *singles]))
        sides = [(cut(foreign), english(original)) for original, foreign in [*texts, *singles]]
    else:
        pieces = Segmenter(foreign for _, foreign in texts)
        sides = [(list(dict.fromkeys(pieces(foreign))), english(original)) for original, foreign in texts]
        sides += [
            ([word, *pieces(word)], english(original)) for original, word in singles if list(runs(word)) == [word]
        ]
    foreign_numbers: dict[str, int] = {}
    english_numbers: dict[str, int] = {}
    pairs = [
        (
            [foreign_numbers.setdefault(word, len(foreign_numbers) + 1) for word in ours],
            [english_numbers.setdefault(root, len(english_numbers) + 1) for root in theirs],
        )
        for ours, theirs in sides
        if ours and theirs
    ]
    found = sorted(entries(pairs, ["", *foreign_numbers], ["", *english_numbers]), key=lambda one: -one[2])
    print(language, len(pairs), "texts,", len(found), "entries", file=sys.stderr)
    meanings = {word: [english.form(root) for root in roots] for word, roots, _ in found}
    told = [word for word, forms in meanings.items() if forms[0] != word]
    return {word: meanings[word] for word in told[:LARGEST]}


def main() -> int:
    """Make and write all glossaries."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name in ("translations", "repositories", "wordnet", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--languages", nargs="*", default=LANGUAGES, choices=LANGUAGES)
    options = parser.parse_args()
    texts, singles = read_texts(options.translations, options.repositories, options.wordnet)
    for language in options.languages:
        made = glossary(language, texts[language], singles.get(language, []))
        lines = (f"{word}\t{' '.join(meanings)}\n" for word, meanings in sorted(made.items()))
        (options.out / f"{language}.tsv").write_text("".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
