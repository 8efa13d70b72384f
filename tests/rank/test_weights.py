"""The published weight table, and when one modality answers alone."""

from __future__ import annotations

import pytest

from fourfold.model.errors import UsageError
from fourfold.model.query import INTENTS, Query
from fourfold.rank.intent import classify
from fourfold.rank.weights import WEIGHTS, direct_modality, dominant_modality, weights_for

TABLE = {
    "find_definition": (0.2, 0.1, 0.6, 0.1),
    "find_references": (0.1, 0.2, 0.2, 0.5),
    "understand_code": (0.5, 0.2, 0.2, 0.1),
    "find_similar": (0.4, 0.3, 0.2, 0.1),
    "impact_analysis": (0.1, 0.1, 0.1, 0.7),
    "exact_match": (0.0, 0.9, 0.1, 0.0),
}


@pytest.mark.parametrize("intent", INTENTS)
def test_the_published_table(intent: str) -> None:
    row = WEIGHTS[intent]
    assert (row["semantic"], row["text"], row["structural"], row["graph"]) == TABLE[intent]
    assert sum(row.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("intent", "modality"),
    [
        ("find_definition", "structural"),
        ("find_references", "graph"),
        ("impact_analysis", "graph"),
        ("exact_match", "text"),
        ("understand_code", "semantic"),
        ("find_similar", "semantic"),
    ],
)
def test_dominant(intent: str, modality: str) -> None:
    assert dominant_modality(intent) == modality


def test_overrides_and_unknown_names() -> None:
    assert weights_for("exact_match", {"graph": 0.5}) == {
        "semantic": 0.0, "text": 0.9, "structural": 0.1, "graph": 0.5,
    }  # fmt: skip
    assert WEIGHTS["exact_match"]["graph"] == 0.0
    with pytest.raises(UsageError, match="Unknown intent: guess"):
        weights_for("guess")
    with pytest.raises(UsageError, match="Unknown modality: smell"):
        weights_for("exact_match", {"smell": 1.0})


@pytest.mark.parametrize(
    ("question", "modality"),
    [
        ("where is parse_url defined", "structural"),
        ("where is Client.parse_url defined", "structural"),
        ("where is missing_name defined", None),
        ("where is the retry logic defined", None),
        ("who calls parse_url", "graph"),
        ("who calls missing_name", None),
        ("what breaks if I change parse_url", "graph"),
        ('"connection refused"', "text"),
        ("ECONNREFUSED", "text"),
        ("code like parse_url", None),
        ("parse_url", None),
        ("how does parse_url work", None),
    ],
)
def test_the_direct_path(question: str, modality: str | None) -> None:
    known = {"parse_url"}.__contains__
    assert direct_modality(classify(question, known), known) == modality


def test_the_direct_path_ends_at_300_characters() -> None:
    def query(length: int, confidence: float = 0.90) -> Query:
        return Query("x" * length, "exact_match", confidence, literal="x")

    assert direct_modality(query(300), lambda _: True) == "text"
    assert direct_modality(query(301), lambda _: True) is None
    assert direct_modality(query(10, 0.85), lambda _: True) == "text"
    assert direct_modality(query(10, 0.84), lambda _: True) is None
    assert direct_modality(Query("x", "exact_match", 0.9), lambda _: True) is None
