"""A bundle learns words of other languages and keeps what it had."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from training.embedding.extend import count, examples, write_extended
from training.embedding.extension import Recipe, beginning, train
from training.embedding.foreign import KNOWN_TEXTS, MIN_GRAM, Counts, choose
from training.embedding.pair import Pair, save_pairs
from training.embedding.translations import Translation

from fourfold.embed.static import BUNDLE, StaticEmbedder


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled model without its tokens of other languages."""
    folder = tmp_path_factory.mktemp("english")
    rows = len(StaticEmbedder().vocabulary)
    for name in ("vectors.npy", "scales.npy"):
        np.save(folder / name, np.load(BUNDLE / name)[:rows])
    for name in ("model.json", "merges.npy", "words.txt"):
        (folder / name).write_bytes((BUNDLE / name).read_bytes())
    return folder


def test_words_that_english_has_stay_english() -> None:
    counts = Counts()
    counts.add_english(["open the file", "relative path"] * 10)
    counts.add_foreign([("es", "archivo file módulo")] * 20 + [("zh", "删除 archive2")] * MIN_GRAM)
    counts.add_foreign([("fr", "pas solo")] * KNOWN_TEXTS + [("fr", "sale")] * (KNOWN_TEXTS - 1))
    words, grams = choose(counts, {"modulo", "pas", "solo", "sale"})
    assert words == ["archivo", "pas", "solo", "módulo"]
    assert grams == sorted(["删", "除", "删除"])


def test_what_is_counted(tmp_path: Path) -> None:
    pairs = [Pair("opens a door", "gate()", "a.py", "gate", "doc", "p", "python")] * 2
    save_pairs(tmp_path / "pairs" / "p.jsonl", pairs)
    line = {"english": "the door", "foreign": "la puerta", "language": "es", "package": "p"}
    (tmp_path / "translations.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(line) + "\n", "utf-8")
    counts = count(tmp_path)
    assert counts.english["gate"] == 1
    assert counts.english["door"] == 2
    assert counts.foreign["es"]["puerta"] == 2


def test_old_rows_are_kept_bit_for_bit(english: Path, tmp_path: Path) -> None:
    rows = np.load(english / "vectors.npy")
    added = np.random.default_rng(0).normal(size=(3, rows.shape[1])).astype(np.float32)
    model = write_extended(english, tmp_path, ["archivo", "módulo"], ["删"], added)
    old, new = StaticEmbedder(english), StaticEmbedder(tmp_path)
    assert np.array_equal(np.load(tmp_path / "vectors.npy")[: len(rows)], rows)
    assert model["identity"]["revision"] == new.identity.revision != old.identity.revision
    assert new.identity.tokenizer != old.identity.tokenizer
    assert new.token_ids("archivo") == (len(rows),)
    assert new.token_ids("删") == (len(rows) + 2,)
    assert new.queries(["open file"]).tobytes() == old.queries(["open file"]).tobytes()
    with pytest.raises(ValueError, match="extended already"):
        write_extended(tmp_path, tmp_path / "again", ["x"], ["y"], added[:2])


def test_training_brings_foreign_words_to_their_english(english: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    meanings = {"archivo": "file", "puerta": "door", "clave": "password", "servidor": "server", "日": "calendar"}
    translated = [
        Translation(f"{meanings[first]} {meanings[second]}", f"{first} {second}", "es", "p")
        for first in meanings
        for second in meanings
        if first != second
    ] * 3
    blank = np.zeros((len(meanings), 256), np.float32)
    write_extended(english, tmp_path, list(meanings)[:4], ["日"], blank)
    found = examples(english, StaticEmbedder(tmp_path), translated)
    assert found.usable.all()
    start, seen = beginning(found, len(meanings) + 1)
    assert seen.tolist() == [24] * 5 + [0]
    assert not start[5].any()
    recipe = Recipe(batch=16, epochs=60)
    vectors = train(found, len(meanings), recipe)
    assert np.array_equal(vectors, train(found, len(meanings), recipe))
    write_extended(english, tmp_path, list(meanings)[:4], ["日"], vectors)
    extended = StaticEmbedder(tmp_path)
    cosines = extended.queries(list(meanings)) @ extended.queries(list(meanings.values())).T
    assert cosines.argmax(axis=1).tolist() == list(range(5))
