"""The tokenizer and the trainer on small made-up data."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.embedding.bags import bags_of
from training.embedding.dataset import build, load, save
from training.embedding.lessons import lessons_of_words
from training.embedding.pair import Pair, load_pairs, save_pairs
from training.embedding.splitting import grams_of, parts_of
from training.embedding.tokens import Tokenizer
from training.export_bundle import write_bundle

from fourfold.embed.protocol import EmbedInput
from fourfold.embed.quantise import to_int8
from fourfold.embed.scripts import folded, grams
from fourfold.embed.static import StaticEmbedder
from fourfold.model.text import words

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
TEXTS = st.text(st.sampled_from("abXY_09 .éßñΩд²\n"), max_size=60)
GRAMS = ["删", "删除", "文件", "ファ"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a tokenizer with a few merges."""
    place = tmp_path_factory.mktemp("tokenizer")
    initials, continuations = list(ALPHABET), ["##" + char for char in ALPHABET]
    merges = [["f", "##i"], ["##l", "##e"], ["fi", "##le"], ["d", "##e"], ["de", "##l"]]
    tokens = ["[UNK]", *initials, *continuations, "fi", "##le", "file", "de", "del"]
    model = {"vocab": {token: number for number, token in enumerate(tokens)}, "merges": merges, "unk_token": "[UNK]"}
    (place / "tokenizer.json").write_text(json.dumps({"model": model}), "utf-8")
    return place / "tokenizer.json"


@pytest.fixture(scope="module")
def embedder(file: Path, tmp_path_factory: pytest.TempPathFactory) -> StaticEmbedder:
    """A bundle of random vectors with that tokenizer."""
    tokenizer = Tokenizer(file)
    vectors = np.random.default_rng(1).standard_normal((len(tokenizer) + len(GRAMS), 8)).astype(np.float32)
    target = tmp_path_factory.mktemp("bundle")
    weights = {"path": 1.0, "symbol": 2.0, "body": 0.5}
    write_bundle(target, *to_int8(vectors), weights, file, GRAMS)
    return StaticEmbedder(target)


def test_words_of_other_languages() -> None:
    assert [folded(word) for word in ("función", "Größe", "Ærø", "naïve", "дом")] == [
        "funcion",
        "Grosse",
        "Aero",
        "naive",
        "???",
    ]
    assert list(grams("删除文")) == ["删", "除", "文", "删除", "除文"]
    assert list(grams("ｱ")) == ["ア"]
    assert parts_of("readFile2 contraseña") == ["read", "file", "2", "contrasena"]
    assert grams_of("open 删除") == ["删", "除", "删除"]


@given(TEXTS)
def test_training_and_index_read_alike(file: Path, embedder: StaticEmbedder, text: str) -> None:
    tokenizer = Tokenizer(file)
    own = {token for word in words(text) for token in tokenizer.word_ids(word)}
    assert own == embedder._text_ids(text) == {token for word in words(text) for token in embedder.token_ids(word)}


def test_grams_have_vectors(embedder: StaticEmbedder) -> None:
    assert np.linalg.norm(embedder.queries(["删除"])) == pytest.approx(1, abs=1e-5)
    assert not embedder.queries(["認証"]).any()
    assert len(embedder.token_ids("删除文件")) == 3
    document = embedder.documents([EmbedInput("文件")])
    assert (embedder.queries(["文件 ?"]) @ document.T).item() > 0


def test_a_bundle_whose_grams_do_not_fit_is_refused(file: Path, tmp_path: Path) -> None:
    from fourfold.model.errors import BackendUnavailable

    rows, scales = to_int8(np.ones((len(Tokenizer(file)), 8), np.float32))
    weights = {"path": 1.0, "symbol": 1.0, "body": 1.0}
    write_bundle(tmp_path, rows, scales, weights, file, GRAMS)
    with pytest.raises(BackendUnavailable, match="tokens"):
        StaticEmbedder(tmp_path)


def _pairs() -> list[Pair]:
    return [
        Pair("delete the file", "def erase(file): pass", "a/b.py", "erase", "doc", "p", "python"),
        Pair("open a door", "def gate(): file", "a/b.py", "gate", "doc", "p", "python"),
    ]


def test_pairs_survive_the_disk(tmp_path: Path) -> None:
    assert save_pairs(tmp_path / "p.jsonl", _pairs()) == 2
    assert list(load_pairs(tmp_path)) == _pairs()


def test_datasets_say_which_question_tokens_are_shared(file: Path, tmp_path: Path) -> None:
    tokenizer = Tokenizer(file)
    made = build(_pairs(), partial(Tokenizer, file))
    save(made, tmp_path / "data.npz")
    read = load(tmp_path / "data.npz")
    file = tokenizer.word_ids("file")[0]
    asked = read.questions.ids[: read.questions.offsets[1]]
    assert read.shared[: len(asked)][asked == file].all()
    assert not read.shared[: len(asked)][asked == tokenizer.word_ids("the")[0]].all()
    assert read.group.tolist() == [0, 0]
    assert len(read) == len(bags_of([pair.question for pair in _pairs()], tokenizer)) == 2
    ids, owners = read.questions.take(np.array([1, 0, 1]))
    assert (
        sorted(ids[owners == 0]) == sorted(ids[owners == 2]) == sorted(read.questions.ids[read.questions.offsets[1] :])
    )


def test_training_brings_questions_near_their_code(file: Path) -> None:
    pytest.importorskip("torch")
    from training.embedding.recipe import Recipe
    from training.embedding.train import Trainer

    tokenizer = Tokenizer(file)
    names = [f"{first}{second}" for first in "abcdefgh" for second in "qrstuvwx"]
    pairs = [Pair(f"x {name}", f"body {name[::-1]}", f"{name}.py", "", "doc", "p", "c") for name in names]
    recipe = Recipe(dimension=16, batch=16, epochs=20, taught_batch=4, near=2, drop_body=0, unshared=0)
    taught = lessons_of_words(np.arange(1, 9), np.eye(8, dtype=np.float32))
    made = build(pairs, partial(Tokenizer, file))
    trained = Trainer(made, len(tokenizer), recipe, [(1, 2)], None, taught, taught).run()
    assert trained.vectors.shape == (len(tokenizer), 16)
    assert np.isfinite(trained.vectors).all()
    again = Trainer(made, len(tokenizer), recipe, [(1, 2)], None, taught, taught).run()
    assert np.array_equal(trained.vectors, again.vectors)
