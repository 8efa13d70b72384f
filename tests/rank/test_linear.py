"""The learned weighing: sums that can be taken apart, weights that are checked."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from tests.rank.made import evidence

from fourfold.model.chunk import KIND_CODES
from fourfold.model.errors import BackendUnavailable
from fourfold.pipeline.ranker import KNOWN
from fourfold.rank.chunks import CHUNK_FEATURES, chunk_features, wordless
from fourfold.rank.features import FEATURES, NEEDS_VECTORS
from fourfold.rank.linear import WEIGHTS_VERSION, LinearRanker, parse_weights
from fourfold.retrieve.name_words import Names

FOUND = {"raw": np.array([1.0, 2.0]), "depth": np.array([3.0, 0.0]), "unused": np.array([9.0, 9.0])}


def test_a_score_is_the_sum_of_its_shares() -> None:
    ranker = LinearRanker({"raw": 0.5, "depth": -0.1})
    assert ranker.score(FOUND).tolist() == pytest.approx([0.2, 1.0])
    shares = [ranker.shares(ranker.contributions(FOUND), position) for position in (1, 0)]
    assert shares == [[("raw", 1.0)], [("raw", 0.5), ("depth", pytest.approx(-0.3))]]
    for share, score in zip(shares, ranker.score(FOUND)[[1, 0]], strict=True):
        assert sum(value for _, value in share) == pytest.approx(score)


def test_shares_are_largest_first_and_leave_out_what_rounds_to_nothing() -> None:
    ranker = LinearRanker({"raw": 0.001, "depth": -2.0})
    assert ranker.shares(ranker.contributions(FOUND), 0) == [("depth", -6.0)]


def test_weights_of_another_version_or_with_an_unknown_feature_are_refused() -> None:
    with pytest.raises(BackendUnavailable, match="version 99"):
        parse_weights({"version": 99, "rankers": {}}, {})
    with pytest.raises(BackendUnavailable, match="unknown feature: magic"):
        parse_weights({"version": WEIGHTS_VERSION, "rankers": {"x": {"raw": 1, "magic": 1}}}, {"x": FEATURES})


def test_the_shipped_weights_fit_the_program() -> None:
    data = json.loads(files("fourfold.pipeline").joinpath("data/ranking.json").read_text("utf-8"))
    rankers = parse_weights(data, KNOWN)
    assert set(rankers) == set(KNOWN) == {"default", "no_vectors", "chunk"}
    assert not set(rankers["no_vectors"].weights) & NEEDS_VECTORS
    assert all(np.isfinite(list(ranker.weights.values())).all() for ranker in rankers.values())


def test_features_of_chunks() -> None:
    kinds = np.array([KIND_CODES[kind] for kind in ("class", "function", "block", "test")], np.uint8)
    names = Names(np.array([[1.0, 0.5, 0.0, 0.0]], np.float32), np.array([0.5, 1.0, 0.0, 0.0], np.float32))
    made = evidence(
        ("a.py", "b.py"), [3, 1], words=1, raw=[2, 4, 0, 1], kinds=kinds, names=names, sizes=[0, 9, 99, 1],
        definition_bonus=[3, 0, 0, 0],
    )  # fmt: skip
    found = chunk_features(made)
    assert set(found) == CHUNK_FEATURES
    assert found["raw"].tolist() == [0.5, 1.0, 0.0, 0.25]
    assert found["stems"].tolist() == [0.0] * 4
    assert found["names"].tolist() == [1.0, 0.5, 0.0, 0.0]
    assert found["name_match"].tolist() == pytest.approx([2 / 3, 2 / 3, 0.0, 0.0])
    assert found["is_type"].tolist() == [1, 0, 0, 0]
    assert found["is_function"].tolist() == [0, 1, 0, 1]
    assert found["is_loose"].tolist() == [0, 0, 1, 0]
    assert found["is_first"].tolist() == [1, 0, 0, 1]
    assert found["size"].tolist() == pytest.approx(np.log1p([0, 9, 99, 1]).tolist())
    assert found["bonus"].tolist() == [3, 0, 0, 0]


@pytest.mark.parametrize(
    ("coverage", "words", "named", "share"),
    [(0.3, 4, 0.0, 1.0), (0.0, 4, 0.0, 1.0), (0.45, 4, 0.0, 0.5), (0.3, 4, 0.15, 0.5), (0.6, 4, 0.0, 0.0),
     (1.0, 4, 0.0, 0.0), (0.1, 30, 0.0, 1.0), (0.1, 31, 0.0, 0.0)],
)  # fmt: skip
def test_how_far_a_question_is_wordless(coverage: float, words: int, named: float, share: float) -> None:
    made = evidence(("a.py",), [2], words=words, coverage=[coverage, 0.0])
    assert wordless(made, named) == pytest.approx(share, abs=1e-6)


def test_meaning_alone_counts_as_far_as_words_find_nothing() -> None:
    low = evidence(("a.py",), [2], words=2, coverage=[0.45, 0.0], content=[0.1, 0.3])
    assert chunk_features(low)["meaning_alone"].tolist() == pytest.approx([-0.5, 0.5], abs=1e-5)
    high = evidence(("a.py",), [2], words=2, coverage=[0.9, 0.0], content=[0.1, 0.3])
    assert chunk_features(high)["meaning_alone"].tolist() == [0.0, 0.0]


def test_features_of_chunks_without_content_words() -> None:
    found = chunk_features(evidence(("a.py",), [2], words=0))
    assert found["names"].tolist() == [0.0, 0.0]
    assert found["name_match"].tolist() == [0.0, 0.0]
