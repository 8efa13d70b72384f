"""A bundle's English is trained further: its tokens stay, and training goes on from where it stood."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from training.embedding.dataset import Dataset, build
from training.embedding.pair import Pair
from training.embedding.recipe import recipe_of
from training.embedding.refine import RECIPE, BundleReader, trained_of, write_english

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


@pytest.fixture(scope="module")
def dataset(english: Path) -> Dataset:
    return build(_pairs(), partial(BundleReader, english))


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
