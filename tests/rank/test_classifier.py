"""The classifier: arithmetic by hand on a small model, what it may and may not change, and the bundled weights."""

from __future__ import annotations

import base64
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fourfold.pipeline
from fourfold.model.errors import BackendUnavailable
from fourfold.model.query import INTENTS, Query
from fourfold.pipeline.intent_model import load, understand
from fourfold.rank.classifier import (
    MAX_CONFIDENCE,
    MIN_PROBABILITY,
    MIN_TO_OVERRULE,
    REFINED_RULES,
    RULE,
    IntentModel,
    certainty,
    parse_model,
    probabilities,
    refine,
)
from fourfold.rank.intent import classify
from fourfold.rank.intent_features import BUCKETS, MAX_CHARS, features, masked
from fourfold.rank.weights import DIRECT_CONFIDENCE

OPEN = "pancakes with maple syrup"


def flat_model(bias: dict[str, float], temperature: float = 1.0) -> IntentModel:
    """A model that knows no feature: its probabilities are those of the bias."""
    weights = bytes(BUCKETS * len(INTENTS))
    return IntentModel(weights, 1.0, tuple(bias.get(intent, 0.0) for intent in INTENTS), temperature, {})


def favouring(intent: str, probability: float) -> IntentModel:
    """A model that gives `intent` this probability, whatever the text."""
    return flat_model({intent: math.log(probability / (1 - probability) * (len(INTENTS) - 1))})


def test_probabilities_are_a_softmax_of_the_weighted_sum() -> None:
    found = features(OPEN)
    bucket, value = next(iter(found.items()))
    weights = bytearray(BUCKETS * len(INTENTS))
    weights[INTENTS.index("exact_match") * BUCKETS + bucket] = 100
    weights[INTENTS.index("find_similar") * BUCKETS + bucket] = 256 - 50  # -50 as a signed byte
    model = IntentModel(bytes(weights), 0.5, (0.0,) * 6, 2.0, {})
    # Scores: 0.5 * 100 * value / 2, 0.5 * -50 * value / 2, and four times 0.
    high, low = math.exp(25 * value), math.exp(-12.5 * value)
    whole = high + low + 4
    chances = probabilities(OPEN, "", model)
    assert chances["exact_match"] == pytest.approx(high / whole)
    assert chances["find_similar"] == pytest.approx(low / whole)
    assert chances["find_definition"] == pytest.approx(1 / whole)


def test_a_high_temperature_evens_out() -> None:
    bias = {"find_similar": 2.0}
    cold, warm = (probabilities(OPEN, "", flat_model(bias, temperature))["find_similar"] for temperature in (1.0, 4.0))
    assert cold == pytest.approx(math.exp(2) / (math.exp(2) + 5))
    assert warm == pytest.approx(math.exp(0.5) / (math.exp(0.5) + 5))


def test_a_sure_classifier_decides_what_no_rule_matched() -> None:
    found = refine(classify(OPEN), favouring("find_similar", 0.7))
    assert (found.intent, found.confidence, found.rule) == ("find_similar", 0.7, RULE)


def test_its_confidence_stays_below_the_direct_path() -> None:
    found = refine(classify(OPEN), favouring("find_references", 0.999))
    assert found.confidence == MAX_CONFIDENCE < DIRECT_CONFIDENCE


def test_an_unsure_classifier_leaves_the_fallback() -> None:
    ruled = classify(OPEN)
    assert refine(ruled, favouring("find_similar", MIN_PROBABILITY - 0.01)) is ruled
    assert (ruled.intent, ruled.confidence) == ("understand_code", 0.40)


def test_a_name_with_few_words_is_overruled_only_by_much() -> None:
    ruled = classify("siblings of parse_url")
    assert ruled.rule == "identifier with few words"
    assert refine(ruled, favouring("find_similar", MIN_TO_OVERRULE - 0.01)) is ruled
    assert refine(ruled, favouring("find_similar", MIN_TO_OVERRULE + 0.01)).intent == "find_similar"


def test_a_name_with_few_words_that_is_confirmed_keeps_its_rule_and_gains() -> None:
    ruled = classify("parse_url in settings")
    assert refine(ruled, favouring("find_definition", 0.8)) == replace(ruled, confidence=0.8)
    assert refine(ruled, favouring("find_definition", 0.6)) == ruled


@pytest.mark.parametrize("word", ["sessions", "Session", "parse_url", "?", ""])
def test_a_single_word_says_too_little(word: str) -> None:
    ruled = classify(word, {"Session"}.__contains__)
    assert refine(ruled, favouring("find_similar", 0.99)) is ruled


