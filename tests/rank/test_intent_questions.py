"""The questions written for intents: how they are split, and what is made of the half that nothing was tuned on."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from benchmarks.intent import QUESTIONS, bins, calibration_error, judge
from training.intent.descriptions import descriptions
from training.intent.generate import Question, generate
from training.intent.train import far_from

from fourfold.model.query import INTENTS
from fourfold.pipeline.intent_model import understand
from fourfold.rank.classifier import REFINED_RULES
from fourfold.rank.intent import classify

HALVES = ("build", "check")
ROWS = [
    {**json.loads(line), "half": half}
    for half in HALVES
    for line in (QUESTIONS / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_six_hundred_questions_a_hundred_an_intent_a_third_not_english() -> None:
    assert Counter(row["intent"] for row in ROWS) == dict.fromkeys(INTENTS, 100)
    for intent in INTENTS:
        assert sum(row["language"] != "en" for row in ROWS if row["intent"] == intent) == 33
    assert len({row["text"] for row in ROWS}) == len({row["id"] for row in ROWS}) == 600


def test_the_halves_are_those_of_the_hash() -> None:
    for intent in INTENTS:
        for english in (True, False):
            group = [row for row in ROWS if row["intent"] == intent and (row["language"] == "en") == english]
            group.sort(key=lambda row: sha256(f"half:{row['text']}".encode()).hexdigest())
            assert all(first["half"] != second["half"] for first, second in pairwise(group))


def test_a_third_holds_no_phrase_of_a_rule() -> None:
    rules = [verdict.rule for half in HALVES for verdict in judge(half)]
    assert sum(rule in REFINED_RULES for rule in rules) >= 200


def test_accuracy_and_calibration_on_the_half_not_used() -> None:
    verdicts = judge("check")
    assert sum(verdict.right for verdict in verdicts) / len(verdicts) >= 0.95
    assert calibration_error((verdict.certainty, verdict.right) for verdict in verdicts) <= 0.06
    rules_alone = sum(verdict.ruled == verdict.wanted for verdict in verdicts) / len(verdicts)
    assert rules_alone < 0.8  # else the set says nothing about the classifier


def test_descriptions_stay_questions_about_behaviour() -> None:
    """The tuning set was not trained on: nearly all of its open questions describe code."""
    path = QUESTIONS.parent / "tuning" / "queries.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [row["query"] for row in rows if classify(row["query"]).rule == "nothing matched"]
    assert len(texts) > 100
    moved = sum(understand(text).intent != "understand_code" for text in texts)
    assert moved / len(texts) <= 0.02


def test_calibration_error_by_hand() -> None:
    # Two bins of two: means 0.5 and 0.9; right 0.5 and 1.0; |0| * 1/2 + |0.1| * 1/2.
    pairs = [(0.9, True), (0.4, True), (0.9, True), (0.6, False)]
    assert bins(pairs, 2) == [(0.5, 0.5, 2), (0.9, 1.0, 2)]
    assert calibration_error(pairs, 2) == pytest.approx(0.05)
    assert calibration_error([(1.0, False)], 5) == 1.0


def test_made_questions_are_the_same_for_a_seed_and_cover_every_intent_and_language() -> None:
    made = generate(150, 3)
    assert made == generate(150, 3)
    assert made != generate(150, 4)
    assert {question.intent for question in made} == set(INTENTS)
    assert {"en", "zh", "id", "es", "de", "fr", "ja"} <= {question.language for question in made}
    assert not any(mark in question.text for question in made for mark in ("{n}", "{w}", "{o}", "{N?}", "{msg}", "{x}"))


def test_what_is_too_near_to_a_kept_back_question_is_dropped() -> None:
    check = [Question("pull up the body of merge_chunks", "find_definition", "en")]
    near = Question("pull up the body of HttpClient", "find_definition", "en")
    far = Question("which jobs touch HttpClient", "find_references", "en")
    assert far_from([near, far], check) == [far]


def test_mined_names_are_no_descriptions(tmp_path: Path) -> None:
    rows = [
        {"query": "Drops stale sessions", "tags": ["function", "whole"]},
        {"query": "drops stale sessions", "tags": ["function", "cut"]},
        {"query": "SessionStore", "tags": ["symbol", "type"]},
        {"query": "where is SessionStore", "tags": ["symbol", "where"]},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert descriptions(path) == [Question("Drops stale sessions", "understand_code", "en")]
