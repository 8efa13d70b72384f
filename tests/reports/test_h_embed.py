"""Field reports of group H (models) and B11, as far as the embedding layer answers for them."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fourfold.embed.cache import VectorCache
from fourfold.embed.cached import CachedEmbedder
from fourfold.embed.hash import HashEmbedder
from fourfold.embed.load import EMBEDDERS, check_identity, load_embedder
from fourfold.embed.protocol import EmbedInput
from fourfold.embed.static import StaticEmbedder
from fourfold.model.errors import ModelMismatch


def test_h1_switched_model_is_a_clear_error() -> None:
    stored = HashEmbedder().identity.key()
    with pytest.raises(ModelMismatch) as caught:
        check_identity(stored, StaticEmbedder())
    assert stored in str(caught.value)
    assert StaticEmbedder().identity.key() in str(caught.value)
    assert caught.value.hint


def test_h1_vectors_appear_or_vanish() -> None:
    with pytest.raises(ModelMismatch, match="none is configured"):
        check_identity(HashEmbedder().identity.key(), None)
    with pytest.raises(ModelMismatch, match="embedding model none"):
        check_identity("", HashEmbedder())


@pytest.mark.parametrize("field", ["name", "revision", "dimension", "tokenizer"])
def test_h2_same_dimension_is_not_same_model(field: str) -> None:
    """Every part of the identity counts, above all the revision of a model that kept name and dimension."""
    embedder = StaticEmbedder()
    other = replace(embedder.identity, **{field: 512 if field == "dimension" else "other"})
    with pytest.raises(ModelMismatch):
        check_identity(other.key(), embedder)


def test_h2_each_retrained_table_has_its_own_key() -> None:
    assert HashEmbedder(256).identity.dimension == StaticEmbedder().identity.dimension
    assert HashEmbedder(256).identity.key() != StaticEmbedder().identity.key()


class NoSocket:
    def __init__(self, *_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")


@pytest.mark.parametrize("name", EMBEDDERS)
def test_h4_no_network_ever(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", NoSocket)
    monkeypatch.setattr(socket, "getaddrinfo", NoSocket)
    embedder = load_embedder(name)
    if embedder is not None:
        assert embedder.queries(["where is the retry loop"]).any()
        assert embedder.documents([EmbedInput("def retry(): ...", "net/retry.py", "retry")]).any()


def test_h4_not_even_a_network_module_is_loaded() -> None:
    script = """
import sys
from fourfold.embed.load import load_embedder
load_embedder("static").queries(["where is the retry loop"])
print(sorted({"socket", "ssl", "http.client", "urllib.request"} & set(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_h9_licence_is_stated_and_permissive() -> None:
    for name in ("static", "hash"):
        embedder = load_embedder(name)
        assert embedder is not None
        assert embedder.identity.licence == "Apache-2.0"


class HoleyModel(HashEmbedder):
    """Returns no vector for a text that holds "hole", an undefined one for "nan"."""

    def documents(self, inputs: Sequence[EmbedInput]) -> np.ndarray:
        vectors = super().documents(inputs)
        vectors[["nan" in item.text for item in inputs]] = np.nan
        return vectors[["hole" not in item.text for item in inputs]]


class RaggedModel(HashEmbedder):
    """Returns lists, an empty one for a text that holds "hole"."""

    def documents(self, inputs: Sequence[EmbedInput]) -> np.ndarray:
        rows = super().documents(inputs).tolist()
        return [[] if "hole" in item.text else row for row, item in zip(rows, inputs, strict=True)]  # type: ignore[return-value]


@pytest.mark.parametrize("model", [HoleyModel, RaggedModel])
def test_b11_empty_result_names_the_input_and_goes_on(tmp_path: Path, model: type[HashEmbedder]) -> None:
    inputs = [
        EmbedInput("def good(): pass", "a.py", "good"),
        EmbedInput("a hole", "b.py", "bad"),
        EmbedInput("x = 1", "c.py"),
    ]
    notices: list[str] = []
    with VectorCache(tmp_path / "vectors.sqlite", notify=notices.append) as cache:
        embedder = CachedEmbedder(model(), cache, notify=notices.append)
        vectors = embedder.documents(inputs)
        assert vectors.any(axis=1).tolist() == [True, False, True]
        assert len(notices) == 1
        assert "b.py (bad)" in notices[0]
        # A failure is not remembered as a vector: once the model answers, so does the cache.
        mended = CachedEmbedder(HashEmbedder(), cache, notify=notices.append).documents(inputs)
        assert mended.any(axis=1).all()


def test_b11_undefined_vector_names_the_input_and_goes_on(tmp_path: Path) -> None:
    inputs = [EmbedInput("fine"), EmbedInput("nan here", "b.py"), EmbedInput("good")]
    notices: list[str] = []
    with VectorCache(tmp_path / "vectors.sqlite", notify=notices.append) as cache:
        vectors = CachedEmbedder(HoleyModel(), cache, notify=notices.append).documents(inputs)
    assert vectors.any(axis=1).tolist() == [True, False, True]
    assert np.isfinite(vectors).all()
    assert len(notices) == 1
    assert "b.py" in notices[0]
