"""Teach a bundle other languages, keep its English: ``python -m training.embedding.extend --dictionary FILE``.

Foreign words and CJK grams become tokens with a vector of their own (:mod:`training.embedding.foreign`). They alone are
trained, on the translations of the working folder: a foreign text is to point where the bundle puts its English
original. All other rows stay what they are, bit for bit. Needs torch, which Fourfold itself does not.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.dataset import corpora_dir
from numpy.typing import NDArray
from training.embedding.extension import Examples, Recipe, train
from training.embedding.foreign import Counts, choose
from training.embedding.pair import load_pairs
from training.embedding.translations import Translation, load_translations
from training.export_bundle import digest, written_beside

from fourfold.embed.quantise import to_int8
from fourfold.embed.static import BUNDLE, StaticEmbedder
from fourfold.model.text import words

LONGEST_TEXT = 64
"""Words of a text that are read."""
EVERY = 5
"""Every fifth pair is counted: 80,000 are enough to know what English code says."""


def count(work: Path) -> Counts:
    """Count words in the pairs (question and body) and in the translations of a working folder."""
    counts = Counts()
    counts.add_english(f"{pair.question} {pair.body}" for pair in islice(load_pairs(work / "pairs"), 0, None, EVERY))
    translated = list(load_translations(work / "translations.jsonl"))
    counts.add_english(dict.fromkeys(one.english for one in translated))
    counts.add_foreign((one.language, one.foreign) for one in translated)
    return counts


def write_extended(
    source: Path, target: Path, foreign: list[str], grams: list[str], added: NDArray[np.float32]
) -> dict[str, Any]:
    """Write the bundle `source` with more tokens, `added` being their vectors in order; returns its ``model.json``.

    ValueError where `source` has such tokens already: their rows would be taken for others.
    """
    if (source / "grams.txt").exists() or (source / "foreign.txt").exists():
        raise ValueError(f"{source.name} is extended already: extend the bundle that it was made from")
    codes, scales = to_int8(added)
    rows = np.concatenate([np.load(source / "vectors.npy"), codes])
    scales = np.concatenate([np.load(source / "scales.npy"), scales])
    model: dict[str, Any] = json.loads((source / "model.json").read_text("utf-8"))
    lists = {"foreign": "\n".join(foreign), "grams": "\n".join(grams)}
    alphabet = "".join(model["alphabet"].values()).encode()
    merges = np.load(source / "merges.npy").tobytes()
    weights = json.dumps(model["field_weights"]).encode()
    model["identity"] |= {
        "revision": digest(rows.tobytes(), scales.tobytes(), weights),
        "tokenizer": digest(alphabet, merges, *(text.encode() for text in lists.values())),
    }
    with written_beside(target) as folder:
        for name in ("merges.npy", "words.txt"):
            shutil.copyfile(source / name, folder / name)
        np.save(folder / "vectors.npy", rows)
        np.save(folder / "scales.npy", scales)
        for name, text in lists.items():
            (folder / f"{name}.txt").write_text(text, "utf-8", newline="\n")
        (folder / "model.json").write_text(json.dumps(model, indent=1) + "\n", "utf-8")
    return model


def examples(source: Path, embedder: StaticEmbedder, translated: list[Translation]) -> Examples:
    """What is trained on. `embedder` reads the extended bundle, `source` is the folder of the one it extends."""
    base = len(embedder.vocabulary)
    bags = [sorted(set(_ids(embedder, one.foreign))) for one in translated]
    new = [np.array([token - base for token in bag if token >= base], np.int64) for bag in bags]
    old = [np.array([token for token in bag if token < base], np.int32) for bag in bags]
    first = StaticEmbedder(source)
    targets = first.queries([" ".join(words(one.english)[:LONGEST_TEXT]) for one in translated])
    usable = np.array([len(bag) > 0 for bag in new]) & (np.linalg.norm(targets, axis=1) > 0.5)
    languages = sorted({one.language for one in translated})
    return Examples(
        tokens=np.concatenate(new),
        offsets=np.cumsum([0, *map(len, new)]),
        fixed=first.sum_bags(np.concatenate(old), np.cumsum([0, *map(len, old)])),
        targets=targets,
        languages=np.array([languages.index(one.language) for one in translated]),
        usable=usable,
    )


def _ids(embedder: StaticEmbedder, text: str) -> Iterator[int]:
    for word in words(text)[:LONGEST_TEXT]:
        yield from embedder.token_ids(word)


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m training.embedding.extend", description=__doc__)
    parser.add_argument("--work", type=Path, help="folder with pairs/ and translations.jsonl")
    parser.add_argument("--source", type=Path, default=BUNDLE, help="the bundle that is extended")
    parser.add_argument("--dictionary", type=Path, required=True, help="English words, one a line (Debian's wamerican)")
    parser.add_argument("--out", type=Path, help="the bundle that is written")
    options = parser.parse_args(arguments)
    work = options.work or corpora_dir(None) / "embedding"
    out = options.out or work / "extended"
    source = StaticEmbedder(options.source)
    english = {line.strip().lower() for line in options.dictionary.read_text("utf-8").split("\n")}
    foreign, grams = choose(count(work), english | source.vocabulary.whole_words())
    size = len(foreign) + len(grams)
    print(f"{len(foreign)} words, {len(grams)} grams")
    blank = np.zeros((size, source.identity.dimension), np.float32)
    write_extended(options.source, out, foreign, grams, blank)
    translated = list(load_translations(work / "translations.jsonl"))
    vectors = train(examples(options.source, StaticEmbedder(out), translated), size, Recipe())
    print(json.dumps(write_extended(options.source, out, foreign, grams, vectors)["identity"]))


if __name__ == "__main__":
    main()
