"""A bundle's English is trained further: its tokens stay, and training goes on from where it stood."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training.embedding import lessons as lessons_module
from training.embedding.dataset import Dataset, build
from training.embedding.glosses import glosses_of
from training.embedding.lessons import LONGEST, choose_sentences, load_lessons, save_lessons
from training.embedding.pair import Pair
from training.embedding.recipe import recipe_of
from training.embedding.refine import RECIPE, BundleReader, mean_of, trained_of, write_english

from fourfold.embed.protocol import EmbedInput
from fourfold.embed.static import BUNDLE, StaticEmbedder


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("refine") / "english"
    write_english(BUNDLE, folder, trained_of(BUNDLE))
    return folder


def _pairs(count: int = 40) -> list[Pair]:
    return [
        Pair(f"opens door number {n}", f"gate{n}()", f"a{n % 3}.py", f"gate{n}", "doc", "p", "c") for n in range(count)
    ]


def test_the_english_of_a_bundle_survives_being_written(english: Path) -> None:
    whole, part = StaticEmbedder(), StaticEmbedder(english)
    text = EmbedInput("def open_file(path): return open(path)", "io/files.py", "open_file")
    np.testing.assert_allclose(part.documents([text]), whole.documents([text]), rtol=1e-5, atol=1e-6)
    assert len(part.table) == len(part.vocabulary) == len(whole.vocabulary)
    assert part.field_weights == whole.field_weights
    assert part.identity.tokenizer != whole.identity.tokenizer
    assert {path.name for path in english.iterdir()} == {
        "vectors.npy",
        "scales.npy",
        "merges.npy",
        "words.txt",
        "model.json",
    }


def test_the_result_is_the_mean_of_the_runs() -> None:
    first = trained_of(BUNDLE)
    second = type(first)(first.vectors + 2, (first.fields[0] * 4, first.fields[1], first.fields[2]))
    mean = mean_of([first, second])
    np.testing.assert_allclose(mean.vectors, first.vectors + 1, atol=1e-6)
    assert mean.fields == pytest.approx((first.fields[0] * 2, *first.fields[1:]))


def test_sentences_are_drawn_with_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    named = Pair("open the door", "gate()", "a.py", "gate", "name", "p", "c")
    long = Pair("x" * LONGEST, "gate()", "a.py", "gate", "doc", "p", "c")
    listed = choose_sentences([*_pairs(), *_pairs(), named, long], ["door: a way in", "opens door number 3"])
    assert sorted(listed) == sorted({"door: a way in", *(pair.question for pair in _pairs())})
    assert listed != sorted(listed)
    monkeypatch.setattr(lessons_module, "SENTENCES", 7)
    assert listed[:7] == choose_sentences([*reversed(_pairs())])


def test_glosses_of_common_words_are_read() -> None:
    noun = '  1 the licence\n04 06 n 02 file 0 data_file 1 001 @ 05 n 0000 | a set of records; "open the file"\n'
    noun += "05 06 n 01 rare_beetle 0 000 | a beetle\n"
    files = {"data.noun": noun, "data.verb": "06 30 v 01 elide 0 000 | leave out  \n", "data.adj": "", "data.adv": ""}
    files["cntlist.rev"] = "file%1:06:00:: 1 3\nelide%2:30:00:: 1 2\n"
    assert list(glosses_of(files)) == ["file: a set of records", "elide: leave out"]


def test_lessons_are_read_with_the_tokens_of_the_model(english: Path, tmp_path: Path) -> None:
    class Constant:
        def embed(self, texts: list[str]) -> np.ndarray:
            return np.stack([np.full(4, len(text)) + np.arange(4.0) * number for number, text in enumerate(texts)])

    teacher: Any = Constant()
    save_lessons(tmp_path / "sentences.npz", ["open the file", "a longer sentence", "and one more"], teacher)
    lessons = load_lessons(tmp_path / "sentences.npz", partial(BundleReader, english))
    assert len(lessons) == 3
    np.testing.assert_allclose(np.linalg.norm(lessons.units, axis=1), 1, atol=1e-5)
    reader = BundleReader(english)
    wanted = {token for word in ("open", "the", "file") for token in reader.word_ids(word)}
    assert set(lessons.texts.ids[: lessons.texts.offsets[1]]) == wanted


@pytest.fixture(scope="module")
def dataset(english: Path) -> Dataset:
    return build(_pairs(), [], partial(BundleReader, english))


def test_without_a_rate_nothing_changes(english: Path, dataset: Dataset) -> None:
    pytest.importorskip("torch")
    from training.embedding.refine import refine

    start, reader = trained_of(english), BundleReader(english)
    still = recipe_of(["rate=0", "weight_rate=0", "batch=20", "epochs=1", "taught=0"], RECIPE)
    trained = refine(start, dataset, None, reader, still, 2)
    np.testing.assert_allclose(trained.vectors, start.vectors, atol=1e-6)
    assert trained.fields == pytest.approx(start.fields)


def test_training_goes_on_from_the_bundle(english: Path, dataset: Dataset) -> None:
    pytest.importorskip("torch")
    from training.embedding.refine import refine

    start, reader = trained_of(english), BundleReader(english)
    recipe = recipe_of(["batch=40", "epochs=5", "taught=0", "drop_body=0", "drop_field=0"], RECIPE)
    trained = refine(start, dataset, None, reader, recipe, 1)
    moved = np.linalg.norm(trained.vectors - start.vectors, axis=1)
    assert 0 < moved[reader.word_ids("gate")[0]] < 0.5
    unseen = reader.word_ids("quaternion")[0]
    assert moved[unseen] == 0
