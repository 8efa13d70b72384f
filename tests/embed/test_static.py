"""The bundled static model."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.embed.protocol import BagEmbedder, EmbedInput
from fourfold.embed.static import BUNDLE, StaticEmbedder
from fourfold.model.errors import BackendUnavailable
from fourfold.model.text import words

FIXTURES = Path(__file__).parent / "fixtures"
EMBEDDER = StaticEmbedder()
ENGLISH = 36_000
"""Tokens that were trained on English; words and grams of other languages follow."""
ADDED = [token for name in ("foreign.txt", "grams.txt") for token in (BUNDLE / name).read_text("utf-8").split("\n")]
SOURCES = Path(__file__).parents[2]
TEXTS = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
CODE = st.text(st.sampled_from("abcXYZ_019 .认é²१\n"), max_size=80)


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def bags_of(*bags: list[int]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *map(len, bags)]).astype(np.int64)
    return np.array([token for bag in bags for token in bag], np.int32), offsets


def test_vectors_equal_the_reference() -> None:
    listing = json.loads((FIXTURES / "texts.json").read_text("utf-8"))
    wanted = np.load(FIXTURES / "vectors.npz")
    inputs = [EmbedInput(*row) for row in zip(listing["texts"], listing["paths"], listing["symbols"], strict=True)]
    bodies = EMBEDDER.documents([EmbedInput(text) for text in listing["texts"]])
    both = EMBEDDER.documents(inputs) + EMBEDDER.paths(listing["paths"])
    np.testing.assert_allclose(unit(bodies), wanted["bodies"], atol=1e-5)
    np.testing.assert_allclose(unit(both), wanted["documents"], atol=1e-5)
    np.testing.assert_allclose(EMBEDDER.queries(listing["queries"]), wanted["queries"], atol=1e-5)


def test_is_a_bag_embedder_of_the_stated_shape() -> None:
    assert isinstance(EMBEDDER, BagEmbedder)
    assert EMBEDDER.table.shape == (len(EMBEDDER.vocabulary) + len(ADDED), EMBEDDER.identity.dimension)
    assert len(EMBEDDER.vocabulary) == ENGLISH
    assert EMBEDDER.table.dtype == np.float32
    assert EMBEDDER.table is EMBEDDER.table
    assert set(EMBEDDER.field_weights) == {"path", "symbol", "body"}


def test_identity_is_the_hash_of_what_is_shipped() -> None:
    """A changed table or vocabulary must change the identity, else old indexes would be taken for new
    ones."""
    config = json.loads((BUNDLE / "model.json").read_text("utf-8"))
    rows, scales = np.load(BUNDLE / "vectors.npy"), np.load(BUNDLE / "scales.npy")
    weights = json.dumps(config["field_weights"]).encode()
    blob = rows.tobytes() + scales.tobytes() + weights
    assert hashlib.blake2b(blob, digest_size=8).hexdigest() == EMBEDDER.identity.revision
    alphabet = "".join(config["alphabet"].values()).encode()
    blob = alphabet + np.load(BUNDLE / "merges.npy").tobytes()
    blob += (BUNDLE / "foreign.txt").read_bytes() + (BUNDLE / "grams.txt").read_bytes()
    assert hashlib.blake2b(blob, digest_size=8).hexdigest() == EMBEDDER.identity.tokenizer


def test_bundle_stays_small() -> None:
    assert sum(path.stat().st_size for path in BUNDLE.iterdir()) <= 16 * 2**20
    assert (BUNDLE / "words.txt").stat().st_size + (BUNDLE / "merges.npy").stat().st_size <= 400_000


def test_bags_are_summed_row_by_row() -> None:
    bags = [[5, 7, 9], [], [7], list(range(600)), [], [31999, 0]]
    sums = EMBEDDER.sum_bags(*bags_of(*bags))
    for bag, vector in zip(bags, sums, strict=True):
        expected = EMBEDDER.table[bag].sum(axis=0, dtype=np.float32) if bag else np.zeros(256, np.float32)
        np.testing.assert_allclose(vector, expected, rtol=1e-5, atol=1e-5)


@given(st.lists(st.lists(st.integers(0, 31999), max_size=70), max_size=12))
def test_a_bag_does_not_depend_on_its_neighbours(bags: list[list[int]]) -> None:
    """Bit for bit: an incremental index must give what a fresh one gives."""
    together = EMBEDDER.sum_bags(*bags_of(*bags))
    assert together.shape == (len(bags), 256)
    for number, bag in enumerate(bags):
        alone = EMBEDDER.sum_bags(*bags_of(bag))
        assert alone.tobytes() == together[number].tobytes()


@pytest.mark.parametrize("offsets", [[], [0]])
def test_no_bags_give_no_rows(offsets: list[int]) -> None:
    sums = EMBEDDER.sum_bags(np.array([], np.int32), np.array(offsets, np.int64))
    assert sums.shape == (0, 256)


@given(st.one_of(TEXTS, CODE))
def test_words_share_the_tokenisation(text: str) -> None:
    """The union over the words of a text is what the model reads of the text: the indexer may work by
    words."""
    by_words = {token for word in words(text) for token in EMBEDDER.token_ids(word)}
    assert by_words == EMBEDDER._text_ids(text)


@given(TEXTS)
def test_any_text_can_be_asked_and_indexed(text: str) -> None:
    query = EMBEDDER.queries([text])
    length = float(np.linalg.norm(query))
    assert length == pytest.approx(1.0, abs=1e-5) or length == 0.0
    document = EMBEDDER.documents([EmbedInput(text, text, text)]) + EMBEDDER.paths([text])
    assert np.isfinite(document).all()
    assert document.shape == (1, 256)


def test_texts_without_known_words_give_zeros() -> None:
    assert EMBEDDER.token_ids("힣힣") == EMBEDDER.token_ids("Ελληνικά") == EMBEDDER.token_ids("") == ()
    assert not EMBEDDER.queries(["", "힣힣 ?!", "\ud800"]).any()
    assert not EMBEDDER.documents([EmbedInput("")]).any()
    assert EMBEDDER.documents([]).shape == EMBEDDER.queries([]).shape == EMBEDDER.paths([]).shape == (0, 256)


def test_repeated_words_and_order_do_not_count() -> None:
    once, again = EMBEDDER.queries(["parse config file", "file file config parse parse"])
    assert once.tobytes() == again.tobytes()


def test_meaning_beats_chance() -> None:
    bodies = [
        "def evict(self):\n    '''Remove expired entries from the cache.'''",
        "def send(self, address):\n    '''Send an email message over smtp.'''",
        "def fit(self, matrix):\n    '''Solve the linear regression.'''",
    ]
    documents = unit(EMBEDDER.documents([EmbedInput(body) for body in bodies]))
    questions = ["drop outdated cached items", "mail delivery", "least squares estimation"]
    assert (EMBEDDER.queries(questions) @ documents.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_same_bits_in_another_process_with_another_hash_seed() -> None:
    script = """
