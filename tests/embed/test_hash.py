"""The hash embedder for tests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.embed.hash import BUCKETS, HashEmbedder
from fourfold.embed.protocol import BagEmbedder, EmbedInput


def test_is_a_bag_embedder_of_the_asked_dimension() -> None:
    embedder = HashEmbedder(128)
    assert isinstance(embedder, BagEmbedder)
    assert embedder.table.shape == (BUCKETS, 128)
    np.testing.assert_allclose(np.linalg.norm(embedder.table, axis=1), 1.0, atol=1e-6)
    assert embedder.identity.key() != HashEmbedder(64).identity.key()


def test_known_values_on_every_platform() -> None:
    embedder = HashEmbedder()
    assert embedder.identity.dimension == 64
    assert embedder.token_ids("parse_config") == (1476, 3095)
    assert embedder.token_ids("认证") == (3746,)
    assert (embedder.table[3095, :8] > 0).tolist() == [True, True, False, False, False, True, True, True]


@pytest.mark.parametrize("dimension", [0, -8, 7, 12])
def test_odd_dimensions_are_refused(dimension: int) -> None:
    with pytest.raises(ValueError, match="multiple of 8"):
        HashEmbedder(dimension)


def test_shared_words_are_near_others_far() -> None:
    embedder = HashEmbedder()
    documents = embedder.documents([EmbedInput("def parse_config(): ..."), EmbedInput("class HttpServer: ...")])
    documents /= np.linalg.norm(documents, axis=1, keepdims=True)
    near, far = (documents @ embedder.queries(["parse the config"])[0]).tolist()
    assert near > 0.5 > far


def test_fields_have_their_weights() -> None:
    embedder = HashEmbedder()
    weights = embedder.field_weights
    vector = embedder.table[embedder.token_ids("cache")[0]]
    np.testing.assert_allclose(embedder.documents([EmbedInput("cache")])[0], vector * weights["body"], atol=1e-6)
    symbol = embedder.documents([EmbedInput("", symbol="cache")])[0]
    np.testing.assert_allclose(symbol, vector * weights["symbol"], atol=1e-6)
    np.testing.assert_allclose(embedder.paths(["cache"])[0], vector * weights["path"], atol=1e-6)


@given(st.lists(st.text(max_size=60), max_size=5))
def test_any_texts(texts: list[str]) -> None:
    embedder = HashEmbedder()
    queries = embedder.queries(texts)
    assert queries.shape == (len(texts), 64)
    lengths = np.linalg.norm(queries, axis=1)
    assert all(length == pytest.approx(1.0, abs=1e-5) or length == 0.0 for length in lengths.tolist())