@pytest.mark.parametrize(
    "query",
    [
        "where is parse_url defined",
        "def parse_url",
        "who calls parse_url",
        "blast radius of parse_url",
        '"connection refused" in logs',
        "error ECONNREFUSED here",
        "similar to parse_url",
        "how does routing work",
        "for (int i = 0; i < n; i++) { sum += a[i]; }",
    ],
)
def test_a_rule_that_states_an_intent_stands(query: str) -> None:
    ruled = classify(query)
    assert ruled.rule not in REFINED_RULES
    assert all(refine(ruled, favouring(intent, 0.999)) is ruled for intent in INTENTS)


def test_certainty_is_the_probability_or_the_rules_reliability() -> None:
    model = replace(favouring("find_similar", 0.7), reliability={"impact phrase": 0.97})
    assert certainty(classify(OPEN), model) == pytest.approx(0.7)
    assert certainty(classify("blast radius of x"), model) == 0.97
    assert certainty(classify("who calls x"), model) == 0.90  # not measured: the rule's own figure


def good() -> dict[str, object]:
    """The data of a valid weights file."""
    weights = base64.b64encode(bytes(BUCKETS * len(INTENTS))).decode()
    bias = dict.fromkeys(INTENTS, 0.0)
    return {"version": 1, "scale": 0.1, "temperature": 1.0, "bias": bias, "reliability": {}, "weights": weights}


def test_a_valid_file_is_read() -> None:
    assert parse_model(good()).scale == 0.1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": 2}, "version 2"),
        ({"version": None}, "version None"),
        ({"weights": "AAAA"}, "damaged"),
        ({"weights": "not base64!"}, "damaged"),
        ({"weights": 3}, "damaged"),
        ({"bias": {}}, "damaged"),
        ({"temperature": 0}, "damaged"),
        ({"scale": "x"}, "damaged"),
        ({"reliability": []}, "damaged"),
    ],
)
def test_another_version_or_a_damaged_file_is_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(BackendUnavailable, match=says):
        parse_model({**good(), **change})


def test_names_literals_places_and_numbers_are_masked() -> None:
    assert masked('grep "a b" near `x_y` at /usr/lib or https://a.b/c in parse_url line 42') == (
        "grep <q> near <n> at <p> or <p> in <n> line <d>"
    )
    assert masked("$this->render() vs @Inject") == "<n> ) vs <n>"


def test_two_names_look_the_same() -> None:
    assert features("look for parse_url, please") == features("look for HttpClient, please")


def test_the_rule_is_a_feature_and_the_far_end_of_a_long_text_is_not() -> None:
    assert features(OPEN, "nothing matched") != features(OPEN, "identifier with few words")
    long = "word " * (MAX_CHARS // 5)
    assert features(f"{long} one").keys() == features(f"{long} two").keys()


@given(text=st.text(max_size=400))
@settings(max_examples=50)
def test_any_text_has_features_and_an_intent(text: str) -> None:
    assert all(0 <= bucket < BUCKETS and value > 0 for bucket, value in features(text).items())
    found = understand(text)
    assert found.intent in INTENTS and 0 < found.confidence <= 0.95
    assert found.rule != RULE or found.confidence <= MAX_CONFIDENCE
    assert found.text == text


def test_the_bundled_model_is_small_and_names_the_rules_that_exist() -> None:
    path = Path(fourfold.pipeline.__file__).parent / "data" / "intent.json"
    assert path.stat().st_size <= 300_000
    assert REFINED_RULES - {"single known symbol"} <= set(json.loads(path.read_text("utf-8"))["reliability"])
    assert sum(probabilities(OPEN, "nothing matched", load()).values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("pull up the body of merge_chunks", "find_definition"),
        ("was würde schiefgehen, falls merge_chunks wegfällt", "impact_analysis"),
        ("every spot that ends up invoking merge_chunks", "find_references"),
        ("any clone of merge_chunks elsewhere", "find_similar"),
        ("lines with the text all rights reserved", "exact_match"),
        ("cache invalidation on write", "understand_code"),
    ],
)
def test_the_bundled_model_understands_what_no_rule_knows(question: str, intent: str) -> None:
    assert classify(question).rule in REFINED_RULES
    assert understand(question).intent == intent


def test_a_filter_and_names_survive() -> None:
    ruled = classify("any clone of merge_chunks elsewhere")
    found = refine(ruled, favouring("find_similar", 0.9))
    assert found == replace(ruled, intent="find_similar", confidence=MAX_CONFIDENCE, rule=RULE)
    assert isinstance(found, Query) and found.identifiers == ("merge_chunks",)