import sys
from fourfold.embed.protocol import EmbedInput
from fourfold.embed.static import StaticEmbedder
body = "def parse_config(path): return load(path, strict=True)"
sys.stdout.buffer.write(StaticEmbedder().documents([EmbedInput(body, "", "parse")]).tobytes())
"""
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_memory_of_tokens_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.embed.static._CACHE_TOKENS", 8)
    embedder = StaticEmbedder()
    for number in range(40):
        assert embedder.token_ids(f"word{number}") == EMBEDDER.token_ids(f"word{number}")
        assert len(embedder._known) <= 8


def test_huge_words_are_read_but_not_remembered() -> None:
    embedder = StaticEmbedder()
    huge = "ab1" * 50_000 + "xyz" * 50_000
    assert 0 < len(embedder.token_ids(huge)) < 50
    assert max(map(len, embedder._known), default=0) <= 128
    assert max(map(len, embedder.vocabulary._split), default=0) <= 128


@pytest.mark.parametrize(
    "name", ["model.json", "vectors.npy", "scales.npy", "merges.npy", "words.txt", "foreign.txt", "grams.txt"]
)
@pytest.mark.parametrize("damage", ["missing", "empty", "short", "noise"])
def test_damaged_bundle_is_one_clear_error(tmp_path: Path, name: str, damage: str) -> None:
    bundle = tmp_path / "model"
    shutil.copytree(BUNDLE, bundle)
    victim = bundle / name
    content = victim.read_bytes()
    victim.unlink()
    if damage != "missing":
        victim.write_bytes({"empty": b"", "short": content[: len(content) // 2], "noise": b"\xff\x00" * 50}[damage])
    with pytest.raises(BackendUnavailable, match="cannot be read") as caught:
        StaticEmbedder(bundle)
    assert caught.value.hint


def english_only(folder: Path) -> StaticEmbedder:
    """The bundle without the tokens of other languages: what it was extended from."""
    for name in ("model.json", "merges.npy", "words.txt"):
        shutil.copy(BUNDLE / name, folder / name)
    for name in ("vectors.npy", "scales.npy"):
        np.save(folder / name, np.load(BUNDLE / name)[:ENGLISH])
    return StaticEmbedder(folder)


def test_the_english_table_is_what_it_was() -> None:
    """The revision of the model before it learned other languages (``training.embedding.train`` made it)."""
    rows, scales = np.load(BUNDLE / "vectors.npy")[:ENGLISH], np.load(BUNDLE / "scales.npy")[:ENGLISH]
    weights = json.loads((BUNDLE / "model.json").read_text("utf-8"))["field_weights"]
    blob = rows.tobytes() + scales.tobytes() + json.dumps(weights).encode()
    assert hashlib.blake2b(blob, digest_size=8).hexdigest() == "73a03d15d2416baa"


def test_english_and_code_are_read_bit_for_bit_as_before(tmp_path: Path) -> None:
    before = english_only(tmp_path)
    sources = sorted((SOURCES / "src").rglob("*.py"))[:400]
    texts = [path.read_text("utf-8")[:3000] for path in sources]
    pages = [(SOURCES / "docs" / name).read_text("utf-8") for name in ("design.md", "eval.md", "services.md")]
    texts += [part for page in pages for part in page.split("\n\n")]
    texts = [text for text in texts if text.isascii()]
    assert len(texts) > 500
    same = (EMBEDDER.queries(texts) == before.queries(texts)).all(axis=1)
    assert same.mean() > 0.97
    for text in (text for text, equal in zip(texts, same, strict=True) if not equal):
        assert max(EMBEDDER._text_ids(text)) >= ENGLISH, text


def test_added_tokens_are_foreign_words_and_grams() -> None:
    assert len(set(ADDED)) == len(ADDED) > 20_000
    assert all(token == token.lower() and "\n" not in token for token in ADDED)
    assert not {"file", "error", "test", "index", "parse", "del", "die", "modulo"}.intersection(ADDED)


@pytest.mark.parametrize("word", ["archivo", "datei", "fichier", "berkas", "schlüssel", "función", "módulo"])
def test_a_foreign_word_is_one_token_not_pieces(word: str) -> None:
    (token,) = EMBEDDER.token_ids(word)
    assert token >= ENGLISH
    assert EMBEDDER.token_ids(word.capitalize()) == (token,)


def test_marks_tell_a_word_from_an_english_one() -> None:
    assert EMBEDDER.token_ids("modulo")[0] < ENGLISH <= EMBEDDER.token_ids("módulo")[0]
    assert EMBEDDER.token_ids("contrasena") == EMBEDDER.token_ids("contraseña")


@pytest.mark.parametrize(
    "questions",
    [
        ("Dateien löschen", "Passwort des Benutzers prüfen", "Verbindung zum Server herstellen"),
        ("borrar un archivo", "comprobar la contraseña del usuario", "conectarse al servidor"),
        ("supprimer un fichier", "vérifier le mot de passe de l'utilisateur", "connexion au serveur"),
        ("menghapus berkas", "memeriksa kata sandi pengguna", "koneksi ke peladen jaringan"),
        ("ファイルを削除する", "ユーザーのパスワードを確認する", "サーバーに接続する"),
        ("删除文件", "检查用户的密码", "连接到服务器"),
    ],
    ids=["de", "es", "fr", "id", "ja", "zh"],
)
def test_questions_in_six_languages_find_english_code(questions: tuple[str, str, str]) -> None:
    bodies = ["def delete_file(path):", "def check_user_password(user):", "def connect_to_server(address):"]
    documents = unit(EMBEDDER.documents([EmbedInput(body) for body in bodies]))
    assert (EMBEDDER.queries(list(questions)) @ documents.T).argmax(axis=1).tolist() == [0, 1, 2]
